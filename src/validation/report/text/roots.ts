import { describeAcknowledged } from './acknowledged';
import { describeAssumptions, shortAssumptions } from './assumptions';
import { describeFindings } from './findings';
import { describeErrors } from './frames';
import { countsText, isAssumedObject } from './headline';
import { Layout } from './layout';
import { waitingPods, withSameFactOnce } from './same-fact';
import { describeInfos, describeWarnings } from './warnings';
import { isOriginText } from '../../../catalog';
import { countText, monthlyAmountText, printableLine, shortListText } from '../../../model';
import { AcknowledgedFinding, Finding, Summary, Verdict } from '../../vocabulary/verdict';
import { Colors, fittingPods, Section, TextOptions, withoutControlCharacters } from '../wording';

const NO_NODE_POOL = 'KARP-003';
const OF_ONE_RULE = /^KARP-\d+ is not evaluated /;

/** The verdict on one of several roots, or the reason why it has none. */
export interface RootVerdict {
  readonly name: string;
  readonly kind: 'cluster' | 'kustomization' | 'chart' | 'files';
  /** Sentences on what the root lacks or has from elsewhere. */
  readonly notes: readonly string[];
  readonly verdict?: Verdict;
  readonly skipped?: string;
}

/** The name and sentences of a root with control characters escaped. Its verdict stays as it is. */
export function printableRoot<Root extends Pick<RootVerdict, 'name' | 'notes' | 'skipped'>>(root: Root): Root {
  const { name, notes, skipped } = root;
  return {
    ...root,
    name: printableLine(name),
    notes: notes.map(printableLine),
    ...(skipped === undefined ? {} : { skipped: printableLine(skipped) }),
  };
}

/** A row of the table of roots: name, pods placed, nodes, price, errors, warnings. */
export type RootRow = readonly [
  name: string,
  pods: string,
  nodes: string,
  price: string,
  errors: string,
  warnings: string,
];

export const ROOT_HEAD: RootRow = ['ROOT', 'PODS', 'NODES', 'PER MONTH', 'ERRORS', 'WARNINGS'];

/** The names of the roots without the folder that is common to all. */
export function shortNames<Root extends Pick<RootVerdict, 'name'>>(roots: readonly Root[]): Root[] {
  const steps = roots.map(({ name }) => name.split('/'));
  let common = 0;
  while (roots.length > 1 && steps.every((step) => step.length > common + 1 && step[common] === steps[0][common]))
    common++;
  return roots.map((root, index) => ({ ...root, name: steps[index].slice(common).join('/') }));
}

export function rootRow({ name, summary }: { readonly name: string; readonly summary?: Summary }): RootRow {
  if (!summary) return [name, '-', '-', '-', '-', '-'];
  const { pods, nodes, cost, errors, warnings } = summary;
  const fitting = fittingPods(summary);
  const price = cost.usdPerHour === null ? '-' : monthlyAmountText(cost.usdPerHour, cost.currency);
  return [
    name,
    fitting === pods ? String(pods) : `${fitting} of ${pods}`,
    String(nodes),
    price,
    String(errors),
    String(warnings),
  ];
}

/** The findings of all roots, each once. */
export function findingsOfRoots(roots: readonly RootVerdict[]): Finding[] {
  return withSameFactOnce(
    onceOfRoots(roots.flatMap(({ verdict }) => verdict?.findings ?? [])),
    roots.map(({ verdict }) => verdict?.findings ?? []),
  );
}

/** The sentences on catalogues of an account, each once. */
export function originsOfRoots(roots: readonly RootVerdict[]): string[] {
  return [...new Set(roots.flatMap(({ verdict }) => verdict?.assumptions.filter(isOriginText) ?? []))];
}

/** The assumptions of all roots, each once, except those about single rules. */
function assumptionsOfRoots(roots: readonly RootVerdict[]): string[] {
  return [...new Set(roots.flatMap(({ verdict }) => verdict?.assumptions ?? []))].filter(
    (sentence) => !isOriginText(sentence) && !OF_ONE_RULE.test(sentence),
  );
}

