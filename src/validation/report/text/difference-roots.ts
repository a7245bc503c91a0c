import { createColors } from 'picocolors';
import { describeAcknowledged } from './acknowledged';
import { describeAssumptions } from './assumptions';
import { addedText, changeSections, headlines, resolvedFindings, UNCHANGED } from './difference';
import { describeFindings } from './findings';
import { onceOfRoots, rootRow } from './roots';
import { changeText, countText, numberText } from '../../../model';
import { Difference } from '../../difference/difference';
import { RootDifference, RootDifferences } from '../../difference/root-differences';
import { AcknowledgedFinding, Finding, Summary } from '../../vocabulary/verdict';
import { Colors, Section, TextOptions, withoutControlCharacters } from '../wording';

export const ROOT_DIFFERENCE_HEAD = [
  'ROOT',
  'CHANGE',
  'NODES',
  'PODS',
  'PER MONTH',
  'NEW ERRORS',
  'NEW WARNINGS',
  'RESOLVED',
] as const;

/** What is the same for all formats: findings and sentences of all roots, each once. */
export interface CommonParts {
  readonly added: readonly Finding[];
  readonly removed: readonly Finding[];
  readonly acknowledged: readonly AcknowledgedFinding[];
  readonly assumptions: readonly string[];
}

/** Roots with the same effect, which is described once. */
export interface EqualRoots {
  readonly names: readonly string[];
  readonly headlines: readonly string[];
  readonly sections: readonly Section[];
}

/** The new findings of all roots, each once: roots may share files. */
export function newFindingsOfRoots({ roots }: Pick<RootDifferences, 'roots'>): Finding[] {
  return onceOfRoots(roots.flatMap(({ difference }) => difference?.findings.added ?? []));
}

export function commonParts(differences: RootDifferences): CommonParts {
  const all = differences.roots.flatMap(({ difference }) => difference ?? []);
  return {
    added: newFindingsOfRoots(differences),
    removed: onceOfRoots(all.flatMap(({ findings }) => findings.removed)),
    acknowledged: onceOfRoots(all.flatMap(({ acknowledged = [] }) => acknowledged)),
    assumptions: [...new Set(all.flatMap(({ assumptions }) => assumptions))],
  };
}

/** `2 of 14 roots change.` */
export function changedRootsHeadline({ roots, unchanged }: RootDifferences): string {
  const changed = roots.filter(({ change }) => change !== 'not compared').length;
  const all = roots.length + unchanged.length;
  if (changed === 0) return UNCHANGED;
  return all === 1
    ? 'The only root changes.'
    : `${numberText(changed)} of ${countText(all, 'root')} ${changed === 1 ? 'changes' : 'change'}.`;
}

/** The rows of the table: roots that change, and roots that only one side has. */
export function differenceRows({ roots }: RootDifferences): string[][] {
  return roots
    .filter(({ change, difference }) => difference !== undefined || change !== 'not compared')
    .map(differenceRow);
}

function differenceRow({ name, change, difference }: RootDifference): string[] {
  if (!difference) return [name, change, '-', '-', '-', '-', '-', '-'];
  const {
    summary,
    findings: { added, removed },
  } = difference;
  const before = cells(summary.before, summary.after);
  const after = cells(summary.after, summary.before);
  const values = after.map((value, index) =>
    change === 'added' ? value : change === 'removed' ? before[index] : changeText(before[index], value),
  );
  const count = (severity: Finding['severity']) =>
    numberText(added.filter((finding) => finding.severity === severity).length);
  return [name, change, ...values, count('error'), count('warning'), numberText(removed.length)];
}

/** Nodes, pods and price. No nodes cost nothing, if the other side has some. */
function cells(summary: Summary, other: Summary): string[] {
  const isFree = summary.nodes === 0 && other.nodes > 0;
  const [, pods, nodes, price] = rootRow({
    name: '',
    summary: isFree ? { ...summary, cost: { ...summary.cost, usdPerHour: 0 } } : summary,
  });
  return [nodes, pods, price];
}

/** Why roots cannot be compared, and what roots lack. Roots with the same note share a line. */
export function rootNotes({ roots }: RootDifferences): string[] {
  const namesOf = new Map<string, string[]>();
  const add = (note: string, name: string) => namesOf.set(note, [...(namesOf.get(note) ?? []), name]);
  const compared = roots.filter(({ difference }) => difference !== undefined);
  for (const { name, notes } of compared) for (const note of notes) add(note, name);
  const reasons = [...new Set(roots.flatMap(({ skipped }) => skipped ?? []))];
  return [
    ...reasons.map(
      (reason) =>
        `not compared: ${roots
          .filter(({ skipped }) => skipped === reason)
          .map(({ name }) => name)
          .join(', ')}; ${reason}`,
    ),
    ...[...namesOf].map(([note, names]) => `${names.join(', ')}: ${note}`),
  ];
}

/** The effects on roots, in the order of the roots. The findings of all roots are listed apart. */
export function equalRoots({ roots }: RootDifferences, colors: Colors): EqualRoots[] {
  const groups = new Map<string, EqualRoots>();
  for (const { name, difference } of roots) {
    if (difference === undefined) continue;
    const effect = {
      headlines: headlines(difference, colors),
      sections: changeSections(difference).filter(({ lines }) => lines.length > 0),
    };
    const key = JSON.stringify(effect);
    groups.set(key, { names: [...(groups.get(key)?.names ?? []), name], ...effect });
  }
  return [...groups.values()];
}

/**
 * One line for each root that changes, then what changes in it.
 *
 * @param table formats the rows
 */
export function renderRootDifferencesText(
  given: RootDifferences,
  table: (rows: ReadonlyArray<readonly string[]>) => string,
  { color = false }: TextOptions = {},
): string {
  const differences = withoutControlCharacters(given);
  const colors = createColors(color);
  const { added, removed, acknowledged, assumptions } = commonParts(differences);
  const rows = differenceRows(differences);
  const block = ({ title, lines }: Section) => [colors.bold(title), ...lines].join('\n');
  const notes = rootNotes(differences).map((note) => `  ${note}`);
  const sections = [
    { title: 'Notes', lines: notes },
    describeFindings({ findings: added }, colors, 'New findings'),
    resolvedFindings({ findings: { removed } }),
    describeAcknowledged({ acknowledged }),
    describeAssumptions({ assumptions }),
  ].filter(({ lines }) => lines.length > 0);
  const [first, ...others] = sections;
  const isNotesFirst = notes.length > 0;
  return `${[
    [
      colors.bold(changedRootsHeadline(differences)),
      ...(rows.length === 0 ? [] : [`${addedText(added, colors)}; ${resolvedText(removed)}.`]),
    ].join('\n'),
    ...(rows.length === 0 ? [] : [table([ROOT_DIFFERENCE_HEAD, ...rows]).trimEnd()]),
    ...(isNotesFirst ? [block(first)] : []),
    ...equalRoots(differences, colors).map(({ names, headlines: lines, sections: parts }) =>
      [[`== ${names.join(', ')} ==`, ...lines].join('\n'), ...parts.map(block)].join('\n\n'),
    ),
    ...(isNotesFirst ? others : sections).map(block),
  ].join('\n\n')}\n`;
}

export function resolvedText(removed: Difference['findings']['removed']): string {
  return removed.length === 0 ? 'none resolved' : `${countText(removed.length, 'finding')} resolved`;
}
