import { summarisePods } from '../pod-names';
import { groupSimilarPools, similarPoolsText } from '../similar';
import { ReasonVerdict, UnschedulableVerdict, Verdict } from '../verdict';
import { moreText, plural, Section } from '../wording';
import { eliminationText } from './placements';

/** The most groups of pods with different reasons. */
const MAX_GROUPS = 40;
/** The most NodePools with different reasons, for one group of pods. */
const MAX_REASONS = 20;

export function describePodsWithoutNode({ unschedulable, notEvaluated }: Pick<Verdict, 'unschedulable' | 'notEvaluated'>): Section[] {
  return [
    { title: 'Pods that do not fit', lines: byReason(unschedulable, unschedulableReason, (reason) => [...describeReasons(reason.reasons), ...describeChange(reason)]) },
    { title: 'Pods that are not evaluated', lines: byReason(notEvaluated, ({ what }) => what, (what) => [`    ${what.length === 1 ? 'reason' : 'reasons'}: ${what.join(', ')}`]) },
  ];
}

/** Why pods are unschedulable, and what would help. */
export type UnschedulableReason = Omit<UnschedulableVerdict, 'pod'>;

export function unschedulableReason({ pod: _, ...reason }: UnschedulableVerdict): UnschedulableReason {
  return reason;
}

/** Describes pods with the same reason once. */
function byReason<Entry extends { readonly pod: string }, Reason>(
  entries: readonly Entry[], reasonOf: (entry: Entry) => Reason, describe: (reason: Reason) => string[],
): string[] {
  const groups = groupByReason(entries, reasonOf);
  const left = groups.slice(MAX_GROUPS).reduce((sum, [pods]) => sum + pods.length, 0);
  return [
    ...groups.slice(0, MAX_GROUPS).flatMap(([pods, reason]) => [`  ${podsTitle(pods)}`, ...describe(reason)]),
    ...left > 0 ? [`  ${moreText(left, 'pod')}`] : [],
  ];
}

/** Groups pods with the same reason. */
export function groupByReason<Entry extends { readonly pod: string }, Reason>(
  entries: readonly Entry[], reasonOf: (entry: Entry) => Reason,
): Array<readonly [pods: readonly string[], reason: Reason]> {
  const groups = new Map<string, [string[], Reason]>();
  for (const entry of entries) {
    const reason = reasonOf(entry);
    const key = JSON.stringify(reason);
    const group = groups.get(key);
    if (group) group[0].push(entry.pod); else groups.set(key, [[entry.pod], reason]);
  }
  return [...groups.values()];
}

export function podsTitle(pods: readonly string[]): string {
  return pods.length === 1 ? pods[0] : `${plural(pods.length, 'pod')}: ${summarisePods(pods)}`;
}

function describeReasons(reasons: UnschedulableVerdict['reasons']): string[] {
  if (reasons.length === 0) return [`    ${NO_NODE_POOL}`];
  const groups = groupSimilarPools(reasons);
  const left = groups.slice(MAX_REASONS).flat().length;
  return [
    ...groups.slice(0, MAX_REASONS).flatMap(describeReason),
    ...left > 0 ? [`    ${moreText(left, 'NodePool')}`] : [],
  ];
}

export const NO_NODE_POOL = 'no NodePool can be evaluated';

function describeReason([{ nodePool, message, diagnosis, elimination }, ...others]: readonly ReasonVerdict[]): string[] {
  return [
    `    ${nodePool === '' ? '' : `NodePool ${nodePool}: `}${message}`,
    ...diagnosis ? [`      ${diagnosis}`] : [],
    ...elimination.length > 0 ? [`      ${eliminationText(elimination)}`] : [],
    ...similarPoolsText(others.map((other) => other.nodePool)).map((line) => `      ${line}`),
  ];
}

function describeChange({ smallestChange, changesTried }: UnschedulableReason): string[] {
  const text = changeText({ smallestChange, changesTried });
  return text === '' ? [] : [smallestChange === null ? `    ${text}` : `    → ${text}`];
}

/** The smallest change that helps, or how many were tried. Empty if none was tried. */
export function changeText({ smallestChange, changesTried }: Pick<UnschedulableVerdict, 'smallestChange' | 'changesTried'>): string {
  if (smallestChange !== null) return `${smallestChange}: then every pod of the workload fits (${plural(changesTried, 'change')} tried)`;
  return changesTried === 0 ? '' : `no small change helps (${changesTried} tried)`;
}
