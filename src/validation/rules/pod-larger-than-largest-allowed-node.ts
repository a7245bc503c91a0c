import { formatAmount, merge, ResourceList } from '../../model';
import { matchingTypes, PodShape } from '../../scheduling';
import { WorkloadManifest } from '../manifest/model';
import { groupsOf } from '../schedule-input';
import { findLargerType } from './private/larger-type';
import { largerVolume } from './private/larger-volume';
import { nearestMiss, NearestMiss, Room } from './private/nearest-miss';
import { holds } from './private/node-fit';
import { fail, notEvaluated, pass } from './private/outcome';
import { haveNodes } from './private/placements';
import { commonRequirements, refusingTaint, targetsOtherNodes, unresolvedConstraint } from './private/pod-constraints';
import { Pool, poolsOf } from './private/pool';
import { weightOf } from './private/without-pods';
import { amountsEvidence, describeAmounts, joinNames, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/**
 * The question is not whether the pod finds room now, but whether any node could ever hold it: the pool's limits, other pods, and
 * constraints between pods play no part.
 *
 * @see https://github.com/aws/karpenter-provider-aws/issues/5676
 */
export class PodLargerThanLargestAllowedNode implements Rule {
  public readonly id = 'KARP-301';
  public readonly name = 'pod-larger-than-largest-allowed-node';
  public readonly severity = 'error';
  public readonly summary = 'A pod requests more than an empty node of any instance type that its NodePools allow has left beside the daemonsets.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    const known = new Map<string, Candidates>();
    const placed = new Set(context.plan.nodeClaims.flatMap(({ groups }) => [...groups.keys()]));
    return context.model.workloads.flatMap((workload) => {
      const { shape } = workload;
      if (workload.kind === 'DaemonSet' || shape === undefined || targetsOtherNodes(workload)) {
        return [];
      }
      return groupsOf(workload).some((group) => placed.has(group)) || haveNodes(context, workload)
        ? [pass(workload.object)]
        : this.checkWorkload(context, workload, shape, candidatesOf(shape, pools, known));
    });
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest, shape: PodShape, { compatible, rooms }: Candidates): Outcome[] {
    const unknown = unresolvedConstraint(workload);
    if (unknown !== undefined) {
      return [notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
    }
    const requests = merge(shape.requests, new Map([['pods', 1n]]));
    if (rooms.some(({ table, index, daemons }) => holds(table, index, requests, daemons))) {
      return [pass(workload.object)];
    }
    const unusable = compatible.find(({ launch }) => launch === undefined);
    if (unusable !== undefined) {
      return [notEvaluated(workload.object, `NodePool ${unusable.name} may hold its pods: ${unusable.why}`)];
    }
    return rooms.length === 0 ? [] : [finding(context, workload, shape, requests, rooms)];
  }
}

/** Where a pod may run, whatever its size. */
interface Candidates {
  readonly compatible: readonly Pool[];
  readonly rooms: readonly Room[];
}

/** Worked out once for all pods with the same constraints: thousands of workloads often differ in size alone. */
function candidatesOf(shape: PodShape, pools: readonly Pool[], known: Map<string, Candidates>): Candidates {
  const key = JSON.stringify([shape.nodeSelector, shape.requiredNodeAffinity, shape.tolerations]);
  let found = known.get(key);
  if (found === undefined) {
    const compatible = pools.filter((pool) => accepts(pool, shape));
    found = { compatible, rooms: compatible.flatMap((pool) => roomsOf(pool, shape)) };
    known.set(key, found);
  }
  return found;
}

/** As far as it is known; what the pool launches is another question. */
function accepts(pool: Pool, shape: PodShape): boolean {
  return pool.spec === undefined || (refusingTaint(shape, pool.spec.taints) === undefined && commonRequirements(shape, pool).length > 0);
}

/** Every instance type of the pool that the pod may run on. */
function roomsOf(pool: Pool, shape: PodShape): Room[] {
  const { launch } = pool;
  if (launch === undefined) {
    return [];
  }
  const { table, indices, view } = launch;
  const allowed = new Set(commonRequirements(shape, pool).flatMap((requirements) => matchingTypes(table, requirements, indices)));
  return indices.flatMap((index, position) => allowed.has(index) ? [{ pool, table, index, daemons: view.daemonOverhead[position] }] : []);
}

function finding(
  { input, model }: RuleContext, workload: WorkloadManifest, shape: PodShape, requests: ResourceList, rooms: readonly Room[],
): Outcome {
  const { severity, note } = weightOf(model, workload);
  const miss = nearestMiss(rooms, requests);
  const instanceTypes = new Set(rooms.map(nameOf)).size;
  const resources = miss.shortages.map(({ resource }) => resource);
  const pools = [...new Set(rooms.map(({ pool }) => pool.name))].sort();
  const larger = findLargerType(miss.room, shape, requests);
  const volume = larger ? undefined : largerVolume(input.nodeClasses.get(miss.room.pool.spec!.nodeClass), miss, requests);
  return fail({
    object: workload.object,
    path: [...workload.podPath, 'containers'],
    message: `requests ${describeAmounts(resources, requests)} a pod, more than ${instanceTypes === 1 ? 'the one instance type' : `any of the ${instanceTypes} instance types`} `
      + `that NodePool ${joinNames(pools, 'or')} allows can hold: ${missText(miss)}${note}`,
    remedy: remedyOf(miss, requests, volume ?? (larger === undefined
      ? 'let a NodePool allow instance types that have them' : `let a NodePool allow a type that holds the pod, such as ${larger}`)),
    evidence: {
      requests: amountsEvidence(requests),
      nearest: {
        nodePool: miss.room.pool.name,
        instanceType: nameOf(miss.room),
        allocatable: amountsEvidence(new Map(miss.shortages.map(({ resource, allocatable }) => [resource, allocatable]))),
        daemonSets: amountsEvidence(miss.room.daemons),
        shortBy: amountsEvidence(new Map(miss.shortages.map(({ resource, missing }) => [resource, missing]))),
      },
      instanceTypes,
      largerType: larger ?? null,
    },
    severity,
  });
}

function missText({ room, shortages, absent }: NearestMiss): string {
  const short = joinNames(shortages.map(({ resource, missing }) => `${formatAmount(resource, missing)} of ${resource}`));
  if (absent.length > 0 && absent.length === shortages.length) {
    return `none of them has any ${joinNames(absent)}`;
  }
  const allocatable = new Map(shortages.map(({ resource, allocatable: amount }) => [resource, amount]));
  const taken = shortages.map(({ resource }) => resource).filter((resource) => (room.daemons.get(resource) ?? 0n) > 0n);
  const daemons = taken.length === 0 ? '' : `, of which daemonsets take ${describeAmounts(taken, room.daemons)}`;
  return `${nameOf(room)} comes nearest with ${describeAmounts([...allocatable.keys()], allocatable)} allocatable${daemons}; short by ${short}`;
}

function remedyOf({ shortages, absent }: NearestMiss, requests: ResourceList, allow: string): string {
  const reducible = shortages.filter(({ resource, missing }) =>
    !absent.includes(resource) && resource !== 'pods' && (requests.get(resource) ?? 0n) > missing);
  if (reducible.length < shortages.length) {
    return allow;
  }
  const trims = reducible.map(({ resource, missing }) => `${resource} to ${formatAmount(resource, requests.get(resource)! - missing)}`);
  return `${allow}, or lower the requests of ${someNames(trims)} or less`;
}

function nameOf({ table, index }: Room): string {
  return table.names[index];
}
