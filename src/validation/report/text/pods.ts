import { countText } from '../../../model';
import { ReasonVerdict, UnschedulableVerdict, Verdict } from '../../vocabulary/verdict';
import { summarisePods } from '../pod-names';
import { firstNames, groupSimilarPools, similarPoolsText } from '../similar';
import { LIST_ALL, omittedText, PRINT_ALL, Section } from '../wording';
import { describeChange } from './fitting-change';
import { eliminationText } from './placements';

/** The most groups of pods with different reasons. */
const MAX_GROUPS = 40;
/** The most NodePools with different reasons, for one group of pods. */
const MAX_REASONS = 20;
/** The same of the short report. */
const SHORT = { groups: 5, reasons: 3 };

export function describePodsWithoutNode({
  unschedulable,
  notEvaluated,
}: Pick<Verdict, 'unschedulable' | 'notEvaluated'>): Section[] {
  return [
    {
      title: 'Pods that do not fit',
      lines: byReason(unschedulable, unschedulableReason, (reason) => [
        ...describeReasons(reason.reasons),
        ...indented(describeChange(reason)),
      ]),
    },
    {
      title: 'Pods that are not evaluated',
      lines: byReason(
        notEvaluated,
        ({ what }) => what,
        (what) => [`    ${what.length === 1 ? 'reason' : 'reasons'}: ${what.join(', ')}`],
      ),
    },
  ];
}

/**
 * A line for each obstacle, in numbers if they are known, and the smallest change that helps. Pods that wait for the
 * same finding are one group, because the finding says what the obstacle is.
 */
export function shortPodsWithoutNode({
  unschedulable,
  notEvaluated,
}: Pick<Verdict, 'unschedulable' | 'notEvaluated'>): Section[] {
  const short = { max: SHORT.groups, hint: PRINT_ALL };
  return [
    {
      title: 'Pods that do not fit',
      lines: byReason(
        unschedulable,
        shortReason,
        (reason) => [...(reason.finding ? [] : shortReasons(reason.reasons)), ...indented(describeChange(reason))],
        short,
      ),
    },
    {
      title: 'Pods that are not evaluated',
      lines: byReason(
        notEvaluated,
        ({ what }) => what,
        (what) => [`    ${what.join(', ')}`],
        short,
      ),
    },
  ];
}

function shortReasons(reasons: UnschedulableVerdict['reasons']): string[] {
  if (reasons.length === 0) return [`    ${NO_NODE_POOL}`];
  const pools = new Map<string, string[]>();
  for (const { nodePool, message, diagnosis } of reasons) {
    const obstacle = diagnosis ?? message.replace(`karpenter.sh/nodepool In [${nodePool}]`, 'karpenter.sh/nodepool');
    pools.set(obstacle, [...(pools.get(obstacle) ?? []), nodePool]);
  }
  const left = [...pools.values()].slice(SHORT.reasons).flat().length;
  return [
    ...[...pools].slice(0, SHORT.reasons).map(([obstacle, names]) => `    ${poolsText(names)}${obstacle}`),
    ...(left === 0 ? [] : [`    ${omittedText(left, 'NodePool', PRINT_ALL)}`]),
  ];
}

function poolsText(names: readonly string[]): string {
  if (names[0] === '') return '';
  return names.length === 1 ? `NodePool ${names[0]}: ` : `NodePools ${firstNames(names, SHORT.reasons, '')}: `;
}

/** Why pods are unschedulable, and what would help. */
export type UnschedulableReason = Omit<UnschedulableVerdict, 'pod'>;

export function unschedulableReason({ pod: _, ...reason }: UnschedulableVerdict): UnschedulableReason {
  return reason;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `    ${line}`);
}

function shortReason(entry: UnschedulableVerdict): UnschedulableReason {
  const { cause: _, ...reason } = unschedulableReason(entry);
  return reason.finding ? { ...reason, reasons: [] } : reason;
}

/** Describes pods with the same reason once. */
function byReason<Entry extends { readonly pod: string }, Reason>(
  entries: readonly Entry[],
  reasonOf: (entry: Entry) => Reason,
  describe: (reason: Reason) => string[],
  { max, hint } = { max: MAX_GROUPS, hint: LIST_ALL },
): string[] {
  const groups = groupByReason(entries, reasonOf);
  const left = groups.slice(max).reduce((sum, [pods]) => sum + pods.length, 0);
  return [
    ...groups.slice(0, max).flatMap(([pods, reason]) => [`  ${podsTitle(pods)}`, ...describe(reason)]),
    ...(left > 0 ? [`  ${omittedText(left, 'pod', hint)}`] : []),
  ];
}

/** Groups pods with the same reason. */
export function groupByReason<Entry extends { readonly pod: string }, Reason>(
  entries: readonly Entry[],
  reasonOf: (entry: Entry) => Reason,
): Array<readonly [pods: readonly string[], reason: Reason]> {
  const groups = new Map<string, [string[], Reason]>();
  for (const entry of entries) {
    const reason = reasonOf(entry);
    const key = JSON.stringify(reason);
    const group = groups.get(key);
    if (group) group[0].push(entry.pod);
    else groups.set(key, [[entry.pod], reason]);
  }
  return [...groups.values()];
}

export function podsTitle(pods: readonly string[]): string {
  return pods.length === 1 ? pods[0] : `${countText(pods.length, 'pod')}: ${summarisePods(pods)}`;
}

function describeReasons(reasons: UnschedulableVerdict['reasons']): string[] {
  if (reasons.length === 0) return [`    ${NO_NODE_POOL}`];
  const groups = groupSimilarPools(reasons);
  const left = groups.slice(MAX_REASONS).flat().length;
  return [
    ...groups.slice(0, MAX_REASONS).flatMap(describeReason),
    ...(left > 0 ? [`    ${omittedText(left, 'NodePool')}`] : []),
  ];
}

export const NO_NODE_POOL = 'no NodePool can be evaluated';

function describeReason([
  { nodePool, message, diagnosis, elimination },
  ...others
]: readonly ReasonVerdict[]): string[] {
  return [
    `    ${nodePool === '' ? '' : `NodePool ${nodePool}: `}${message}`,
    ...(diagnosis ? [`      ${diagnosis}`] : []),
    ...(elimination.length > 0 ? [`      ${eliminationText(elimination)}`] : []),
    ...similarPoolsText(others.map((other) => other.nodePool)).map((line) => `      ${line}`),
  ];
}
