import { Placement, placementsOf } from './placements';
import { stageOf } from './simulated';
import { workloadKey } from '../../../disruption';
import { Label } from '../../../model';
import { WorkloadManifest } from '../../manifest/model';
import { RuleContext } from '../rule';

/** Where the pods of a workload are, those that run already among them; undefined where the cluster is too big to be looked through. */
export function withRunning(context: RuleContext, workload: WorkloadManifest): readonly Placement[] | undefined {
  const stage = stageOf(context);
  if (!stage) return undefined;
  const { namespace, kind, name } = workload;
  const planned = placementsOf(context, workload).filter(({ claim }) => claim);
  const names = new Set(context.plan.nodeClaims.map(({ id }) => id));
  const there = stage.cluster.nodes.filter((node) => !names.has(node.name)).map(({ name: node, labels, pods }): Placement => ({
    node,
    nodePool: labels[Label.NODE_POOL],
    pods: pods.filter(({ namespace: own, owner }) => owner && workloadKey(own, owner) === workloadKey(namespace, { kind, name })).length,
    zones: listOf(labels[Label.ZONE]),
    capacityTypes: listOf(labels[Label.CAPACITY_TYPE]),
  }));
  return [...there.filter(({ pods }) => pods > 0), ...planned];
}

/** Where the pods of a workload are that are known: those that run already among them, unless the cluster is too big to be looked through. */
export function knownPlacements(context: RuleContext, workload: WorkloadManifest): readonly Placement[] {
  const { running = 0 } = workload;
  return (running > 0 ? withRunning(context, workload) : undefined) ?? placementsOf(context, workload);
}

/** Names of the NodePools that these are of, sorted. */
export function knownPoolNames(context: RuleContext, workload: WorkloadManifest): string[] {
  return [...new Set(knownPlacements(context, workload).flatMap(({ nodePool }) => nodePool ?? []))].sort();
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}
