import { changeFixes } from './change-fixes';
import { instanceStoreChanges } from './instance-stores';
import { LimitRaise, limitRaises } from './low-limits';
import { maxPodsChanges } from './max-pods';
import { podVolumeChanges } from './pod-volumes';
import { UnreadyPool, unreadyPools } from './unready-pools';
import { userDataLabelChanges } from './user-data-labels';
import { Label, memoizeByIdentity } from '../../model';
import {
  leftBehind,
  passesWithoutReasons,
  planOfPasses,
  PodShape,
  ScheduleInput,
  SmallestChange,
  smallestChanges,
} from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { ObjectFix } from '../manifest/edit/fix-of';

/** How the pods of a group would fit. */
export interface FittingChange extends SmallestChange {
  /**
   * The NodePool that the pods wait for. With another change in the description, they do not fit yet if it is ready.
   */
  readonly waitsFor?: UnreadyPool;
  /** Whether all pods of the group fit if only `waitsFor` is ready. */
  readonly isOnlyWaiting?: boolean;
  /** The change as edits of objects. @default - it cannot be written as such */
  readonly edits?: readonly ObjectFix[];
  /** The higher limits of a NodePool that are the change. */
  readonly raise?: LimitRaise;
}

/** The input of the last provisioning pass decides whether pods fit. */
export type LastPass = Pick<
  RuleContext,
  'model' | 'options' | 'input' | 'plan' | 'lastInput' | 'catalog' | 'isTrial' | 'objectionTo'
>;

/**
 * The smallest change with which unschedulable pods fit, by pod group. For pods that would fit if a NodePool were
 * ready, or that select only such NodePools, it is to fix that NodePool.
 *
 * Both rules and the verdict need it. It is memoized because each change that is tried takes runs of the solver.
 */
export const smallestFittingChanges = memoizeByIdentity((context: LastPass): ReadonlyMap<number, FittingChange> => {
  if (context.isTrial) return new Map();
  const waiting = waitingGroups(context);
  const pending = new Set(context.plan.unschedulable.map(({ group }) => group).filter((group) => !waiting.has(group)));
  const raises = limitRaises(context, pending).flatMap((raise) =>
    [...raise.groups].map((group): [number, FittingChange] => [
      group,
      { description: raise.description, tried: raise.tried, raise },
    ]),
  );
  const stores = instanceStoreChanges(context, pending);
  const labels = userDataLabelChanges(context, pending);
  const volumes = podVolumeChanges(context, new Set([...pending].filter((group) => !stores.has(group))));
  const known = new Map<number, FittingChange>([
    ...maxPodsChanges(context, pending),
    ...volumes,
    ...stores,
    ...raises,
    ...labels,
    ...waiting,
  ]);
  const others = new Set([...pending].filter((group) => !known.has(group)));
  const among = known.size === 0 ? undefined : others;
  const changes = others.size === 0 ? [] : smallestChangesWithEdits(context, among);
  return new Map<number, FittingChange>([...changes, ...known]);
});

/** The smallest changes that make nothing else worse, with the edits of the objects that they are. */
function smallestChangesWithEdits(
  context: LastPass,
  among: ReadonlySet<number> | undefined,
): Array<[number, FittingChange]> {
  const { input: firstInput, lastInput, catalog } = context;
  const edits = new Map<number, readonly ObjectFix[] | undefined>();
  // A typo is fixed in any case: what else is wrong then was wrong before.
  const objectionTo = (group: number, changed: ScheduleInput, isTypo: boolean) => {
    const fixes = changeFixes(context, lastInput, changed);
    const objection = fixes && !isTypo ? context.objectionTo?.(fixes) : undefined;
    edits.set(group, objection === undefined ? fixes : undefined);
    return objection;
  };
  const changes = smallestChanges(lastInput, catalog, among, {
    onTry: onTryOf(context),
    objectionTo,
    firstInput,
  });
  return [...changes].map(([group, change]) => [group, { ...change, edits: edits.get(group) }]);
}

