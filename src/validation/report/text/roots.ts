import { createColors } from 'picocolors';
import { describeAcknowledged } from './acknowledged';
import { describeFindings } from './findings';
import { countsText } from './verdict';
import { AcknowledgedFinding, Finding, Summary, Verdict } from '../verdict';
import { Colors, monthlyPrice, plural, Section, TextOptions, withoutControlCharacters } from '../wording';

const NO_NODE_POOL = 'KARP-003';

/** The verdict on one of several roots, or the reason why it has none. */
export interface RootVerdict {
  readonly name: string;
  readonly kind: 'kustomization' | 'chart' | 'files';
  /** Sentences on what the root lacks or has from elsewhere. */
  readonly notes: readonly string[];
  readonly verdict?: Verdict;
  readonly skipped?: string;
}

/** A row of the table of roots: name, pods placed, nodes, price, errors, warnings. */
export type RootRow = readonly [name: string, pods: string, nodes: string, price: string, errors: string, warnings: string];

export const ROOT_HEAD: RootRow = ['ROOT', 'PODS', 'NODES', 'PER MONTH', 'ERRORS', 'WARNINGS'];

/** The names of the roots without the folder that is common to all. */
export function shortNames<Root extends Pick<RootVerdict, 'name'>>(roots: readonly Root[]): Root[] {
  const steps = roots.map(({ name }) => name.split('/'));
  let common = 0;
  while (roots.length > 1 && steps.every((step) => step.length > common + 1 && step[common] === steps[0][common])) common++;
  return roots.map((root, index) => ({ ...root, name: steps[index].slice(common).join('/') }));
}

export function rootRow({ name, verdict }: RootVerdict): RootRow {
  if (!verdict) return [name, '-', '-', '-', '-', '-'];
  const { pods, scheduledPods, nodes, cost, errors, warnings } = verdict.summary;
  const price = cost.usdPerHour === null ? '-' : monthlyPrice(cost.usdPerHour, cost.currency).replace('/month', '');
  return [name, scheduledPods === pods ? String(pods) : `${scheduledPods} of ${pods}`, String(nodes), price, String(errors), String(warnings)];
}

/** The findings of all roots, each once: variants share the files of their base. */
export function findingsOfRoots(roots: readonly RootVerdict[]): Finding[] {
  return once(roots.flatMap(({ verdict }) => verdict?.findings ?? []));
}

/** The accepted findings of all roots, each once. */
export function acknowledgedOfRoots(roots: readonly RootVerdict[]): AcknowledgedFinding[] {
  return once(roots.flatMap(({ verdict }) => verdict?.acknowledged ?? []));
}

function once<Found extends Finding>(findings: readonly Found[]): Found[] {
  const seen = new Map<string, Found>();
  for (const finding of findings) {
    const { rule, location: { file, line, path }, message, subject } = finding;
    const key = JSON.stringify([rule, file, line, path, message, subject]);
    if (!seen.has(key)) seen.set(key, finding);
  }
  return withMissingPoolsOnce([...seen.values()]).sort((a, b) => compare(a.location.file, b.location.file) || a.location.line - b.location.line
    || compare(a.rule, b.rule));
}

/** That NodePools are missing is one finding for all roots that lack them. */
function withMissingPoolsOnce<Found extends Finding>(findings: readonly Found[]): Found[] {
  const [first, ...others] = findings.filter(({ rule }) => rule === NO_NODE_POOL);
  if (first === undefined || others.length === 0) return [...findings];
  const merged = { ...first, message: `${first.message}; the same is true of ${plural(others.length, 'more root')}` };
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
  given: readonly RootVerdict[], table: (rows: readonly RootRow[]) => string, { color = false }: TextOptions = {},
): string {
  const colors = createColors(color);
  const roots = shortNames(withoutControlCharacters(given));
  const findings = findingsOfRoots(roots);
  const summary = { errors: countOf(findings, 'error'), warnings: countOf(findings, 'warning'), infos: countOf(findings, 'info') } as Summary;
  const acknowledged = acknowledgedOfRoots(roots);
  const notes = roots.flatMap(({ name, notes: texts, skipped }) =>
    [...texts, ...skipped === undefined ? [] : [skipped]].map((text) => `  ${name}: ${text}`));
  return [
    `${colors.bold(`${plural(roots.length, 'root')} are deployed separately.`)}\n${countsText({ summary, findings, ...acknowledged.length > 0 ? { acknowledged } : {} } as unknown as Verdict, colors)}\n`,
    table([ROOT_HEAD, ...roots.map(rootRow)]),
    ...notes.length === 0 ? [] : [`${colors.bold('Notes')}\n${notes.join('\n')}\n`],
    ...findings.length === 0 ? [] : [sectionText(describeFindings({ findings }, colors), colors)],
    ...acknowledged.length === 0 ? [] : [sectionText(describeAcknowledged({ acknowledged }), colors)],
  ].join('\n');
}

function sectionText({ title, lines }: Section, colors: Colors): string {
  return `${colors.bold(title)}\n${lines.join('\n')}\n`;
}

function countOf(findings: readonly Finding[], severity: Finding['severity']): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
