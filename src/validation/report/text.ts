import { createColors } from 'picocolors';
import { describeAssumptions } from './assumptions-text';
import { describeCapacityBuffers } from './buffers-text';
import { describeStories } from './explanation-text';
import { describeFindings } from './findings-text';
import { describeFilledNodes, describeNodeClaims, describeNodePools } from './nodes-text';
import { placesText } from './places';
import { describePodsWithoutNode } from './pods-text';
import { Colors, formatUsd, plural, Section } from './section';
import { Verdict } from './verdict';
import { printable } from '../../model';

export interface TextOptions {
  /** Whether to colour the text for a terminal. @default false */
  readonly color?: boolean;
}

/** Of those with errors. */
const MOST_RULES = 5;

/** The verdict for people: the outcome first, then where pods land, what stands in the way, and what the figures rest on. */
export function renderText(rawVerdict: Verdict, options: TextOptions = {}): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const colors = createColors(options.color ?? false);
  return `${[headline(verdict, colors), ...blocks(PARTS, verdict, colors)].join('\n\n')}\n`;
}

/** Only these parts of it, as far as there is something to tell. */
export function renderParts(verdict: Verdict, parts: readonly VerdictPart[]): string {
  return blocks(parts, withoutControlCharacters(verdict), createColors(false)).join('\n\n');
}

const PARTS = ['node-pools', 'nodes', 'stories', 'capacity-buffers', 'pods-without-node', 'findings', 'assumptions'] as const;
export type VerdictPart = typeof PARTS[number];

function blocks(parts: readonly VerdictPart[], verdict: Verdict, colors: Colors): string[] {
  return parts.flatMap((part) => sectionsOf(part, verdict, colors)).filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [colors.bold(title), ...lines].join('\n'));
}

/** What there is to tell of a part; without lines where that is nothing. */
export function sectionsOf(part: VerdictPart, verdict: Verdict, colors: Colors): Section[] {
  switch (part) {
    case 'node-pools': return [describeNodePools(verdict)];
    case 'nodes': return [describeFilledNodes(verdict), describeNodeClaims(verdict)];
    case 'stories': return [{ title: 'How the pods come to their nodes', lines: describeStories(verdict.placements, colors).flat().map((line) => `  ${line}`) }];
    case 'capacity-buffers': return [describeCapacityBuffers(verdict)];
    case 'pods-without-node': return describePodsWithoutNode(verdict);
    case 'findings': return [describeFindings(verdict, colors)];
    case 'assumptions': return [describeAssumptions(verdict)];
  }
}

function headline(verdict: Verdict, colors: Colors): string {
  return `${colors.bold(outcome(verdict))}\n${countsText(verdict, colors)}`;
}

/** How many findings there are, and of which rules the errors. */
export function countsText(verdict: Verdict, colors: Colors): string {
  const { errors, warnings, infos } = verdict.summary;
  const counts = [
    errors > 0 ? `${colors.red(plural(errors, 'error'))} (${rulesOfErrors(verdict)})` : colors.green('no errors'),
    warnings > 0 ? colors.yellow(plural(warnings, 'warning')) : 'no warnings',
    ...(infos > 0 ? [plural(infos, 'note')] : []),
  ];
  return `${counts.join(', ')}.`;
}

/** To be found by, among hundreds of warnings. */
function rulesOfErrors({ findings }: Verdict): string {
  const rules = [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))].sort();
  return rules.length > MOST_RULES ? `${rules.slice(0, MOST_RULES).join(', ')} and ${plural(rules.length - MOST_RULES, 'rule')} more` : rules.join(', ');
}

/** In one sentence. */
export function outcome(verdict: Verdict): string {
  const { summary: { pods, scheduledPods, cost }, unschedulable, notEvaluated, nodeClaims } = verdict;
  if (pods === 0) return 'There are no pods to place.';
  const price = cost.usdPerHour === null ? '' : `, from ${formatUsd(cost.usdPerHour)} USD per hour${boundText(cost)}`;
  const all = scheduledPods === pods;
  if (pods === 1 && !all) return unschedulable.length > 0 ? 'The one pod does not fit.' : 'The one pod is not evaluated.';
  const parts = [scheduledPods === 0
    ? `None of ${plural(pods, 'pod')} is placed`
    : `${all ? (pods === 1 ? 'The one pod fits' : `All ${pods} pods fit`) : `${scheduledPods} of ${plural(pods, 'pod')} ${scheduledPods === 1 ? 'fits' : 'fit'}`} on ${placesText(verdict)}${price}`];
  if (unschedulable.length > 0) parts.push(`${plural(unschedulable.length, 'pod')} ${unschedulable.length === 1 ? 'does' : 'do'} not fit`);
  if (notEvaluated.length > 0) parts.push(`${plural(notEvaluated.length, 'pod')} ${notEvaluated.length === 1 ? 'is' : 'are'} not evaluated`);
  const unlaunched = nodeClaims.filter(({ launch }) => launch === null).length;
  if (unlaunched > 0) parts.push(`${plural(unlaunched, 'node')} cannot be launched`);
  return `${parts.join('; ')}.`;
}

function boundText({ lowerBoundUsdPerHour }: Verdict['summary']['cost']): string {
  return lowerBoundUsdPerHour === null ? '' : ` (no packing costs less than ${formatUsd(lowerBoundUsdPerHour)})`;
}

/** Names and values come from manifests that anyone wrote: none of them may steer a terminal. */
export function withoutControlCharacters<Report>(report: Report): Report {
  return JSON.parse(JSON.stringify(report, (key, value: unknown) => {
    if (key === 'evidence') return {};
    return typeof value === 'string' ? printable(value) : value;
  })) as Report;
}
