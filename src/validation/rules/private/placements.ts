import { Label } from '../../../model';
import { ExistingNode, PlannedNodeClaim } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { groupsOf } from '../../schedule-input';
import { RuleContext } from '../rule';

/** Pods of a workload on a node that is there already, or is planned. */
export interface Placement {
  readonly node: string;
  readonly nodePool?: string;
  readonly pods: number;
  /** How many of these run there already. */
  readonly running: number;
  /** Where the node is, or may be; empty where that is not known. */
  readonly zones: readonly string[];
  /** Those that the node has, or may have. */
  readonly capacityTypes: readonly string[];
  /** Of a planned node. */
  readonly claim?: PlannedNodeClaim;
}

/** Where the pods of a workload are, and where the plan has those to come. Of pods that run on a node that no file holds nothing is known. */
export function placementsOf(context: RuleContext, workload: WorkloadManifest): readonly Placement[] {
  return placementsIn(context)(workload);
}

/** Whether there is a node for each of its pods, be it one that no NodePool would launch. */
export function haveNodes(context: RuleContext, workload: WorkloadManifest): boolean {
  const { replicas, running = 0 } = workload;
  return replicas > 0 && placementsOf(context, workload).reduce((sum, placement) => sum + placement.pods - placement.running, running) >= replicas;
}

const placementsIn = oncePer((context: RuleContext) => {
  const byGroup = placementsByGroup(context);
  const byPod = nodesByPod(context);
  return oncePer((workload: WorkloadManifest) => {
    const there = [...workload.runningPods ?? []].flatMap((name) => byPod.get(podKey(workload.namespace, name)) ?? []);
    return onNodes([...there, ...groupsOf(workload).flatMap((group) => byGroup.get(group) ?? [])]);
  });
});

/** Pods of several groups on one node together, with those that run there. */
function onNodes(placements: readonly Placement[]): readonly Placement[] {
  const byNode = new Map<string, Placement>();
  for (const placement of placements) {
    const before = byNode.get(placement.node);
    const [pods, running] = [placement.pods + (before?.pods ?? 0), placement.running + (before?.running ?? 0)];
    byNode.set(placement.node, { ...placement, pods, running });
  }
  return byNode.size === placements.length ? placements : [...byNode.values()];
}

/** Names of the NodePools that its pods are on, or get nodes of, sorted. */
export function poolNamesOf(context: RuleContext, workload: WorkloadManifest): string[] {
  return [...new Set(placementsOf(context, workload).flatMap(({ nodePool }) => nodePool ?? []))].sort();
}

/** The workloads that are on nodes of each NodePool, or get some, by its name. */
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
  const nodes = new Map(input.nodes?.map((node) => [node.name, whereabouts(node)]));
  const planned = plan.nodeClaims.map((claim) => {
    const { id, nodePool, zones, capacityTypes, groups } = claim;
    return { node: id, nodePool, zones, capacityTypes, claim, groups };
  });
  const filled = plan.filledNodes.map(({ node, groups }) => ({ ...nodes.get(node)!, groups }));
  return invert([...planned, ...filled]);
}

type Whereabouts = Omit<Placement, 'pods' | 'running'>;

function whereabouts({ name, labels }: ExistingNode): Whereabouts {
  const { [Label.NODE_POOL]: nodePool, [Label.ZONE]: zone, [Label.CAPACITY_TYPE]: capacityType } = labels;
  return { node: name, nodePool, zones: listOf(zone), capacityTypes: listOf(capacityType) };
}

/** One pod that runs each. */
function nodesByPod({ input, model }: RuleContext): ReadonlyMap<string, Placement> {
  if (!model.workloads.some(({ runningPods }) => runningPods)) return new Map();
  return new Map((input.nodes ?? []).flatMap((node) => {
    const placement = { ...whereabouts(node), pods: 1, running: 1 };
    return node.pods.map(({ namespace, name }) => [podKey(namespace, name), placement] as const);
  }));
}

function podKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}

function invert(nodes: ReadonlyArray<Whereabouts & { readonly groups: ReadonlyMap<number, number> }>): ByGroup {
  const byGroup = new Map<number, Placement[]>();
  for (const { groups, ...node } of nodes) {
    for (const [group, pods] of groups) {
      const placements = byGroup.get(group) ?? [];
      if (pods > 0) placements.push({ ...node, pods, running: 0 });
      byGroup.set(group, placements);
    }
  }
  return byGroup;
}
