import { Requirements, ResourceList } from '../../model';
import { HostPort, PodShape, withPod } from '../input/pod-shape';
import { ExistingNode, NodePoolSpec, PodGroup, RunningPod, SchedulingSettings } from '../input/schedule-input';
import { PodVariant, variantsOf } from '../pods/relaxation';
import { SharedVolumes } from '../pods/shared-volumes';
import { TopologyGroups } from '../topology/topology-groups';

/** A variant with the numbers of the topology groups that constrain it. */
export interface ConstrainedVariant extends PodVariant {
  readonly topologies: readonly number[];
}

/** Pods that Karpenter cannot tell apart. Topology groups are numbered as in `ClassifiedPods.topologies`. */
export interface PodClass {
  /** The pod itself is counted as one of `pods`. */
  readonly requests: ResourceList;
  /** Whether nodes that only take pending pods refuse these pods. */
  readonly notPending: boolean;
  /** How many volumes only this pod mounts, by CSI driver. */
  readonly volumes: ReadonlyMap<string, number>;
  /** The volumes that other pods mount as well, as numbered by `ClassifiedPods.sharedVolumes`. */
  readonly sharedVolumes: readonly number[];
  readonly hostPorts?: readonly HostPort[];
  /** Requirements of the volumes on the node, ORed. */
  readonly volumeTopology: readonly Requirements[];
  /** The least relaxed variant first. */
  readonly variants: readonly ConstrainedVariant[];
  /** Topology groups that count these pods. */
  readonly counted: readonly number[];
  /** Inverse anti-affinity groups of other pods that select these pods. */
  readonly inverseAntiAffinity: readonly number[];
  /** Inverse anti-affinity groups of these pods. */
  readonly ownAntiAffinity: readonly number[];
}

export interface ClassifiedPods {
  readonly classes: readonly PodClass[];
  /** Per group: its class. */
  readonly classOf: readonly number[];
  readonly topologies: TopologyGroups;
  readonly sharedVolumes: SharedVolumes;
}

/** The part of a class that does not depend on requests and labels. Many classes share it. */
type Constraints = Omit<PodClass, 'requests' | 'counted' | 'inverseAntiAffinity'>;

/** Everything besides the pending pods that classes depend on. */
export interface ClassificationContext {
  /** Labels by namespace. */
  readonly namespaces?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly nodes?: readonly ExistingNode[];
  /**
   * Pods of the batch that are given up as soon as their turn comes. Their anti-affinity still applies to the others.
   * @default - none
   */
  readonly unscheduledPods?: readonly PodGroup[];
  /** @default - the volumes that pods of the batch and of the nodes share */
  readonly sharedVolumes?: SharedVolumes;
}

