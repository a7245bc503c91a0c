import { Label, memoizeByIdentity } from '../../../model';
import { ExistingNode, PlannedNodeClaim, SettledFleet } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { ManifestDisruption } from '../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../manifest/model';
import { RuleContext } from '../rule';

/** The share of the settled fleets that have a placement before it is reported. */
const MOST_FLEETS = 0.75;

/** Pods of a workload on one existing or planned node. */
export interface Placement {
  readonly node: string;
  readonly nodePool?: string;
  readonly pods: number;
  /** How many of the pods already run on the node. */
  readonly running: number;
  /** Zones that the node is in or may be launched in; empty if unknown. */
  readonly zones: readonly string[];
  /** Capacity types that the node has or may have. */
  readonly capacityTypes: readonly string[];
  /** Present for a planned node. */
  readonly claim?: PlannedNodeClaim;
}

/**
 * Nodes that the workload's pods run on, or are planned on. Pods on a node that the input does not contain are left
 * out.
 */
export function placementsOf(context: RuleContext, workload: WorkloadManifest): readonly Placement[] {
  return placementLookup(context)(workload);
}

/**
 * Whether the pods of the workload are placed so in most settled fleets. Names and UIDs are random, so a finding about
 * the nodes of one fleet needs this. True if no fleets are settled. A trial judges one fleet.
 */
export function isPlacedSoInMostFleets(
  context: RuleContext,
  workload: WorkloadManifest,
  isPlacedSo: (placements: readonly Placement[]) => boolean,
): boolean {
  if (context.settled === undefined || context.isTrial) return true;
  const lookups = fleetLookups(context);
  const count = lookups.filter((placements) => isPlacedSo(placements(workload))).length;
  return count >= MOST_FLEETS * lookups.length;
}

/** Whether every pod has a node, including nodes that no NodePool would launch. */
export function allPodsHaveNodes(context: RuleContext, workload: WorkloadManifest): boolean {
  const { replicas, running = 0 } = workload;
  return (
    replicas > 0 &&
    placementsOf(context, workload).reduce((sum, placement) => sum + placement.pods - placement.running, running) >=
      replicas
  );
}

const placementLookup = memoizeByIdentity((context: RuleContext) => lookupIn(context, placementsByGroup(context)));

const fleetLookups = memoizeByIdentity((context: RuleContext) =>
  (context.settled?.fleets ?? []).map((fleet) => lookupIn(context, fleetPlacements(fleet))),
);

function lookupIn(context: RuleContext, byGroup: PlacementsByGroup) {
  const byPod = nodesByPod(context);
  return memoizeByIdentity((workload: WorkloadManifest) => {
    const running = [...(workload.runningPods ?? [])].flatMap(
      (name) => byPod.get(podKey(workload.namespace, name)) ?? [],
    );
    return mergedByNode([...running, ...podGroupIndices(workload).flatMap((group) => byGroup.get(group) ?? [])]);
  });
}

/** One placement for each node: pods of several groups and running pods are added up. */
function mergedByNode(placements: readonly Placement[]): readonly Placement[] {
  const byNode = new Map<string, Placement>();
  for (const placement of placements) {
    const before = byNode.get(placement.node);
    const [pods, running] = [placement.pods + (before?.pods ?? 0), placement.running + (before?.running ?? 0)];
    byNode.set(placement.node, { ...placement, pods, running });
  }
  return byNode.size === placements.length ? placements : [...byNode.values()];
}

/** Names of the NodePools whose nodes have or get pods of the workload, sorted. */
export function poolNamesOf(context: RuleContext, workload: WorkloadManifest): string[] {
  return [...new Set(placementsOf(context, workload).flatMap(({ nodePool }) => nodePool ?? []))].sort();
}

/** NodePools that have a terminationGracePeriod and run, or get, pods of the workload. */
export function poolsWithTerminationGrace(
  context: RuleContext,
  workload: WorkloadManifest,
  pools: ReadonlyMap<string, ManifestDisruption>,
): ManifestDisruption[] {
  return poolNamesOf(context, workload)
    .flatMap((name) => pools.get(name) ?? [])
    .filter(({ terminationGracePeriod }) => terminationGracePeriod !== undefined);
}

/** Workloads with pods on nodes of a NodePool, by its name. */
export const workloadsByPool = memoizeByIdentity(
  (context: RuleContext): ReadonlyMap<string, readonly WorkloadManifest[]> => {
    const byPool = new Map<string, WorkloadManifest[]>();
    for (const workload of context.model.workloads) {
      for (const name of poolNamesOf(context, workload)) {
        const workloads = byPool.get(name) ?? [];
        workloads.push(workload);
        byPool.set(name, workloads);
      }
    }
    return byPool;
  },
);

type PlacementsByGroup = ReadonlyMap<number, readonly Placement[]>;
type NodeFacts = Omit<Placement, 'pods' | 'running'>;

function placementsByGroup({ plan, input }: RuleContext): PlacementsByGroup {
  const nodes = new Map(input.nodes?.map((node) => [node.name, nodeFactsOf(node)]));
  const planned = plan.nodeClaims.map((claim) => {
    const { id, nodePool, zones, capacityTypes, groups } = claim;
    return { node: id, nodePool, zones, capacityTypes, claim, groups };
  });
  const filled = plan.filledNodes.map(({ node, groups }) => ({ ...nodes.get(node)!, groups }));
  return groupPlacements([...planned, ...filled]);
}

function fleetPlacements({ nodes }: SettledFleet): PlacementsByGroup {
  return groupPlacements(
    nodes.map(({ node, claim, offer, bound }) => {
      const facts = nodeFactsOf(node);
      const zones = offer ? [offer.zone] : facts.zones;
      return { ...facts, nodePool: claim?.nodePool ?? facts.nodePool, zones, claim, groups: bound };
    }),
  );
}

function nodeFactsOf({ name, labels }: ExistingNode): NodeFacts {
  const { [Label.NODE_POOL]: nodePool, [Label.ZONE]: zone, [Label.CAPACITY_TYPE]: capacityType } = labels;
  return { node: name, nodePool, zones: listOf(zone), capacityTypes: listOf(capacityType) };
}

/** A placement of one running pod, by `podKey`. */
function nodesByPod({ input, model }: RuleContext): ReadonlyMap<string, Placement> {
  if (!model.workloads.some(({ runningPods }) => runningPods)) return new Map();
  return new Map(
    (input.nodes ?? []).flatMap((node) => {
      const placement = { ...nodeFactsOf(node), pods: 1, running: 1 };
      return node.pods.map(({ namespace, name }) => [podKey(namespace, name), placement] as const);
    }),
  );
}

function podKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}

function groupPlacements(
  nodes: ReadonlyArray<NodeFacts & { readonly groups: ReadonlyMap<number, number> }>,
): PlacementsByGroup {
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