/** The accepted findings of all roots, each once. */
export function acknowledgedOfRoots(roots: readonly RootVerdict[]): AcknowledgedFinding[] {
  return onceOfRoots(roots.flatMap(({ verdict }) => verdict?.acknowledged ?? []));
}

const SEVERITIES: readonly string[] = ['info', 'warning', 'error'];

/** Each finding once, with its most severe instance: variants share the files of their base. */
export function onceOfRoots<Found extends Finding>(findings: readonly Found[]): Found[] {
  const seen = new Map<string, Found>();
  for (const finding of findings) {
    const {
      rule,
      location: { file, line, path },
      message,
      subject,
    } = finding;
    const key = JSON.stringify([rule, file, line, path, message, subject]);
    const known = seen.get(key);
    if (!known || SEVERITIES.indexOf(known.severity) < SEVERITIES.indexOf(finding.severity)) seen.set(key, finding);
  }
  // The more pods wait for a correction, the earlier it is shown.
  return withMissingPoolsOnce([...seen.values()]).sort(
    (a, b) =>
      waitingPods(b) - waitingPods(a) ||
      compare(a.location.file, b.location.file) ||
      a.location.line - b.location.line ||
      compare(a.rule, b.rule),
  );
}

/** That NodePools are missing is one finding for all roots that lack them. */
function withMissingPoolsOnce<Found extends Finding>(findings: readonly Found[]): Found[] {
  const [first, ...others] = findings.filter(({ rule }) => rule === NO_NODE_POOL);
  if (first === undefined || others.length === 0) return [...findings];
  const merged = {
    ...first,
    message: `${first.message}; the same is true of ${countText(others.length, 'more root')}`,
  };
  return [merged, ...findings.filter(({ rule }) => rule !== NO_NODE_POOL)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * One line for each root, and the findings of all of them.
 *
 * @param table formats the rows
 */
export function renderRootsText(
  given: readonly RootVerdict[],
  table: (rows: readonly RootRow[]) => string,
  options: TextOptions = {},
): string {
  const layout = new Layout(options);
  const { colors } = layout;
  const roots = shortNames(withoutControlCharacters(given));
  const findings = findingsOfRoots(roots);
  const acknowledged = acknowledgedOfRoots(roots);
  const shown = rootsWithNews(roots, layout.verbose);
  const left = roots.filter((root) => root.verdict !== undefined && !shown.includes(root)).length;
  const notes = noteLines(roots, layout.verbose);
  const assumptions = assumptionsOfRoots(roots);
  const assumed = assumptions.filter(isAssumedObject).map((sentence) => `Assumed: ${sentence}.`);
  const section = layout.verbose ? describeAssumptions({ assumptions }) : shortAssumptions({ assumptions }, layout);
  return [
    `${colors.bold(`${rootsHeadline(roots)}.`)}\n` +
      (roots.some(({ verdict }) => verdict) ? `${countsOfRoots(roots, colors)}\n` : '') +
      assumed.map((sentence) => `${layout.wrap(sentence)}\n`).join(''),
    ...findingBlocks(roots, findings, layout),
    ...(shown.length === 0
      ? []
      : [
          `${table([ROOT_HEAD, ...shown.map(({ name, verdict }) => rootRow({ name, summary: verdict?.summary }))])}${
            left === 0 ? '' : `${countText(left, 'more root has', 'more roots have')} no pods and no findings\n`
          }`,
        ]),
    ...originsOfRoots(roots).map((sentence) => `- ${sentence}\n`),
    ...(notes.length === 0 ? [] : [sectionText({ title: 'Notes', lines: notes }, layout)]),
    ...(acknowledged.length === 0 ? [] : [sectionText(describeAcknowledged({ acknowledged }), layout)]),
    ...(section.lines.length === 0 ? [] : [sectionText(section, layout)]),
  ].join('\n');
}

/** How many findings the roots have together, each counted once. */
export function countsOfRoots(roots: readonly RootVerdict[], colors: Colors): string {
  const findings = findingsOfRoots(roots);
  const acknowledged = acknowledgedOfRoots(roots);
  const summary = {
    errors: countOf(findings, 'error'),
    warnings: countOf(findings, 'warning'),
    infos: countOf(findings, 'info'),
  };
  return countsText({ summary, findings, ...(acknowledged.length > 0 ? { acknowledged } : {}) }, colors);
}

/** How many roots there are, and how many of them have no verdict. */
export function rootsHeadline(roots: readonly RootVerdict[]): string {
  const unjudged = roots.filter(({ verdict }) => verdict === undefined).length;
  if (unjudged === roots.length)
    return roots.length === 1
      ? 'The only root is not judged'
      : `None of the ${countText(roots.length, 'root')} is judged`;
  const all = countText(roots.length, 'root is deployed', 'roots are deployed separately');
  return unjudged === 0 ? all : `${all}, ${countText(unjudged, 'of them is', 'of them are')} not judged`;
}

/** Fewer roots than these are all in the table, even if they have no verdict. */
const FEW_ROOTS = 3;
/** Such a note names at most this many roots. */
const MAX_NAMES = 2;

function noteLines(roots: readonly RootVerdict[], isVerbose: boolean): string[] {
  const namesByText = new Map<string, string[]>();
  for (const { name, notes, skipped } of roots) {
    for (const text of [...notes, ...(skipped === undefined ? [] : [skipped])])
      namesByText.set(text, [...(namesByText.get(text) ?? []), name]);
  }
  const isFolded = (text: string) => !isVerbose && namesByText.get(text)!.length > 1;
  const own = roots.flatMap(({ name, notes, skipped }) =>
    [...notes, ...(skipped === undefined ? [] : [skipped])]
      .filter((text) => !isFolded(text))
      .map((text) => `  ${name}: ${text}`),
  );
  const folded = [...namesByText]
    .filter(([text]) => isFolded(text))
    .map(([text, names]) => `  ${countText(names.length, 'root')} (${shortListText(names, MAX_NAMES)}): ${text}`);
  return [...own, ...folded];
}

/** The roots of the table: those with pods or findings. Roots without a verdict are in the notes. */
function rootsWithNews(roots: readonly RootVerdict[], isVerbose: boolean): readonly RootVerdict[] {
  if (isVerbose) return roots;
  return roots.filter(({ verdict, skipped }) =>
    skipped !== undefined && roots.length <= FEW_ROOTS
      ? true
      : verdict !== undefined && (verdict.summary.pods > 0 || verdict.summary.errors + verdict.summary.warnings > 0),
  );
}

/** Errors, then warnings and notes as in the report on one root. */
function findingBlocks(roots: readonly RootVerdict[], findings: readonly Finding[], layout: Layout): string[] {
  const errors = describeErrors(findings, layout).map((block) => `${block}\n`);
  const others = findings.filter(({ severity }) => severity !== 'error');
  if (others.length === 0) return errors;
  if (layout.verbose)
    return [
      ...errors,
      sectionText(describeFindings({ findings: others }, layout.colors, 'Warnings and notes'), layout),
    ];
  const workloads = roots.flatMap(({ verdict }) => verdict?.workloads ?? []);
  return [
    ...errors,
    `${[...describeWarnings({ findings, workloads }, layout), ...describeInfos(findings, layout)].join('\n')}\n`,
  ];
}

function sectionText({ title, lines }: Section, layout: Layout): string {
  return `${layout.colors.bold(title)}\n${lines.map((line) => layout.wrap(line)).join('\n')}\n`;
}

function countOf(findings: readonly Finding[], severity: Finding['severity']): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
