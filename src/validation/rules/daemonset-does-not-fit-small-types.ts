import { formatAmount, Label } from '../../model';
import { DaemonSetSpec, matchingTypes } from '../../scheduling';
import { NearestMiss, nearestMiss, Room } from './private/nearest-miss';
import { allocatableOf, holds, shortages } from './private/node-fit';
import { fail, notEvaluated, pass } from './private/outcome';
import { commonRequirements, refusingTaint } from './private/pod-constraints';
import { Pool, PoolLaunch, poolsOf } from './private/pool';
import { amountsEvidence, count, describeAmounts, joinNames, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/**
 * Karpenter adds the daemonsets to the pods of every node that it plans, so it never launches a type that cannot hold them all. With
 * some types left this narrows the choice and no more; with none left the pool is dead.
 *
 * @see https://karpenter.sh/docs/faq/
 */
export class DaemonSetDoesNotFitSmallTypes implements Rule {
  public readonly id = 'KARP-302';
  public readonly name = 'daemonset-does-not-fit-small-types';
  public readonly severity = 'error';
  public readonly summary = 'The daemonsets of a NodePool together request more than some of its instance types hold: those types are never launched.';

  public check(context: RuleContext): Outcome[] {
    if (context.input.daemonSets.length === 0) {
      return [];
    }
    return poolsOf(context).flatMap((pool) => {
      if (pool.launch === undefined) {
        return [notEvaluated(pool.object, pool.why)];
      }
      return this.checkPool(context, pool, pool.launch);
    });
  }

  private checkPool({ input }: RuleContext, pool: Pool, launch: PoolLaunch): Outcome[] {
    const { view, table, indices } = launch;
    const burdened = indices.filter((_, position) => (view.daemonOverhead[position].get('pods') ?? 0n) > 0n);
    if (burdened.length === 0) {
      return [];
    }
    const small = indices.flatMap((index, position) =>
      holds(table, index, view.daemonOverhead[position]) ? [] : [{ pool, table, index, daemons: view.daemonOverhead[position] }]);
    // A type with a negative amount holds nothing at all, which is no fault of the daemonsets.
    const crowded = small.filter(({ index }) => holds(table, index));
    if (crowded.length === 0) {
      return [pass(pool.object)];
    }
    return [finding(pool, launch, crowded, input.daemonSets)];
  }
}

function finding(pool: Pool, { view }: PoolLaunch, crowded: readonly Room[], daemonSets: readonly DaemonSetSpec[]): Outcome {
  const miss = nearestMiss(crowded, new Map());
  const { room } = miss;
  const names = crowded.map(({ table, index }) => table.names[index]);
  const onRoom = daemonSets.filter((daemonSet) => runsOn(daemonSet, room)).map(({ name }) => name).sort();
  const dead = crowded.length === view.instanceTypes.length;
  return fail({
    object: pool.object,
    path: ['spec', 'template', 'spec', 'requirements'],
    message: `${crowded.length} of ${count(view.instanceTypes.length, 'allowed instance type')} cannot hold the daemonsets (${someNames(names)}): `
      + `${dead ? 'Karpenter can launch nothing from this NodePool' : 'Karpenter never launches these'}; ${missText(miss, onRoom)}`,
    remedy: `raise the smallest size that the NodePool allows, for instance by ${joinNames(sizesShort(crowded).map((key) => `${key} Gt`))}, `
      + 'or lower the requests of the daemonsets',
    evidence: {
      instanceTypes: names,
      allowed: view.instanceTypes.length,
      nearest: {
        instanceType: room.table.names[room.index],
        daemonSets: onRoom,
        requests: amountsEvidence(room.daemons),
        allocatable: amountsEvidence(allocatableOf(room.table, room.index)),
      },
    },
    severity: dead ? undefined : 'warning',
  });
}

/** The labels that tell the types with too little from the others: few CPUs may come with much memory. */
function sizesShort(crowded: readonly Room[]): string[] {
  const short = crowded.map(({ table, index, daemons }) => shortages(table, index, daemons).map(({ resource }) => resource));
  return [
    ...short.some((resources) => resources.includes('cpu')) ? [Label.INSTANCE_CPU] : [],
    ...short.some((resources) => !resources.includes('cpu')) ? [Label.INSTANCE_MEMORY] : [],
  ];
}

function missText({ room, shortages: missing }: NearestMiss, daemonSets: readonly string[]): string {
  const resources = missing.map(({ resource }) => resource);
  const allocatable = new Map(missing.map((shortage) => [shortage.resource, shortage.allocatable]));
  const short = missing.map(({ resource, missing: amount }) => `${formatAmount(resource, amount)} of ${resource}`);
  return `on ${room.table.names[room.index]}, ${count(daemonSets.length, 'daemonset')} (${someNames(daemonSets)}) request `
    + `${describeAmounts(resources, room.daemons)} with ${describeAmounts(resources, allocatable)} allocatable, short by ${joinNames(short)}`;
}

function runsOn({ shape }: DaemonSetSpec, { pool, table, index }: Room): boolean {
  return refusingTaint(shape, pool.spec!.taints) === undefined
    && commonRequirements(shape, pool).some((requirements) => matchingTypes(table, requirements, [index]).length > 0);
}
