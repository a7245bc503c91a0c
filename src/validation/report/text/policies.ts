import {
  countText,
  dailyAmountText,
  dailyPriceText,
  durationText,
  fixedText,
  numberText,
  roundedDurationText,
} from '../../../model';
import { chosenPolicy, gentlerPolicy, PolicyComparison, PolicyDay } from '../../scenario/policies';
import { withoutControlCharacters } from '../wording';

type Table = (rows: ReadonlyArray<readonly string[]>) => string;

const HEAD = ['POLICY', 'AFTER', 'NODE-HOURS', 'A DAY', 'EVICTIONS', 'LAUNCHES', 'LIFETIME', 'PENDING', 'LOWEST READY'];
const WORKLOAD_HEAD = ['EVICTIONS', 'LOWEST READY', 'WORKLOAD'];
/** The most workloads of the second table. */
const MOST_WORKLOADS = 10;
const DAY = 86_400;

/**
 * One line for each policy, which one to choose and what it costs, and the workloads that it disrupts.
 *
 * @param policyTable formats the rows of the policies
 * @param workloadTable formats the rows of the workloads
 */
export function renderPoliciesText(given: PolicyComparison, policyTable: Table, workloadTable: Table): string {
  const comparison = withoutControlCharacters(given);
  const { start, seconds, policies } = comparison;
  const chosen = chosenPolicy(comparison);
  return [
    `${durationText(seconds)} from ${start.slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z\n`,
    policyTable([HEAD, ...policies.map((policy) => rowOf(policy, comparison))]),
    ...(chosen === undefined
      ? []
      : [`${choiceText(chosen, comparison)}\n${gentlerText(chosen, comparison)}`, ...disrupted(chosen, workloadTable)]),
    ...section('Assumptions', comparison.assumptions),
    ...section('Not evaluated', comparison.notEvaluated),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`];
}

function rowOf(policy: PolicyDay, comparison: PolicyComparison): string[] {
  const { day, isWritten } = policy;
  const { policy: name = 'the NodePools', consolidateAfter } = policy;
  const { nodeHours, evictions, launches, medianLifetimeHours, pendingPodMinutes } = day;
  return [
    isWritten ? `${name} (as written)` : name,
    consolidateAfter === undefined ? '-' : `${consolidateAfter === 0 ? '0 s' : durationText(consolidateAfter)}`,
    fixedText(nodeHours, 1),
    comparison.currency === null ? '-' : dailyAmountText(costPerDay(policy, comparison), comparison.currency),
    numberText(evictions),
    numberText(launches),
    medianLifetimeHours === undefined ? '-' : roundedDurationText(medianLifetimeHours * 3_600),
    `${fixedText(pendingPodMinutes, 0)} pod-min`,
    readyText(day),
  ];
}

function costPerDay({ day }: PolicyDay, { seconds }: PolicyComparison): number {
  return (day.cost * DAY) / seconds;
}

function readyText({ lowestReady }: Pick<PolicyDay['day'], 'lowestReady'>): string {
  return lowestReady ? `${lowestReady.ready} of ${lowestReady.of}, ${lowestReady.workload}` : '-';
}

function nameOf({ policy, consolidateAfter }: PolicyDay): string {
  return policy === undefined
    ? 'the policies of the NodePools'
    : `${policy} with consolidateAfter: ${consolidateAfter}s`;
}

/** The winner, what it saves, and what that costs. */
function choiceText(chosen: PolicyDay, comparison: PolicyComparison): string {
  const { currency, policies } = comparison;
  const written = policies.find(({ isWritten }) => isWritten)!;
  const price =
    currency === null
      ? `${fixedText(chosen.day.nodeHours, 1)} node-hours`
      : dailyPriceText(costPerDay(chosen, comparison), currency);
  if (chosen === written) return `Keep ${nameOf(chosen)}, as written: ${price}, and no other policy is cheaper by 1%.`;
  const saved =
    currency === null
      ? written.day.nodeHours - chosen.day.nodeHours
      : costPerDay(written, comparison) - costPerDay(chosen, comparison);
  const amount =
    currency === null ? `${fixedText(Math.abs(saved), 1)} node-hours` : dailyPriceText(Math.abs(saved), currency);
  const difference = `${amount} ${saved < 0 ? 'more' : 'less'} than as written`;
  return (
    `Choose ${nameOf(chosen)}: ${price}, ${difference}. ` +
    `With it, ${[
      `${countText(chosen.day.evictions, 'pod')} ${chosen.day.evictions === 1 ? 'is' : 'are'} evicted instead of ${numberText(written.day.evictions)}`,
      `pods are pending for ${fixedText(chosen.day.pendingPodMinutes, 0)} pod-minutes instead of ${fixedText(written.day.pendingPodMinutes, 0)}`,
      `at the worst time ${lowestText(chosen)} (as written ${lowestText(written)})`,
    ].join('; ')}.`
  );
}

function gentlerText(chosen: PolicyDay, comparison: PolicyComparison): string {
  const gentler = gentlerPolicy(comparison, chosen);
  if (gentler === undefined) return '';
  const { currency } = comparison;
  const more =
    currency === null
      ? `${fixedText(gentler.day.nodeHours - chosen.day.nodeHours, 1)} node-hours`
      : dailyPriceText(costPerDay(gentler, comparison) - costPerDay(chosen, comparison), currency);
  return `Fewer evictions for little more: ${nameOf(gentler)}, ${numberText(gentler.day.evictions)} instead of ${numberText(chosen.day.evictions)} for ${more}.\n`;
}

function lowestText({ day: { lowestReady } }: PolicyDay): string {
  return lowestReady
    ? `${lowestReady.ready} of ${lowestReady.of} pods of ${lowestReady.workload} are ready`
    : 'all pods are ready';
}

function disrupted({ day: { workloads } }: PolicyDay, table: Table): string[] {
  if (workloads.length === 0) return [];
  const rows = workloads
    .slice(0, MOST_WORKLOADS)
    .map(({ workload, evictions, lowestReady }) => [
      String(evictions),
      lowestReady ? `${lowestReady.ready} of ${lowestReady.of}` : '-',
      workload,
    ]);
  const more = workloads.length - rows.length;
  return [
    `With it, by workload:\n${table([WORKLOAD_HEAD, ...rows])}${more > 0 ? `… and ${countText(more, 'other')}\n` : ''}`,
  ];
}
