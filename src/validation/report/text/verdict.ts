import { createColors } from 'picocolors';
import { Verdict } from '../verdict';
import { Colors, hourlyPrice, monthlyPrice, nodeCountText, plural, priceSourcesText, Section, TextOptions, withoutControlCharacters } from '../wording';
import { describeAcknowledged } from './acknowledged';
import { describeAssumptions } from './assumptions';
import { describeFindings } from './findings';
import { describeCapacityBuffers, describeFilledNodes, describeNodeClaims, describeNodePools } from './nodes';
import { describePlacements } from './placements';
import { describePodsWithoutNode } from './pods';

/** The most rules with errors that the headline names. */
const MAX_RULES = 5;

/** The verdict as text: first the outcome, then nodes, pods that do not fit, findings and assumptions. */
export function renderText(rawVerdict: Verdict, options: TextOptions = {}): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const colors = createColors(options.color ?? false);
  return `${[headline(verdict, colors), ...blocks(PARTS, verdict, colors)].join('\n\n')}\n`;
}

/** Only the given parts of the text, without empty ones. */
export function renderParts(verdict: Verdict, parts: readonly VerdictPart[]): string {
  return blocks(parts, withoutControlCharacters(verdict), createColors(false)).join('\n\n');
}

const PARTS = ['node-pools', 'nodes', 'placements', 'capacity-buffers', 'pods-without-node', 'findings', 'acknowledged', 'assumptions'] as const;
export type VerdictPart = typeof PARTS[number];

function blocks(parts: readonly VerdictPart[], verdict: Verdict, colors: Colors): string[] {
  return parts.flatMap((part) => sectionsOf(part, verdict, colors)).filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [colors.bold(title), ...lines].join('\n'));
}

/** The sections of a part. They may have no lines. */
export function sectionsOf(part: VerdictPart, verdict: Verdict, colors: Colors): Section[] {
  switch (part) {
    case 'node-pools': return [describeNodePools(verdict)];
    case 'nodes': return [describeFilledNodes(verdict), describeNodeClaims(verdict)];
    case 'placements': return [{ title: 'Placements', lines: describePlacements(verdict.placements, colors).flat().map((line) => `  ${line}`) }];
    case 'capacity-buffers': return [describeCapacityBuffers(verdict)];
    case 'pods-without-node': return describePodsWithoutNode(verdict);
    case 'findings': return [describeFindings(verdict, colors)];
    case 'acknowledged': return [describeAcknowledged(verdict)];
    case 'assumptions': return [describeAssumptions(verdict)];
  }
}

function headline(verdict: Verdict, colors: Colors): string {
  const prices = priceSourcesText(verdict.summary.cost);
  return [
    colors.bold(outcome(verdict)),
    countsText(verdict, colors),
    ...prices === '' ? [] : [`Prices: ${prices}.`],
    ...assumedObjects(verdict).map((sentence) => `Assumed: ${sentence}.`),
  ].join('\n');
}

/** Assumptions that all placements rest on, because an object is missing in the input. */
function assumedObjects({ assumptions }: Verdict): string[] {
  return assumptions.filter((sentence) => /^EC2NodeClass(es)? .* not in the input: (it is|they are) assumed to be /.test(sentence));
}

/** `1 error (KARP-306), 2 warnings, 1 note, 3 acknowledged.` */
export function countsText(verdict: Verdict, colors: Colors): string {
  const { errors, warnings, infos } = verdict.summary;
  const counts = [
    errors > 0 ? `${colors.red(plural(errors, 'error'))} (${rulesOfErrors(verdict)})` : colors.green('no errors'),
    warnings > 0 ? colors.yellow(plural(warnings, 'warning')) : 'no warnings',
    ...(infos > 0 ? [plural(infos, 'note')] : []),
    ...(verdict.acknowledged ? [`${verdict.acknowledged.length} acknowledged`] : []),
  ];
  return `${counts.join(', ')}.`;
}

/** Helps to find the errors among many warnings. */
function rulesOfErrors({ findings }: Verdict): string {
  const rules = [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))].sort();
  const more = rules.length - MAX_RULES;
  return more > 0 ? `${rules.slice(0, MAX_RULES).join(', ')} and ${more} more ${more === 1 ? 'rule' : 'rules'}` : rules.join(', ');
}

/** The outcome in one sentence. */
export function outcome(verdict: Verdict): string {
  const { summary: { pods, scheduledPods, cost }, unschedulable, nodeClaims } = verdict;
  // A workload with too many pods is one entry of the list.
  const notEvaluated = pods - scheduledPods - unschedulable.length;
  if (pods === 0) return 'There are no pods to schedule.';
  const allFit = scheduledPods === pods;
  if (pods === 1 && !allFit) return unschedulable.length > 0 ? 'The pod does not fit.' : 'The pod is not evaluated.';
  const parts = [scheduledPods === 0
    ? `None of the ${pods} pods is scheduled`
    : `${fitText(pods, scheduledPods)} on ${nodeCountText(verdict)}${costText(cost)}`];
  if (unschedulable.length > 0) parts.push(`${plural(unschedulable.length, 'pod')} ${unschedulable.length === 1 ? 'does' : 'do'} not fit`);
  if (notEvaluated > 0) parts.push(`${plural(notEvaluated, 'pod')} ${notEvaluated === 1 ? 'is' : 'are'} not evaluated`);
  const notLaunched = nodeClaims.filter(({ launch }) => launch === null).length;
  if (notLaunched > 0) parts.push(`${plural(notLaunched, 'node')} cannot be launched`);
  return `${parts.join('; ')}.`;
}

function fitText(pods: number, scheduledPods: number): string {
  if (scheduledPods < pods) return `${scheduledPods} of ${pods} pods ${scheduledPods === 1 ? 'fits' : 'fit'}`;
  return pods === 1 ? 'The pod fits' : `All ${pods} pods fit`;
}

/** The price of all new nodes, at the lowest price of each, and what any packing costs at least. */
function costText({ usdPerHour, lowerBoundUsdPerHour, currency }: Verdict['summary']['cost']): string {
  if (usdPerHour === null) return '';
  const bound = lowerBoundUsdPerHour === null ? '' : `, lower bound ${hourlyPrice(lowerBoundUsdPerHour, currency)}`;
  return `, from ${hourlyPrice(usdPerHour, currency)} (${monthlyPrice(usdPerHour, currency)}${bound})`;
}
