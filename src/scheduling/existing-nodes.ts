import { Label, merge, Requirements, ResourceList, subtract, Taint, Toleration, untolerated } from '../model';
import { hostPortsOf, nodeRequests, nodeRequirements } from './node-facts';
import { withPod } from './pod-classes';
import { HostPort } from './pod-shape';
import { daemonVariants } from './relaxation';
import { DaemonSetSpec, ExistingNode, NodePoolSpec } from './schedule-input';

/** A node as the solver takes it. */
export interface NodeView {
  readonly node: ExistingNode;
  readonly requirements: Requirements;
  /** What is left for pods, once the daemonset pods that are still to come are there. May be negative. */
  readonly remaining: ResourceList;
  readonly hostPorts: readonly HostPort[];
}

/** Resources that stand for volumes of a CSI driver. */
const VOLUMES = 'volumes of ';

/** In the order in which Karpenter tries them: those ready to run pods first, then by name. */
export function nodeViews(nodes: readonly ExistingNode[], daemonSets: readonly DaemonSetSpec[]): NodeView[] {
  return inTrialOrder(nodes).map((at) => viewOf(nodes[at], daemonSets));
}

/** Their numbers, in that order. */
export function inTrialOrder(nodes: readonly ExistingNode[]): number[] {
  return nodes.map((_, at) => at).sort((left, right) => comesBefore(nodes[left], nodes[right]) ? -1 : 1);
}

export function comesBefore(node: ExistingNode, other: ExistingNode): boolean {
  return node.initialized === other.initialized ? node.name < other.name : node.initialized;
}

/** The same as long as the node and the daemonsets stay. */
export function viewOf(node: ExistingNode, daemonSets: readonly DaemonSetSpec[]): NodeView {
  const known = VIEWS.get(node);
  const isKnown = known?.daemonSets.length === daemonSets.length && known.daemonSets.every((daemonSet, at) => daemonSet === daemonSets[at]);
  if (isKnown) return known.view;
  const view = new LazyView(node, daemonSets);
  VIEWS.set(node, { daemonSets, view });
  return view;
}

/** Of a node that takes no pods nobody asks what is left of it. */
class LazyView implements NodeView {
  private own?: Requirements;
  private left?: ResourceList;

  public constructor(public readonly node: ExistingNode, private readonly daemonSets: readonly DaemonSetSpec[]) {}

  public get requirements(): Requirements {
    return this.own ??= nodeRequirements(this.node);
  }

  public get remaining(): ResourceList {
    return this.left ??= remaining(this.node, this.requirements, this.daemonSets);
  }

  public get hostPorts(): readonly HostPort[] {
    return hostPortsOf(this.node.pods);
  }
}

const VIEWS = new WeakMap<ExistingNode, { readonly daemonSets: readonly DaemonSetSpec[]; readonly view: NodeView }>();

/** Volumes as requests, so that a node runs out of them as of any resource. */
export function volumeRequests(volumes: ReadonlyMap<string, number>): ResourceList {
  return new Map([...volumes].map(([driver, count]) => [volumeResource(driver), BigInt(count)]));
}

export function volumeResource(driver: string): string {
  return VOLUMES + driver;
}

/** Limits that a new node does not have. */
export function isVolumeResource(resource: string): boolean {
  return resource.startsWith(VOLUMES);
}

/** What the pool's limits leave, after the nodes that it has. */
export function limitsLeft(pool: NodePoolSpec, nodes: readonly ExistingNode[]): ResourceList {
  if (pool.limits.size === 0) return new Map();
  const own = nodes.filter(({ labels, leaving }) => !leaving && labels[Label.NODE_POOL] === pool.name);
  const used = merge(...own.map(({ capacity }) => new Map([...capacity, ['nodes', 1n]])));
  return subtract(pool.limits, used);
}

/** Of all daemonsets that run on the node, their pods included as `pods`. */
export function daemonRequests({ taints }: ExistingNode, requirements: Requirements, daemonSets: readonly DaemonSetSpec[]): ResourceList {
  return merge(...daemonSets.filter((daemonSet) => runsOn(daemonSet, taints, requirements)).map(({ shape }) => withPod(shape.requests)));
}

interface Expected {
  readonly of: ExistingNode;
  readonly daemonSets: readonly DaemonSetSpec[];
  readonly requests: ResourceList;
}

const EXPECTED = new WeakMap<ExistingNode['labels'], Expected>();

/** Worked out again only where more of the node changes than its pods. */
function expectedRequests(node: ExistingNode, requirements: Requirements, daemonSets: readonly DaemonSetSpec[]): ResourceList {
  const known = EXPECTED.get(node.labels);
  if (known?.of.name === node.name && known.of.taints === node.taints && known.daemonSets === daemonSets) return known.requests;
  const requests = daemonRequests(node, requirements, daemonSets);
  EXPECTED.set(node.labels, { of: node, daemonSets, requests });
  return requests;
}

function remaining(node: ExistingNode, requirements: Requirements, daemonSets: readonly DaemonSetSpec[]): ResourceList {
  const { all, ofDaemonSets } = nodeRequests(node.pods);
  const expected = expectedRequests(node, requirements, daemonSets);
  const toCome = new Map([...subtract(expected, ofDaemonSets)].filter(([, amount]) => amount > 0n));
  const volumes = [...node.volumeLimits ?? []].map(([driver, limit]) => [volumeResource(driver), limit - attached(node, driver)] as const);
  const left = new Map(subtract(subtract(node.allocatable, all), toCome));
  for (const [name, count] of volumes) left.set(name, BigInt(Math.max(0, count)));
  // With more volumes than can be attached it takes no pod at all, not even one that has none.
  return volumes.some(([, count]) => count < 0) ? left.set('pods', 0n) : left;
}

function attached({ pods }: ExistingNode, driver: string): number {
  const mounted = pods.flatMap(({ shape: { mountedClaims = [] } }) => [...mountedClaims]);
  const claims = new Set(mounted.flatMap(([claim, of]) => of === driver ? [claim] : []));
  return pods.reduce((sum, { shape }) => sum + (shape.volumes?.get(driver) ?? 0), claims.size);
}

/**
 * Whether Kubernetes makes a pod of the daemonset for a node: any of its terms will do.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled
 */
export function comesTo(daemonSet: DaemonSetSpec, node: Pick<ExistingNode, 'name' | 'labels' | 'taints'>): boolean {
  const own = nodeRequirements(node);
  return daemonVariants(daemonSet).some(({ requirements, tolerations }) =>
    untolerated(node.taints, tolerations).length === 0 && own.compatible(requirements) === undefined);
}

/** For what Karpenter expects only the first term counts that the daemonset still has. */
function runsOn(daemonSet: DaemonSetSpec, taints: readonly Taint[], requirements: Requirements): boolean {
  const [first] = daemonVariants(daemonSet);
  const tolerations: readonly Toleration[] = daemonSet.shape.tolerations;
  return untolerated(taints, tolerations).length === 0 && requirements.compatible(first.requirements) === undefined;
}
