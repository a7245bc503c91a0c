import { InstanceTypeTable } from '../catalog';
import { DO_NOT_DISRUPT } from '../contract';
import { Label } from '../model';
import { poolTables } from '../scheduling';
import { Cluster, ClusterNode, ClusterPod, Instant } from './cluster';
import { rescheduleCost } from './costs';
import { blockingLimits, PodLimits } from './pdb';
import { hasProtection, isDisruptable, podKey, reschedulable } from './pod-eviction';
import { nodePrice, priceTables } from './prices';

/** A node that may be disrupted, with what that would save and cost. */
export interface Candidate {
  readonly node: ClusterNode;
  readonly nodePool: string;
  /** Absent where the node class no longer offers it. */
  readonly instanceType?: string;
  /** USD per hour; 0 where it is not known. */
  readonly price: number;
  readonly rescheduleCost: number;
  readonly reschedulable: readonly ClusterPod[];
}

/** A node that is left alone, and why, in Karpenter's own words. */
export interface Blocked {
  readonly node: string;
  readonly why: string;
}

/** How a node may be disrupted: drift ends what a PodDisruptionBudget keeps, once the node's terminationGracePeriod is over. */
export type DisruptionClass = 'graceful' | 'eventual' | 'repair';

/** A moment of a cluster, with what is worked out once for all its nodes. */
export interface Scene {
  readonly cluster: Cluster;
  readonly now: Instant;
  readonly limits: PodLimits;
  /** By NodePool. */
  readonly tables: ReadonlyMap<string, InstanceTypeTable>;
  /** By NodePool, for nodes that run. */
  readonly prices: ReadonlyMap<string, InstanceTypeTable>;
}

export function sceneOf(cluster: Cluster, now: Instant): Scene {
  const { tables } = poolTables(cluster.scheduling, cluster.catalog);
  return { cluster, now, limits: new PodLimits(cluster), tables, prices: priceTables(cluster) };
}

interface Found {
  readonly candidates: readonly Candidate[];
  readonly blocked: readonly Blocked[];
}

/**
 * The nodes that may be disrupted at all, by what is on them, and what keeps the others.
 *
 * @param nodes those that are looked at
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/types.go
 */
export function findCandidates(scene: Scene, disruptionClass: DisruptionClass, nodes = scene.cluster.nodes): Found {
  if (nodes !== scene.cluster.nodes) return lookAt(nodes, scene, disruptionClass);
  const known = FOUND.get(scene) ?? new Map<DisruptionClass, Found>();
  FOUND.set(scene, known);
  const found = known.get(disruptionClass) ?? lookAt(nodes, scene, disruptionClass);
  known.set(disruptionClass, found);
  return found;
}

/** Several methods look at the same moment. */
const FOUND = new WeakMap<Scene, Map<DisruptionClass, Found>>();

function lookAt(nodes: readonly ClusterNode[], scene: Scene, disruptionClass: DisruptionClass): Found {
  const candidates: Candidate[] = [];
  const blocked: Blocked[] = [];
  for (const node of nodes) {
    const why = nodeBlock(node, scene, disruptionClass) ?? podBlock(node, scene, disruptionClass);
    if (why === undefined) candidates.push(candidateOf(node, scene));
    else blocked.push({ node: node.name, why });
  }
  return { candidates, blocked };
}

/** A candidate as it is by now; undefined where its node goes already, or has gone. */
export function stillThere(candidate: Candidate, scene: Scene): Candidate | undefined {
  const { nodes } = scene.cluster;
  const { node: { name } } = candidate;
  // Most are the same objects as before, and these are found sooner than their names.
  const node = nodes.includes(candidate.node) ? candidate.node : nodes.find((each) => each.name === name);
  return node === undefined || node.deleting ? undefined : candidateOf(node, scene);
}

/** The same as long as the node and the instance types stay. */
function candidateOf(node: ClusterNode, scene: Scene): Candidate {
  const known = CANDIDATES.get(node);
  if (known?.tables === scene.tables && known.prices === scene.prices) return known.candidate;
  const candidate = newCandidate(node, scene);
  CANDIDATES.set(node, { tables: scene.tables, prices: scene.prices, candidate });
  return candidate;
}

const CANDIDATES = new WeakMap<ClusterNode, Pick<Scene, 'tables' | 'prices'> & { readonly candidate: Candidate }>();

function newCandidate(node: ClusterNode, { tables, prices }: Scene): Candidate {
  const nodePool = node.labels[Label.NODE_POOL];
  const table = tables.get(nodePool)!;
  const type = table.names.indexOf(node.labels[Label.INSTANCE_TYPE] ?? '');
  return {
    node,
    nodePool,
    ...(type < 0 ? {} : { instanceType: table.names[type] }),
    price: nodePrice(node, prices.get(nodePool)!),
    rescheduleCost: rescheduleCost(node),
    reschedulable: reschedulable(node.pods),
  };
}

function nodeBlock(node: ClusterNode, { cluster, now, tables }: Scene, disruptionClass: DisruptionClass): string | undefined {
  const isRepair = disruptionClass === 'repair';
  if (!node.claim) return "node isn't managed by karpenter";
  if (node.claimOnly) return 'nodeclaim does not have an associated node';
  if (node.deleting || node.claim.instanceTerminating) return 'node is deleting or marked for deletion';
  if (!node.initialized && !(isRepair && node.registered !== false)) return `node isn't initialized${node.registered === false ? ' nor registered' : ''}`;
  if (node.initialized && node.nominatedUntil !== undefined && node.nominatedUntil > now) return 'node is nominated for a pending pod';
  if (!isRepair && node.annotations?.[DO_NOT_DISRUPT] === 'true') return `disruption is blocked through the "${DO_NOT_DISRUPT}" annotation`;
  const pool = node.labels[Label.NODE_POOL];
  if (pool === undefined) return `node doesn't have required label (label=${Label.NODE_POOL})`;
  return cluster.pools.has(pool) && tables.has(pool) ? undefined : `NodePool not found (NodePool=${pool})`;
}

function podBlock(node: ClusterNode, { now, limits }: Scene, disruptionClass: DisruptionClass): string | undefined {
  if (disruptionClass === 'repair') return undefined;
  if (disruptionClass === 'eventual' && node.claim?.terminationGracePeriod !== undefined) return undefined;
  if (!hasProtection(node.pods) && limits.areFree(node.pods)) return undefined;
  const kept = node.pods.find((pod) => !isDisruptable(pod, now));
  if (kept) return `pod has "${DO_NOT_DISRUPT}" annotation (Pod=${podKey(kept)})`;
  for (const pod of node.pods) {
    const keys = blockingLimits(limits, pod, now);
    if (keys.length > 1) return `eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${keys.join(' ')}])`;
    if (keys.length === 1) return `pdb prevents pod evictions (PodDisruptionBudget=[${keys[0]}])`;
  }
  return undefined;
}

/** Whether no pod on it is worth keeping its node for; it may well have pods. */
export function isEmpty({ rescheduleCost: cost }: Pick<Candidate, 'rescheduleCost'>): boolean {
  return cost <= 1;
}

/** Those that save most for what moving their pods costs come first; equal ones by name. */
export function bySavings(candidates: readonly Candidate[]): Candidate[] {
  const ratio = ({ price, rescheduleCost: cost }: Candidate) => price / cost;
  return [...candidates].sort((left, right) => ratio(right) - ratio(left) || (left.node.name < right.node.name ? -1 : 1));
}
