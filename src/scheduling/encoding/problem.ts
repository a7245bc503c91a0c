import { saturate } from './amounts';
import { encodeNodes, nodeSets, TaintSets } from './node-encoder';
import { ClassifiedPods, PodClass } from './pod-classes';
import { addPoolValues, encodePools, EncodingContext, templateSets } from './pool-encoder';
import { RequirementSets } from './requirement-sets';
import { encodeTopologies, registerTopologySets, startsOf, topologyDomains } from './topology-encoder';
import { Vocabulary } from './vocabulary';
import { PackerProblem } from '../../kernel';
import { Label, merge, ResourceList, Toleration, untolerated } from '../../model';
import { withPod } from '../input/pod-shape';
import { DaemonSetSpec, PodGroup, SchedulingSettings } from '../input/schedule-input';
import { PoolTemplate } from '../launch/pool-template';
import { NodeView, volumeRequests, volumeResource } from '../nodes/existing-nodes';
import { HostPorts } from '../pods/host-ports';
import { daemonVariants, PodVariant } from '../pods/relaxation';
import { unlaunchableDomains } from '../topology/launchable-domains';
import { domainsWithoutPods, initialCounts } from '../topology/running-counts';

/** The input of the solver: the pods in classes, and the pools in the order in which Karpenter tries them. */
export interface Workload {
  readonly templates: readonly PoolTemplate[];
  readonly daemonSets: readonly DaemonSetSpec[];
  /** The DaemonSets as they count on existing nodes. */
  readonly relaxedDaemonSets: readonly DaemonSetSpec[];
  readonly nodes: readonly NodeView[];
  readonly groups: readonly PodGroup[];
  readonly pods: ClassifiedPods;
  readonly settings: SchedulingSettings;
}

/**
 * The problem for the kernel, and the numbering that it uses: label values, requirement sets, taints, resources and
 * host ports.
 */
export interface EncodedProblem extends EncodingContext {
  readonly problem: PackerProblem;
  readonly taints: TaintSets;
  readonly ports: HostPorts;
}

/**
 * @param options.isIncremental whether queries add the nodes and their pods. The nodes of the workload then only add
 * the values that they name.
 */
export function encodeProblem(workload: Workload, { isIncremental = false } = {}): EncodedProblem {
  const { templates, daemonSets, nodes, pods } = workload;
  const vocabulary = new Vocabulary();
  const sets = new RequirementSets(vocabulary);
  const daemons = encodeDaemons(daemonSets, templates, sets);
  const taints = new TaintSets(
    templates,
    nodes,
    pods.classes.some(({ notPending: moving }) => moving),
  );
  const classes = encodeClasses(pods, taints, sets);
  registerTopologySets(pods, sets);
  const namesHosts = vocabulary.has(Label.HOSTNAME);
  templateSets(templates, { sets, namesHosts });
  const counts = isIncremental ? domainsWithoutPods(pods.topologies, nodes) : initialCounts(pods.topologies, nodes);
  const domains = topologyDomains(pods, templates, counts, vocabulary);
  const nodeSet = nodeSets(nodes, sets, vocabulary);
  addPoolValues(templates, vocabulary);
  const resources = requestedResources(workload);
  const ports = hostPorts(workload);
  vocabulary.finish(workload.settings.domainOrder === 'by-key' ? undefined : unlaunchableDomains(pods, templates));
  const starts = vocabulary.wordStarts();
  const { integers, isInteger } = vocabulary.integers(starts);
  const problem = {
    keyCount: vocabulary.keyCount,
    resourceCount: resources.length,
    keyWordStart: starts,
    keyValueCount: vocabulary.valueCounts(),
    keyWellKnown: vocabulary.wellKnown(),
    valueInteger: integers,
    valueIsInteger: isInteger,
    ...encodePools(templates, { vocabulary, sets, resources, namesHosts }),
    ...sets.encode(starts),
    reservedFallback: fallbackFlag(workload.settings),
    tieSeed: workload.settings.tieSeed ?? 0,
    minValuesBestEffort: workload.settings.minValuesPolicy === 'BestEffort' ? 1 : 0,
    ...daemons,
    daemonRequests: vectors(
      daemonSets.map(({ shape }) => withPod(shape.requests)),
      resources,
    ),
    ...classes,
    ...encodeSharedVolumes(workload, resources),
    classRequests: vectors(pods.classes.map(requestsOf), resources),
    portWords: ports.words,
    daemonPorts: ports.encode(daemonSets.map(({ shape }) => shape.hostPorts)),
    classPorts: ports.encode(pods.classes.map((podClass) => podClass.hostPorts)),
    classPortConflicts: ports.encodeConflicts(pods.classes.map((podClass) => podClass.hostPorts)),
    taintSetCount: taints.count,
    ...encodeNodes(isIncremental ? [] : nodes, nodeSet, taints, resources, ports),
    ...encodeTopologies(pods, taints, domains, counts, vocabulary, starts, sets),
    ...encodeQueue(workload),
  };
  return { problem, vocabulary, sets, resources, namesHosts, taints, ports };
}

/** 1 if a pod does not wait for reservations that other claims hold. */
export function fallbackFlag({ reservedOfferings }: SchedulingSettings): number {
  return reservedOfferings === 'Fallback' ? 1 : 0;
}

function hostPorts({ daemonSets, nodes, pods }: Workload): HostPorts {
  const ports = new HostPorts();
  for (const { shape } of daemonSets) ports.add(shape.hostPorts);
  for (const node of nodes) ports.add(node.hostPorts);
  for (const podClass of pods.classes) ports.add(podClass.hostPorts);
  return ports;
}

