import { hostPortsOf, nodeRequests, nodeRequirements } from './node-facts';
import { merge, Requirements, ResourceList, subtract, Taint, untolerated } from '../../model';
import { withPod, HostPort } from '../input/pod-shape';
import { DaemonSetSpec, ExistingNode } from '../input/schedule-input';
import { daemonVariants } from '../pods/relaxation';

/** An existing node, as the solver uses it. */
export interface NodeView {
  readonly node: ExistingNode;
  readonly requirements: Requirements;
  /** The resources left for pods once its missing DaemonSet pods run. Amounts may be negative. */
  readonly remaining: ResourceList;
  readonly hostPorts: readonly HostPort[];
}

/** In the order in which Karpenter tries them: initialized nodes first, then by name. */
export function nodeViews(nodes: readonly ExistingNode[], daemonSets: readonly DaemonSetSpec[]): NodeView[] {
  const views = new NodeViews(daemonSets);
  return inTrialOrder(nodes).map((index) => views.get(nodes[index]));
}

/** The indices of the nodes in the order in which Karpenter tries them. */
export function inTrialOrder(nodes: readonly ExistingNode[]): number[] {
  return nodes.map((_, index) => index).sort((left, right) => (comesBefore(nodes[left], nodes[right]) ? -1 : 1));
}

export function comesBefore(left: ExistingNode, right: ExistingNode): boolean {
  return left.initialized === right.initialized ? left.name < right.name : left.initialized;
}

interface ExpectedDaemons {
  readonly node: ExistingNode;
  readonly requests: ResourceList;
}

/** Creates views of nodes, and keeps each while the object of the node lives. */
export class NodeViews {
  private readonly views = new WeakMap<ExistingNode, NodeView>();
  /** By labels, which stay the same object while only the pods of a node change. */
  private readonly expected = new WeakMap<ExistingNode['labels'], ExpectedDaemons>();

  public constructor(private readonly daemonSets: readonly DaemonSetSpec[]) {}

  public get(node: ExistingNode): NodeView {
    let view = this.views.get(node);
    if (view === undefined) {
      view = new LazyNodeView(node, (requirements) => this.expectedDaemonRequests(node, requirements));
      this.views.set(node, view);
    }
    return view;
  }

  private expectedDaemonRequests(node: ExistingNode, requirements: Requirements): ResourceList {
    const cached = this.expected.get(node.labels);
    if (cached?.node.name === node.name && cached.node.taints === node.taints) return cached.requests;
    const requests = daemonRequests(node, requirements, this.daemonSets);
    this.expected.set(node.labels, { node, requests });
    return requests;
  }
}

/** Computes its properties on first use: a node that takes no pods needs none of them. */
class LazyNodeView implements NodeView {
  private cachedRequirements?: Requirements;
  private cachedRemaining?: ResourceList;

  public constructor(
    public readonly node: ExistingNode,
    private readonly expectedDaemonRequests: (requirements: Requirements) => ResourceList,
  ) {}

  public get requirements(): Requirements {
    return (this.cachedRequirements ??= nodeRequirements(this.node));
  }

  public get remaining(): ResourceList {
    return (this.cachedRemaining ??= remainingResources(this.node, this.expectedDaemonRequests(this.requirements)));
  }

  public get hostPorts(): readonly HostPort[] {
    return hostPortsOf(this.node.pods);
  }
}

/** Prefix of the resources that stand for volumes of a CSI driver. */
const VOLUMES = 'volumes of ';

/** Volumes as requests, so that a node runs out of attachable volumes in the same way as out of any resource. */
export function volumeRequests(volumes: ReadonlyMap<string, number>): ResourceList {
  return new Map([...volumes].map(([driver, count]) => [volumeResource(driver), BigInt(count)]));
}

export function volumeResource(driver: string): string {
  return VOLUMES + driver;
}

/** Whether a resource stands for volumes. New nodes have no limit on those. */
export function isVolumeResource(resource: string): boolean {
  return resource.startsWith(VOLUMES);
}

/** The requests of all DaemonSets that run on the node, each pod counted as one of `pods`. */
export function daemonRequests(
  { taints }: ExistingNode,
  requirements: Requirements,
  daemonSets: readonly DaemonSetSpec[],
): ResourceList {
  return merge(
    ...daemonSets
      .filter((daemonSet) => isExpectedOn(daemonSet, taints, requirements))
      .map(({ shape }) => withPod(shape.requests)),
  );
}

function remainingResources(node: ExistingNode, expectedDaemons: ResourceList): ResourceList {
  const { all, ofDaemonSets } = nodeRequests(node.pods);
  const missingDaemons = new Map([...subtract(expectedDaemons, ofDaemonSets)].filter(([, amount]) => amount > 0n));
  const volumes = [...(node.volumeLimits ?? [])].map(
    ([driver, limit]) => [volumeResource(driver), limit - attachedVolumes(node, driver)] as const,
  );
  const remaining = new Map(subtract(subtract(node.allocatable, all), missingDaemons));
  for (const [resource, count] of volumes) remaining.set(resource, BigInt(Math.max(0, count)));
  // A node with more volumes than its limit takes no pod at all, not even one without volumes.
  return volumes.some(([, count]) => count < 0) ? remaining.set('pods', 0n) : remaining;
}

function attachedVolumes({ pods }: ExistingNode, driver: string): number {
  const mounted = pods.flatMap(({ shape: { mountedClaims = [] } }) => [...mountedClaims]);
  const claims = new Set(mounted.flatMap(([claim, claimDriver]) => (claimDriver === driver ? [claim] : [])));
  return pods.reduce((sum, { shape }) => sum + (shape.volumes?.get(driver) ?? 0), claims.size);
}

/**
 * Whether Kubernetes creates a pod of the DaemonSet for a node: one matching node affinity term is enough.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled
 */
export function runsOnNode(daemonSet: DaemonSetSpec, node: Pick<ExistingNode, 'name' | 'labels' | 'taints'>): boolean {
  const nodeSide = nodeRequirements(node);
  return daemonVariants(daemonSet).some(
    ({ requirements, tolerations }) =>
      untolerated(node.taints, tolerations).length === 0 && nodeSide.compatible(requirements) === undefined,
  );
}

/**
 * Whether Karpenter expects a pod of the DaemonSet on a node: it only uses the first node affinity term that the
 * DaemonSet still has.
 */
function isExpectedOn(daemonSet: DaemonSetSpec, taints: readonly Taint[], requirements: Requirements): boolean {
  const [first] = daemonVariants(daemonSet);
  return (
    untolerated(taints, daemonSet.shape.tolerations).length === 0 &&
    requirements.compatible(first.requirements) === undefined
  );
}

/**
 * The node with the pods of DaemonSets that use host ports. They run before the node is ready. The requests of all
 * DaemonSets are reserved from the launch on, but not their ports.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/state/statenode.go HostPortUsage
 */
export function withDaemonsOnHostPorts(node: ExistingNode, daemonSets: readonly DaemonSetSpec[]): ExistingNode {
  const missing = daemonSets.filter(
    (daemonSet) => daemonSet.shape.hostPorts?.length && runsOnNode(daemonSet, node) && !runsPodOf(daemonSet, node),
  );
  if (missing.length === 0) return node;
  const pods = missing.map(({ namespace, name, shape }) => ({ namespace, name, shape, daemon: true }));
  return { ...node, pods: [...node.pods, ...pods] };
}

function runsPodOf({ namespace, name }: DaemonSetSpec, { pods }: ExistingNode): boolean {
  return pods.some((pod) => pod.daemon && pod.namespace === namespace && pod.name === name);
}
