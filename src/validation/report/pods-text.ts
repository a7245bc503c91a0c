import { alikePoolsText, foldPools } from './alike-pools';
import { eliminationText } from './explanation-text';
import { summarisePods } from './pod-names';
import { plural, Section } from './section';
import { ReasonVerdict, UnschedulableVerdict, Verdict } from './verdict';

/** Of pods with different reasons. */
const MOST_GROUPS = 40;
/** Of NodePools that refuse for different reasons. */
const MOST_REASONS = 20;

export function describePodsWithoutNode({ unschedulable, notEvaluated }: Pick<Verdict, 'unschedulable' | 'notEvaluated'>): Section[] {
  return [
    { title: 'Pods that do not fit', lines: byReason(unschedulable, whyAndWhatInstead, (why) => [...describeReasons(why.reasons), ...describeChange(why)]) },
    { title: 'Pods that are not evaluated', lines: byReason(notEvaluated, ({ what }) => what, (what) => [`    ${what.length === 1 ? 'reason' : 'reasons'}: ${what.join(', ')}`]) },
  ];
}

export type WhyAndWhatInstead = Omit<UnschedulableVerdict, 'pod'>;

/** All that is said of a pod but its name. */
export function whyAndWhatInstead({ pod: _, ...why }: UnschedulableVerdict): WhyAndWhatInstead {
  return why;
}

/** Pods with the same reason are told once. */
function byReason<Entry extends { readonly pod: string }, Reason>(
  entries: readonly Entry[], reasonOf: (entry: Entry) => Reason, describe: (reason: Reason) => string[],
): string[] {
  const all = alikePods(entries, reasonOf);
  const left = all.slice(MOST_GROUPS).reduce((sum, [pods]) => sum + pods.length, 0);
  return [
    ...all.slice(0, MOST_GROUPS).flatMap(([pods, reason]) => [`  ${podsTitle(pods)}`, ...describe(reason)]),
    ...left > 0 ? [`  and ${plural(left, 'pod')} more: --format json lists them all`] : [],
  ];
}

/** Pods with the same reason, and the reason. */
export function alikePods<Entry extends { readonly pod: string }, Reason>(
  entries: readonly Entry[], reasonOf: (entry: Entry) => Reason,
): Array<readonly [pods: readonly string[], reason: Reason]> {
  const groups = new Map<string, [string[], Reason]>();
  for (const entry of entries) {
    const reason = reasonOf(entry);
    const key = JSON.stringify(reason);
    const known = groups.get(key);
    if (known) known[0].push(entry.pod); else groups.set(key, [[entry.pod], reason]);
  }
  return [...groups.values()];
}

export function podsTitle(pods: readonly string[]): string {
  return pods.length === 1 ? pods[0] : `${plural(pods.length, 'pod')}: ${summarisePods(pods)}`;
}

function describeReasons(reasons: UnschedulableVerdict['reasons']): string[] {
  if (reasons.length === 0) return ['    there is no NodePool that could be judged'];
  const groups = foldPools(reasons);
  const left = groups.slice(MOST_REASONS).flat().length;
  return [
    ...groups.slice(0, MOST_REASONS).flatMap(describeReason),
    ...left > 0 ? [`    and ${plural(left, 'NodePool')} more: --format json lists them all`] : [],
  ];
}

function describeReason([{ nodePool, message, diagnosis, elimination }, ...others]: readonly ReasonVerdict[]): string[] {
  return [
    `    ${nodePool === '' ? '' : `NodePool ${nodePool}: `}${message}`,
    ...diagnosis ? [`      ${diagnosis}`] : [],
    ...elimination.length > 0 ? [`      ${eliminationText(elimination)}`] : [],
    ...alikePoolsText(others.map((other) => other.nodePool)).map((line) => `      ${line}`),
  ];
}

function describeChange({ smallestChange, changesTried }: WhyAndWhatInstead): string[] {
  const text = changeText({ smallestChange, changesTried });
  return text === '' ? [] : [smallestChange === null ? `    ${text}` : `    → ${text}`];
}

/** What would help; empty where nothing was looked for. */
export function changeText({ smallestChange, changesTried }: Pick<UnschedulableVerdict, 'smallestChange' | 'changesTried'>): string {
  if (smallestChange !== null) return `${smallestChange}: with it every pod of the workload fits (${plural(changesTried, 'change')} tried)`;
  return changesTried === 0 ? '' : `none of the ${changesTried} changes tried helps`;
}
