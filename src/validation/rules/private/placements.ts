import { Label } from '../../../model';
import { PlannedNodeClaim } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { groupsOf } from '../../schedule-input';
import { RuleContext } from '../rule';

/** Pods of a workload on a node that is there already, or is planned. */
export interface Placement {
  readonly node: string;
  readonly nodePool?: string;
  readonly pods: number;
  /** Where the node is, or may be; empty where that is not known. */
  readonly zones: readonly string[];
  /** Those that the node has, or may have. */
  readonly capacityTypes: readonly string[];
  /** Of a planned node. */
  readonly claim?: PlannedNodeClaim;
}

/** Where the plan has the pods of a workload; those that run already are not in it. */
export function placementsOf(context: RuleContext, workload: WorkloadManifest): readonly Placement[] {
  return placementsIn(context)(workload);
}

/** Whether there is a node for each of its pods, be it one that no NodePool would launch. */
export function haveNodes(context: RuleContext, workload: WorkloadManifest): boolean {
  const { replicas, running = 0 } = workload;
  return replicas > 0 && placementsOf(context, workload).reduce((sum, { pods }) => sum + pods, running) >= replicas;
}

const placementsIn = oncePer((context: RuleContext) => {
  const byGroup = placementsByGroup(context);
  return oncePer((workload: WorkloadManifest) => onNodes(groupsOf(workload).flatMap((group) => byGroup.get(group) ?? [])));
});

/** Pods of several groups on one node together. */
function onNodes(placements: readonly Placement[]): readonly Placement[] {
  const byNode = new Map<string, Placement>();
  for (const placement of placements) {
    const before = byNode.get(placement.node);
    byNode.set(placement.node, before ? { ...placement, pods: before.pods + placement.pods } : placement);
  }
  return byNode.size === placements.length ? placements : [...byNode.values()];
}

/** Names of the NodePools that the plan gives its pods to, sorted. */
export function poolNamesOf(context: RuleContext, workload: WorkloadManifest): string[] {
  return [...new Set(placementsOf(context, workload).flatMap(({ nodePool }) => nodePool ?? []))].sort();
}

/** The workloads that the plan gives nodes of each NodePool to, by its name. */
export const workloadsByPool = oncePer((context: RuleContext): ReadonlyMap<string, readonly WorkloadManifest[]> => {
  const byPool = new Map<string, WorkloadManifest[]>();
  for (const workload of context.model.workloads) {
    for (const name of poolNamesOf(context, workload)) {
      const own = byPool.get(name) ?? [];
      own.push(workload);
      byPool.set(name, own);
    }
  }
  return byPool;
});

type ByGroup = ReadonlyMap<number, readonly Placement[]>;

function placementsByGroup({ plan, input }: RuleContext): ByGroup {
  const labelsOf = new Map(input.nodes?.map(({ name, labels }) => [name, labels]));
  const planned = plan.nodeClaims.map((claim) => {
    const { id, nodePool, zones, capacityTypes, groups } = claim;
    return { node: id, nodePool, zones, capacityTypes, claim, groups };
  });
  const filled = plan.filledNodes.map(({ node, groups }) => {
    const { [Label.NODE_POOL]: nodePool, [Label.ZONE]: zone, [Label.CAPACITY_TYPE]: capacityType } = labelsOf.get(node) ?? {};
    return { node, nodePool, zones: listOf(zone), capacityTypes: listOf(capacityType), claim: undefined, groups };
  });
  return invert([...planned, ...filled]);
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}

function invert(nodes: ReadonlyArray<Omit<Placement, 'pods'> & { readonly groups: ReadonlyMap<number, number> }>): ByGroup {
  const byGroup = new Map<number, Placement[]>();
  for (const { groups, ...node } of nodes) {
    for (const [group, pods] of groups) {
      const placements = byGroup.get(group) ?? [];
      if (pods > 0) placements.push({ ...node, pods });
      byGroup.set(group, placements);
    }
  }
  return byGroup;
}