function requestsOf({ requests, volumes }: PodClass): ResourceList {
  return volumes.size === 0 ? requests : merge(requests, volumeRequests(volumes));
}

/** Only requested resources can run out. */
function requestedResources({ daemonSets, pods }: Workload): string[] {
  const names = new Set(['pods', ...pods.sharedVolumes.drivers.map(volumeResource)]);
  for (const requests of [...pods.classes.map(requestsOf), ...daemonSets.map(({ shape }) => shape.requests)]) {
    for (const [resource, amount] of requests) if (amount > 0n) names.add(resource);
  }
  return [...names].sort();
}

function vectors(lists: readonly ResourceList[], resources: readonly string[]): BigInt64Array {
  return BigInt64Array.from(lists.flatMap((list) => resources.map((resource) => saturate(list.get(resource) ?? 0n))));
}

function tolerance(tolerations: readonly Toleration[], templates: readonly PoolTemplate[]): number[] {
  return templates.map(({ pool }) => (untolerated(pool.taints, tolerations).length === 0 ? 1 : 0));
}

function encodeDaemons(
  daemonSets: readonly DaemonSetSpec[],
  templates: readonly PoolTemplate[],
  sets: RequirementSets,
) {
  const variants = daemonSets.map(daemonVariants);
  return {
    daemonCount: daemonSets.length,
    daemonVariantStart: startsOf(variants),
    daemonVariantSet: Int32Array.from(variants.flat(), ({ requirements }) => sets.number(requirements)),
    daemonTolerates: Uint8Array.from(variants.flatMap(([first]) => tolerance(first.tolerations, templates))),
  };
}

function encodeClasses({ classes }: ClassifiedPods, taints: TaintSets, sets: RequirementSets) {
  const variants = classes.map((podClass) => podClass.variants);
  const all = variants.flat();
  return {
    classCount: classes.length,
    classVariantStart: startsOf(variants),
    variantSet: Int32Array.from(all, ({ requirements }) => sets.number(requirements)),
    variantTolerates: Uint8Array.from(
      classes.flatMap(({ variants: own, notPending: moving }) =>
        own.flatMap(({ tolerations }: PodVariant) => taints.row(tolerations, moving)),
      ),
    ),
    classVolumeStart: startsOf(classes.map(({ volumeTopology }) => volumeTopology)),
    classVolumeSets: Int32Array.from(
      classes.flatMap(({ volumeTopology }) => volumeTopology),
      (requirements) => sets.number(requirements),
    ),
  };
}

function encodeSharedVolumes(
  { pods: { classes, sharedVolumes: sharedClaims }, nodes }: Workload,
  resources: readonly string[],
) {
  const volumesOfClasses = classes.map((podClass) => podClass.sharedVolumes);
  return {
    sharedCount: sharedClaims.count,
    sharedResource: Int32Array.from(sharedClaims.drivers, (driver) => resources.indexOf(volumeResource(driver))),
    classSharedStart: startsOf(volumesOfClasses),
    classShared: Int32Array.from(volumesOfClasses.flat()),
    nodeShared: sharedClaims.onNodes(nodes.map(({ node }) => node)),
  };
}

/**
 * Karpenter's queue: by CPU request in descending order, then memory, then creation. Pods of one group stay together.
 */
function encodeQueue({ groups, pods: { classes, classOf } }: Workload) {
  return queueInOrder(groups, classOf, sizeRanks(classes));
}

/** Per class: its rank by size; 0 for the largest. Classes of equal size share a rank. */
export function sizeRanks(classes: readonly PodClass[]): Int32Array {
  const ranks = new Int32Array(classes.length);
  classesBySize(classes).forEach((equalSized, rank) =>
    equalSized.forEach((podClass) => {
      ranks[podClass] = rank;
    }),
  );
  return ranks;
}

/** The runs of the queue. @param classOf per group its class; @param ranks per class, from `sizeRanks` */
export function queueInOrder(groups: readonly PodGroup[], classOf: readonly number[], ranks: Int32Array) {
  const order: number[] = [];
  for (let group = 0; group < groups.length; group++) if (groups[group].count > 0) order.push(group);
  // The sort is stable: groups of equal size stay in order.
  order.sort((left, right) => ranks[classOf[left]] - ranks[classOf[right]]);
  const runs = new Int32Array(order.length * 3);
  let index = 0;
  for (const group of order) {
    runs[index++] = classOf[group];
    runs[index++] = groups[group].count;
    runs[index++] = group;
  }
  return { runCount: order.length, runs };
}

/** The classes by size, those of equal size together. There are far fewer classes than groups. */
function classesBySize(classes: readonly PodClass[]): number[][] {
  const requested = (resource: string) => classes.map(({ requests }) => requests.get(resource) ?? 0n);
  const [cpu, memory] = [requested('cpu'), requested('memory')];
  const descending = (amounts: readonly bigint[], left: number, right: number) =>
    Number(amounts[right] > amounts[left]) - Number(amounts[right] < amounts[left]);
  const compare = (left: number, right: number) => descending(cpu, left, right) || descending(memory, left, right);
  const sizes: number[][] = [];
  for (const podClass of classes.map((_, index) => index).sort(compare)) {
    const last = sizes[sizes.length - 1];
    if (last !== undefined && compare(last[0], podClass) === 0) last.push(podClass);
    else sizes.push([podClass]);
  }
  return sizes;
}