/** Groups equal pods into classes. Labels only matter if a topology group selects pods by them. */
export function classify(
  groups: readonly PodGroup[],
  pools: readonly NodePoolSpec[],
  settings: SchedulingSettings,
  {
    namespaces = new Map(),
    nodes = [],
    unscheduledPods = [],
    sharedVolumes = new SharedVolumes(groups, nodes),
  }: ClassificationContext = {},
): ClassifiedPods {
  const toleratesPreferNoSchedule = pools.some((pool) =>
    pool.taints.some((taint) => taint.effect === 'PreferNoSchedule'),
  );
  const running = distinctPods(nodes);
  const topologies = new TopologyGroups(withPodNamespaces([...groups, ...unscheduledPods, ...running], namespaces));
  for (const pod of [...running, ...unscheduledPods])
    for (const topology of topologies.inverseAntiAffinityOf(pod)) topologies.initial.add(topology);
  const identities = groups.map((group) => constraintIdentity(group, sharedVolumes));
  const constraints = new Map<string, Constraints>();
  groups.forEach((group, index) => {
    if (constraints.has(identities[index])) return;
    constraints.set(
      identities[index],
      constraintsOf(group, toleratesPreferNoSchedule, settings, topologies, sharedVolumes),
    );
  });
  const selections = new SelectionCache(topologies);
  const classes: PodClass[] = [];
  const numbers = new Map<string, number>();
  const classOf = groups.map((group, index) => {
    const selecting = selections.get(group);
    const key = `${requestsIdentity(group.shape)} ${identities[index]} ${selecting.join(' ')}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = classes.length;
      numbers.set(key, number);
      classes.push(classFrom(group, constraints.get(identities[index])!, selecting, topologies));
    }
    return number;
  });
  return { classes, classOf, topologies, sharedVolumes };
}

/** Hot path for its readers: all properties are written out, so that every class has the same hidden class. */
function classFrom(
  { shape }: PodGroup,
  constraints: Constraints,
  selecting: readonly number[],
  topologies: TopologyGroups,
): PodClass {
  const { volumes, sharedVolumes, hostPorts, volumeTopology, variants, ownAntiAffinity, notPending } = constraints;
  const isInverse = (topology: number) => topologies.groups[topology].inverseAntiAffinity;
  return {
    notPending,
    volumes,
    sharedVolumes,
    hostPorts,
    volumeTopology,
    variants,
    ownAntiAffinity,
    requests: withPod(shape.requests),
    counted: selecting.filter((topology) => !isInverse(topology)),
    inverseAntiAffinity: topologies.byKey(selecting.filter(isInverse)),
  };
}

/** One pod of each kind on the nodes. */
function distinctPods(nodes: readonly ExistingNode[]): RunningPod[] {
  const namespacesByShape = new Map<RunningPod['shape'], Set<string>>();
  const distinct: RunningPod[] = [];
  for (const { pods } of nodes) {
    for (const pod of pods) {
      const namespaces = namespacesByShape.get(pod.shape) ?? new Set();
      if (namespaces.has(pod.namespace)) continue;
      namespacesByShape.set(pod.shape, namespaces.add(pod.namespace));
      distinct.push(pod);
    }
  }
  return distinct;
}

/** All properties are written out, as in `classFrom`. */
function constrainedVariant(
  { requirements, strict, tolerations, nodeFilters, spread, affinity, antiAffinity }: PodVariant,
  topologies: readonly number[],
): ConstrainedVariant {
  return { requirements, strict, tolerations, nodeFilters, spread, affinity, antiAffinity, topologies };
}

function constraintsOf(
  group: PodGroup,
  toleratesPreferNoSchedule: boolean,
  settings: SchedulingSettings,
  topologies: TopologyGroups,
  sharedVolumes: SharedVolumes,
): Constraints {
  const variants = variantsOf(group.shape, toleratesPreferNoSchedule, settings).map((variant) =>
    constrainedVariant(variant, topologies.ofVariant(group, variant)),
  );
  for (const topology of variants[0].topologies) topologies.initial.add(topology);
  const ownAntiAffinity = topologies.inverseAntiAffinityOf(group);
  for (const topology of ownAntiAffinity) topologies.initial.add(topology);
  const { hostPorts, volumeTopology = [] } = group.shape;
  return {
    volumes: sharedVolumes.ownVolumes(group.shape),
    sharedVolumes: sharedVolumes.of(group.shape),
    hostPorts,
    volumeTopology: volumeTopology.map((specs) => Requirements.from(specs)),
    variants,
    ownAntiAffinity,
    notPending: group.notPending === true,
  };
}

/** The topology groups that select a pod, by namespace and labels. */
class SelectionCache {
  private readonly entries = new Map<string, readonly number[]>();

  public constructor(private readonly topologies: TopologyGroups) {}

  public get(group: PodGroup): readonly number[] {
    if (this.topologies.groups.length === 0) return [];
    const key = `${group.namespace} ${sortedText(Object.entries(group.shape.labels ?? {}))}`;
    let selecting = this.entries.get(key);
    if (selecting === undefined) {
      selecting = this.topologies.selecting(group);
      this.entries.set(key, selecting);
    }
    return selecting;
  }
}

/** Adds the label that Kubernetes sets on every namespace: its name. */
function withPodNamespaces(
  pods: ReadonlyArray<{ readonly namespace: string }>,
  namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>,
) {
  const names = new Set([...pods.map(({ namespace }) => namespace), ...namespaceLabels.keys()]);
  return new Map(
    [...names].map((name) => [name, { ...namespaceLabels.get(name), 'kubernetes.io/metadata.name': name }] as const),
  );
}

/**
 * A text that is equal for pods with the same constraints. Hot path: it is built for every pod, so absent constraints
 * are left out. Constraints between pods apply within a namespace, and may refer to labels.
 */
function constraintIdentity({ namespace, shape, notPending }: PodGroup, sharedVolumes: SharedVolumes): string {
  const { topologySpread = [], podAffinity, podAntiAffinity } = shape;
  const ownConstraints = `${notPending ? 'moving ' : ''}${nodeConstraints(shape, sharedVolumes)}`;
  if (topologySpread.length === 0 && !podAffinity && !podAntiAffinity) return ownConstraints;
  const matchedLabels = topologySpread
    .flatMap(({ matchLabelKeys = [] }) => matchLabelKeys)
    .map((key) => [key, shape.labels?.[key] ?? null]);
  return `${ownConstraints} ${JSON.stringify([namespace, topologySpread, podAffinity ?? null, podAntiAffinity ?? null, matchedLabels])}`;
}

function requestsIdentity({ requests }: PodShape): string {
  return sortedText(requests);
}

/** The entries as text, in the order of their keys. Fast path: most lists are sorted already. */
function sortedText(entries: Iterable<readonly [string, unknown]>): string {
  let text = '';
  let previousKey = '';
  for (const [key, value] of entries) {
    if (key < previousKey)
      return [...entries]
        .sort(byKey)
        .map(([name, sortedValue]) => `${name}=${String(sortedValue)},`)
        .join('');
    text += `${key}=${String(value)},`;
    previousKey = key;
  }
  return text;
}

function nodeConstraints(shape: PodShape, sharedVolumes: SharedVolumes): string {
  if (isUnconstrained(shape)) return '';
  const lists = [
    Object.entries(shape.nodeSelector).sort(byKey),
    shape.requiredNodeAffinity,
    shape.preferredNodeAffinity,
    shape.tolerations,
    shape.hostPorts ?? [],
    shape.volumeTopology ?? [],
    [...sharedVolumes.ownVolumes(shape)].sort(byKey),
    sharedVolumes.of(shape),
  ];
  return `${lists.map((list) => (list.length === 0 ? '' : JSON.stringify(list))).join(' ')}`;
}

function isUnconstrained(shape: PodShape): boolean {
  const { nodeSelector, requiredNodeAffinity, preferredNodeAffinity, tolerations } = shape;
  return (
    requiredNodeAffinity.length +
      preferredNodeAffinity.length +
      tolerations.length +
      Object.keys(nodeSelector).length ===
      0 &&
    !shape.hostPorts?.length &&
    !shape.volumeTopology?.length &&
    !shape.volumes?.size &&
    !shape.mountedClaims?.size
  );
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
