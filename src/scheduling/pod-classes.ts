import { Requirements, ResourceList } from '../model';
import { SharedClaims } from './claims-in-common';
import { constraintIdentity, joined, requestsIdentity } from './pod-identity';
import { HostPort } from './pod-shape';
import { PodVariant, variantsOf } from './relaxation';
import { ExistingNode, NodePoolSpec, PodGroup, RunningPod, SchedulingSettings } from './schedule-input';
import { TopologyGroups } from './topology-groups';

/** A variant with the topology groups that constrain it. */
export interface ConstrainedVariant extends PodVariant {
  readonly topologies: readonly number[];
}

/** Pods that Karpenter cannot tell apart. */
export interface PodClass {
  /** With the pod itself as one of `pods`. */
  readonly requests: ResourceList;
  /** Kept from nodes that are settling. */
  readonly moving: boolean;
  /** By CSI driver: those of its own. */
  readonly volumes: ReadonlyMap<string, number>;
  /** Those that it shares, as `ClassifiedPods.sharedClaims` numbers them. */
  readonly sharedClaims: readonly number[];
  readonly hostPorts?: readonly HostPort[];
  /** What the volumes need of the node, ORed. */
  readonly volumeTopology: readonly Requirements[];
  /** Least relaxed first. */
  readonly variants: readonly ConstrainedVariant[];
  /** Topology groups that count these pods. */
  readonly counted: readonly number[];
  /** Anti-affinity of other pods that keeps these away. */
  readonly guards: readonly number[];
  /** Anti-affinity by which these keep others away. */
  readonly inverse: readonly number[];
}

export interface ClassifiedPods {
  readonly classes: readonly PodClass[];
  /** Per group: its class. */
  readonly classOf: readonly number[];
  readonly topologies: TopologyGroups;
  readonly sharedClaims: SharedClaims;
}

/** What constrains a pod whatever its size: few differ in this, so it is worked out once for all that are alike. */
type Constraints = Omit<PodClass, 'requests' | 'counted' | 'guards'>;

/** What is there besides the pods to come. */
export interface Surroundings {
  /** Labels by namespace. */
  readonly namespaces?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly nodes?: readonly ExistingNode[];
  /** Pods of the batch that are given up as soon as their turn comes: what they keep away is known all the same. @default - none */
  readonly bystanders?: readonly PodGroup[];
  /** @default - those that pods of the batch and of the nodes have in common */
  readonly sharedClaims?: SharedClaims;
}

/** Classes of equal pods. Labels tell pods apart only as far as some topology group selects by them. */
export function classify(
  groups: readonly PodGroup[], pools: readonly NodePoolSpec[], settings: SchedulingSettings,
  { namespaces = new Map(), nodes = [], bystanders = [], sharedClaims = new SharedClaims(groups, nodes) }: Surroundings = {},
): ClassifiedPods {
  const tolerable = pools.some((pool) => pool.taints.some((taint) => taint.effect === 'PreferNoSchedule'));
  const running = distinctPods(nodes);
  const topologies = new TopologyGroups(withPodNamespaces([...groups, ...bystanders, ...running], namespaces));
  for (const pod of [...running, ...bystanders]) for (const topology of topologies.inverseOf(pod)) topologies.initial.add(topology);
  const identities = groups.map((group) => constraintIdentity(group, sharedClaims));
  const constraints = new Map<string, Constraints>();
  groups.forEach((group, at) => {
    if (!constraints.has(identities[at])) constraints.set(identities[at], constraintsOf(group, tolerable, settings, topologies, sharedClaims));
  });
  const selections = new SelectionMemo(topologies);
  const classes: PodClass[] = [];
  const numbers = new Map<string, number>();
  const classOf = groups.map((group, at) => {
    const selected = selections.of(group);
    const key = `${requestsIdentity(group.shape)} ${identities[at]} ${selected.join(' ')}`;
    let found = numbers.get(key);
    if (found === undefined) {
      found = classes.length;
      numbers.set(key, found);
      const inverse = (topology: number) => topologies.groups[topology].inverse;
      // Asked for again and again: written out, all have one hidden class.
      const { volumes, sharedClaims: claims, hostPorts, volumeTopology, variants, inverse: keepsAway, moving } = constraints.get(identities[at])!;
      classes.push({
        moving,
        volumes,
        sharedClaims: claims,
        hostPorts,
        volumeTopology,
        variants,
        inverse: keepsAway,
        requests: withPod(group.shape.requests),
        counted: selected.filter((topology) => !inverse(topology)),
        guards: selected.filter(inverse),
      });
    }
    return found;
  });
  return { classes, classOf, topologies, sharedClaims };
}

/** One of each kind of pod on the nodes. */
function distinctPods(nodes: readonly ExistingNode[]): RunningPod[] {
  const known = new Map<RunningPod['shape'], Set<string>>();
  const found: RunningPod[] = [];
  for (const { pods } of nodes) {
    for (const pod of pods) {
      const namespaces = known.get(pod.shape) ?? new Set();
      if (namespaces.has(pod.namespace)) continue;
      known.set(pod.shape, namespaces.add(pod.namespace));
      found.push(pod);
    }
  }
  return found;
}

export function withPod(requests: ResourceList): ResourceList {
  return new Map([...requests, ['pods', 1n]]);
}

/** Written out, as the classes are. */
function constrained(
  { requirements, strict, tolerations, nodeFilters, spread, affinity, antiAffinity }: PodVariant, topologies: readonly number[],
): ConstrainedVariant {
  return { requirements, strict, tolerations, nodeFilters, spread, affinity, antiAffinity, topologies };
}

function constraintsOf(
  group: PodGroup, tolerable: boolean, settings: SchedulingSettings, topologies: TopologyGroups, shared: SharedClaims,
): Constraints {
  const variants = variantsOf(group.shape, tolerable, settings).map((variant) => constrained(variant, topologies.ofVariant(group, variant)));
  for (const topology of variants[0].topologies) topologies.initial.add(topology);
  const inverse = topologies.inverseOf(group);
  for (const topology of inverse) topologies.initial.add(topology);
  const { hostPorts, volumeTopology = [] } = group.shape;
  const ofVolumes = volumeTopology.map((specs) => Requirements.from(specs));
  return {
    volumes: shared.ownVolumes(group.shape),
    sharedClaims: shared.of(group.shape),
    hostPorts,
    volumeTopology: ofVolumes,
    variants,
    inverse,
    moving: group.moving === true,
  };
}

/** The topology groups that select a pod, worked out once for each namespace and set of labels. */
class SelectionMemo {
  private readonly known = new Map<string, readonly number[]>();

  constructor(private readonly topologies: TopologyGroups) {}

  of(group: PodGroup): readonly number[] {
    if (this.topologies.groups.length === 0) return [];
    const key = `${group.namespace} ${joined(Object.entries(group.shape.labels ?? {}))}`;
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.topologies.selecting(group);
      this.known.set(key, found);
    }
    return found;
  }
}

/** Every namespace has its name as a label. */
function withPodNamespaces(groups: ReadonlyArray<{ readonly namespace: string }>, known: ReadonlyMap<string, Readonly<Record<string, string>>>) {
  const names = new Set([...groups.map(({ namespace }) => namespace), ...known.keys()]);
  return new Map([...names].map((name) => [name, { ...known.get(name), 'kubernetes.io/metadata.name': name }] as const));
}