function waitingGroups(context: LastPass): Map<number, FittingChange> {
  const { plan, lastInput, catalog } = context;
  const groups = new Set(plan.unschedulable.map(({ group }) => group));
  const unready = groups.size === 0 ? [] : unreadyPools(context);
  if (unready.length === 0) return new Map();
  const repaired = withRepairedPools(lastInput, unready);
  const passes = passesWithoutReasons(repaired, catalog);
  const { solved } = passes[passes.length - 1];
  if (solved.isBeyondBounds) return new Map();
  const left = leftBehind(solved);
  const { nodeClaims } = planOfPasses(passes);
  const waiting = new Map<number, FittingChange>();
  const stuck = new Map<number, UnreadyPool>();
  const onDevices = new Set<number>();
  const missing = unready.filter(({ remedy }) => remedy === undefined);
  for (const group of groups) {
    const { shape } = lastInput.pods[group];
    const used = new Set(nodeClaims.flatMap((claim) => ((claim.groups.get(group) ?? 0) > 0 ? [claim.nodePool] : [])));
    const pinned = pinnedPools(shape);
    // A wrong zone of one NodePool also counts for spreads over zones of pods in another one.
    const pool =
      unready.find(({ name }) => pinned?.includes(name)) ??
      unready.find(({ name }) => used.has(name)) ??
      (left.has(group) ? undefined : unready[0]);
    if (pool !== undefined && !left.has(group))
      waiting.set(group, { description: fixText(pool), tried: 1, waitsFor: pool, isOnlyWaiting: true });
    else if (pool !== undefined && pinned?.every((name) => missing.some((candidate) => candidate.name === name)))
      stuck.set(group, pool);
    else if (left.has(group) && [...shape.requests.keys()].some((resource) => resource.includes('/')))
      onDevices.add(group);
  }
  return new Map([...waiting, ...furtherChanges(context, { repaired, unready: missing, stuck, onDevices })]);
}

/** Pods that do not fit yet if the NodePools are ready. */
interface StuckGroups {
  /** The input with NodePools that are ready. */
  readonly repaired: ScheduleInput;
  readonly unready: readonly UnreadyPool[];
  /** Groups that select only NodePools that are not ready. */
  readonly stuck: ReadonlyMap<number, UnreadyPool>;
  /** Groups that request devices. They wait for a NodePool if the smallest change leads to it. */
  readonly onDevices: ReadonlySet<number>;
}

function furtherChanges(
  context: LastPass,
  { repaired, unready, stuck, onDevices }: StuckGroups,
): Map<number, FittingChange> {
  const { catalog } = context;
  const waiting = new Map<number, FittingChange>();
  const groups = new Set([...stuck.keys(), ...onDevices]);
  if (groups.size === 0) return waiting;
  const launched = new Map<number, UnreadyPool | undefined>();
  const objectionTo = (group: number, changed: ScheduleInput) => {
    if (!onDevices.has(group)) return undefined;
    const { nodeClaims } = planOfPasses(passesWithoutReasons(changed, catalog));
    const claim = nodeClaims.find((candidate) => (candidate.groups.get(group) ?? 0) > 0);
    launched.set(
      group,
      unready.find(({ name }) => name === claim?.nodePool),
    );
    return undefined;
  };
  const further = smallestChanges(repaired, catalog, groups, { onTry: onTryOf(context), objectionTo });
  for (const group of groups) {
    const change = further.get(group);
    const pool = stuck.get(group) ?? launched.get(group);
    if (pool === undefined) continue;
    const description = change?.description === undefined ? undefined : `${fixText(pool)}, and ${change.description}`;
    waiting.set(group, { description, tried: change?.tried ?? 0, waitsFor: pool, isOnlyWaiting: false });
  }
  return waiting;
}

function onTryOf({ options: { onProgress } }: LastPass): ((finished: number) => void) | undefined {
  return onProgress && ((done) => onProgress({ task: 'looking for changes with which pods fit, change', done }));
}

function fixText({ name, why, remedy }: UnreadyPool): string {
  return remedy ?? `fix NodePool ${name}, which launches no nodes because ${why}`;
}

function withRepairedPools(input: ScheduleInput, unready: readonly UnreadyPool[]): ScheduleInput {
  const names = new Set(unready.map(({ name }) => name));
  return {
    ...input,
    nodePools: [...input.nodePools.filter(({ name }) => !names.has(name)), ...unready.map(({ repaired }) => repaired)],
    nodeClasses: new Map([
      ...input.nodeClasses,
      ...unready.map(({ nodeClass }) => [nodeClass.name, nodeClass] as const),
    ]),
  };
}

/** The NodePools that a pod selects by name; undefined if it selects none. */
export function pinnedPools({ nodeSelector, requiredNodeAffinity }: PodShape): readonly string[] | undefined {
  if (nodeSelector[Label.NODE_POOL] !== undefined) return [nodeSelector[Label.NODE_POOL]];
  const terms = requiredNodeAffinity.map(
    ({ matchExpressions }) =>
      matchExpressions.find(({ key, operator }) => key === Label.NODE_POOL && operator === 'In')?.values,
  );
  return terms.length === 0 || terms.some((values) => values === undefined)
    ? undefined
    : terms.flatMap((values) => values!);
}
