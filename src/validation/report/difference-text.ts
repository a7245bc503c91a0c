import { createColors } from 'picocolors';
import { describeAssumptions } from './assumptions-text';
import { alikeObjects, changeLines, driftLines, nodePoolLines } from './difference-lines';
import { describeFindings, nameOf } from './findings-text';
import { summarisePods } from './pod-names';
import { describePodsWithoutNode } from './pods-text';
import { Colors, formatUsd, plural, Section } from './section';
import { TextOptions, withoutControlCharacters } from './text';
import { Finding, Summary } from './verdict';
import { Difference } from '../difference/difference';

export const NOTHING = 'Nothing changes.';
/** Objects that are told of many that differ. */
const MOST_OBJECTS = 40;

/** What a change does, for whoever is to agree to it: nodes and cost first, then what is written otherwise, and what comes of it. */
export function renderDifferenceText(rawDifference: Difference, { color = false }: TextOptions = {}): string {
  const difference = withoutControlCharacters(rawDifference);
  const colors = createColors(color);
  if (isNothing(difference)) return `${colors.bold(NOTHING)}\n`;
  const [outcome, ...more] = headlines(difference, colors);
  const sections = [
    ...effects(difference), describeFindings({ findings: difference.findings.added }, colors, 'New findings'), gone(difference), describeAssumptions(difference),
  ];
  const blocks = sections.filter(({ lines }) => lines.length > 0).map(({ title, lines }) => [colors.bold(title), ...lines].join('\n'));
  return `${[[colors.bold(outcome), ...more].join('\n'), ...blocks].join('\n\n')}\n`;
}

/** What is written otherwise, and what becomes of nodes and pods by it. */
export function effects({ objects, nodePools, drift, unschedulable }: Difference): Section[] {
  const [refused] = describePodsWithoutNode({ unschedulable, notEvaluated: [] });
  return [
    { title: 'What is written otherwise', lines: objectLines(objects) },
    { title: 'NodePools', lines: nodePools.flatMap(nodePoolLines) },
    { title: 'Nodes that drift', lines: drift.flatMap(driftLines) },
    { title: 'Pods that have no node now', lines: refused.lines },
  ];
}

export function gone({ findings: { removed } }: Difference): Section {
  return { title: 'Findings that are gone', lines: removed.map(goneLine) };
}

export function isNothing({ summary, objects, nodePools, unschedulable, resolved, drift, findings: { added, removed } }: Difference): boolean {
  return [objects, nodePools, unschedulable, resolved, drift, added, removed].every(({ length }) => length === 0)
    && JSON.stringify(summary.before) === JSON.stringify(summary.after);
}

/** The outcome in one sentence, then of which pods and findings it is. */
export function headlines({ summary: { before, after }, resolved, findings: { added, removed } }: Difference, colors: Colors): string[] {
  const [was, is] = [sizeText(before), sizeText(after)];
  const others = resolved.length === 0 ? [] : [`${plural(resolved.length, 'pod')} that had no node ${are(resolved.length)} no longer without: ${summarisePods(resolved)}.`];
  return [
    `${was === is ? `As before ${is}` : `${was} -> ${is}`}${costText(before, after)}.`,
    ...others,
    `${addedText(added, colors)}; ${removed.length === 0 ? 'none is gone' : `${plural(removed.length, 'finding')} ${are(removed.length)} gone`}.`,
  ];
}

function sizeText({ pods, scheduledPods, nodes }: Summary): string {
  return `${scheduledPods} of ${plural(pods, 'pod')} on ${plural(nodes, 'new node')}`;
}

function costText({ cost: { usdPerHour: before } }: Summary, { cost: { usdPerHour: after } }: Summary): string {
  if (before === null && after === null) return '';
  const [was, is] = [formatUsd(before ?? 0), formatUsd(after ?? 0)];
  if (was === is) return `, ${is} USD per hour`;
  const more = (after ?? 0) - (before ?? 0);
  return `, ${was} -> ${is} USD per hour (${more > 0 ? '+' : '-'}${formatUsd(Math.abs(more))})`;
}

function addedText(added: readonly Finding[], colors: Colors): string {
  if (added.length === 0) return colors.green('no new findings');
  const text = (severity: Finding['severity'], noun: string, paint: (text: string) => string) => {
    const own = added.filter((finding) => finding.severity === severity);
    const rules = [...new Set(own.map(({ rule }) => rule))].sort().join(', ');
    return own.length === 0 ? [] : [`${paint(plural(own.length, `new ${noun}`))}${severity === 'error' ? ` (${rules})` : ''}`];
  };
  return [...text('error', 'error', colors.red), ...text('warning', 'warning', colors.yellow), ...text('info', 'note', (plain) => plain)].join(', ');
}

function goneLine({ rule, name, severity, subject }: Finding): string {
  return `  ${severity} ${rule} ${name}${subject.kind === '' ? '' : ` of ${subject.kind} ${nameOf(subject)}`}`;
}

function objectLines(objects: Difference['objects']): string[] {
  const groups = alikeObjects(objects);
  const hidden = groups.slice(MOST_OBJECTS).flat().length;
  return [...groups.slice(0, MOST_OBJECTS).flatMap(changeLines), ...hidden > 0 ? [`  and ${plural(hidden, 'object')} more: --format json lists them all`] : []];
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
