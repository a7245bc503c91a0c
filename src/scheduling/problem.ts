import { PackerProblem } from '../kernel';
import { Label, merge, ResourceList, untolerated, Toleration } from '../model';
import { saturate } from './amounts';
import { NodeView, volumeRequests, volumeResource } from './existing-nodes';
import { HostPorts } from './host-ports';
import { encodeNodes, nodeSets, TaintSets } from './node-encoder';
import { ClassifiedPods, PodClass, withPod } from './pod-classes';
import { addPoolValues, encodePools, PoolTerms, templateSets } from './pool-encoder';
import { daemonVariants, PodVariant } from './relaxation';
import { RequirementSets } from './requirement-sets';
import { DaemonSetSpec, PodGroup, SchedulingSettings } from './schedule-input';
import { PoolTemplate } from './templates';
import { initialCounts, withoutPods } from './topology-counts';
import { encodeTopologies, registerTopologySets, startsOf, topologyDomains } from './topology-encoder';
import { Vocabulary } from './vocabulary';

/** What the solver gets: the pods that it can judge, in classes, and the pools in their order. */
export interface Workload {
  readonly templates: readonly PoolTemplate[];
  readonly daemonSets: readonly DaemonSetSpec[];
  /** As they count on nodes that are there. */
  readonly relaxedDaemonSets: readonly DaemonSetSpec[];
  readonly nodes: readonly NodeView[];
  readonly groups: readonly PodGroup[];
  readonly pods: ClassifiedPods;
  readonly settings: SchedulingSettings;
}

/** The problem for the kernel, and what it numbers by: label values, requirement sets, taints, resources and host ports. */
export interface EncodedProblem extends PoolTerms {
  readonly problem: PackerProblem;
  readonly taints: TaintSets;
  readonly ports: HostPorts;
}

/** @param isStanding whether questions bring the nodes, and the pods on them: then these alone make known what there is */
export function encodeProblem(workload: Workload, isStanding = false): EncodedProblem {
  const { templates, daemonSets, nodes, pods } = workload;
  const vocabulary = new Vocabulary();
  const sets = new RequirementSets(vocabulary);
  const daemons = encodeDaemons(daemonSets, templates, sets);
  const taints = new TaintSets(templates, nodes, pods.classes.some(({ moving }) => moving));
  const classes = encodeClasses(pods, taints, sets);
  registerTopologySets(pods, sets);
  const namesHosts = vocabulary.has(Label.HOSTNAME);
  templateSets(templates, { sets, namesHosts });
  const counts = isStanding ? withoutPods(pods.topologies, nodes) : initialCounts(pods.topologies, nodes);
  const domains = topologyDomains(pods, templates, counts, vocabulary);
  const nodeSet = nodeSets(nodes, sets, vocabulary);
  addPoolValues(templates, vocabulary);
  const resources = requestedResources(workload);
  const ports = hostPorts(workload);
  vocabulary.finish();
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
    reservedFallback: fallsBack(workload.settings),
    minValuesBestEffort: workload.settings.minValuesPolicy === 'BestEffort' ? 1 : 0,
    ...daemons,
    daemonRequests: vectors(daemonSets.map(({ shape }) => withPod(shape.requests)), resources),
    ...classes,
    ...encodeSharedVolumes(workload, resources),
    classRequests: vectors(pods.classes.map(requestsOf), resources),
    portWords: ports.words,
    daemonPorts: ports.encode(daemonSets.map(({ shape }) => shape.hostPorts)),
    classPorts: ports.encode(pods.classes.map((podClass) => podClass.hostPorts)),
    classPortConflicts: ports.encodeConflicts(pods.classes.map((podClass) => podClass.hostPorts)),
    taintSetCount: taints.count,
    ...encodeNodes(isStanding ? [] : nodes, nodeSet, taints, resources, ports),
    ...encodeTopologies(pods, taints, domains, counts, vocabulary, starts, sets),
    ...encodeQueue(workload),
  };
  return { problem, vocabulary, sets, resources, namesHosts, taints, ports };
}

/** As the kernel has it. */
export function fallsBack({ reservedOfferings }: SchedulingSettings): number {
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

/** Only what somebody asks for can run out. */
function requestedResources({ daemonSets, pods }: Workload): string[] {
  const names = new Set(['pods', ...pods.sharedClaims.drivers.map(volumeResource)]);
  for (const requests of [...pods.classes.map(requestsOf), ...daemonSets.map(({ shape }) => shape.requests)]) {
    for (const [resource, amount] of requests) if (amount > 0n) names.add(resource);
  }
  return [...names].sort();
}

function vectors(lists: readonly ResourceList[], resources: readonly string[]): BigInt64Array {
  return BigInt64Array.from(lists.flatMap((list) => resources.map((resource) => saturate(list.get(resource) ?? 0n))));
}

function tolerance(tolerations: readonly Toleration[], templates: readonly PoolTemplate[]): number[] {
  return templates.map(({ pool }) => untolerated(pool.taints, tolerations).length === 0 ? 1 : 0);
}

function encodeDaemons(daemonSets: readonly DaemonSetSpec[], templates: readonly PoolTemplate[], sets: RequirementSets) {
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
    variantTolerates: Uint8Array.from(classes.flatMap(({ variants: own, moving }) =>
      own.flatMap(({ tolerations }: PodVariant) => taints.row(tolerations, moving)))),
    classVolumeStart: startsOf(classes.map(({ volumeTopology }) => volumeTopology)),
    classVolumeSets: Int32Array.from(classes.flatMap(({ volumeTopology }) => volumeTopology), (requirements) => sets.number(requirements)),
  };
}

function encodeSharedVolumes({ pods: { classes, sharedClaims }, nodes }: Workload, resources: readonly string[]) {
  const ofClasses = classes.map((podClass) => podClass.sharedClaims);
  return {
    sharedCount: sharedClaims.count,
    sharedResource: Int32Array.from(sharedClaims.drivers, (driver) => resources.indexOf(volumeResource(driver))),
    classSharedStart: startsOf(ofClasses),
    classShared: Int32Array.from(ofClasses.flat()),
    nodeShared: sharedClaims.onNodes(nodes.map(({ node }) => node)),
  };
}

/** Karpenter's queue: the largest cpu first, then memory, then creation; pods of one group stay together in order. */
function encodeQueue({ groups, pods: { classes, classOf } }: Workload) {
  return queueInOrder(groups, classOf, sizeRanks(classes));
}

/** Per class its place among all, by size: 0 for the largest. */
export function sizeRanks(classes: readonly PodClass[]): Int32Array {
  const ranks = new Int32Array(classes.length);
  sizesInOrder(classes).forEach((queue, at) => queue.forEach((podClass) => { ranks[podClass] = at; }));
  return ranks;
}

/** @param classOf per group its class; @param ranks per class, as `sizeRanks` gives them */
export function queueInOrder(groups: readonly PodGroup[], classOf: readonly number[], ranks: Int32Array) {
  const order: number[] = [];
  for (let group = 0; group < groups.length; group++) if (groups[group].count > 0) order.push(group);
  // Those of one size stay as they are.
  order.sort((left, right) => ranks[classOf[left]] - ranks[classOf[right]]);
  const runs = new Int32Array(order.length * 3);
  let at = 0;
  for (const group of order) {
    runs[at++] = classOf[group];
    runs[at++] = groups[group].count;
    runs[at++] = group;
  }
  return { runCount: order.length, runs };
}

/** The classes, those of one size together: there are far fewer of them than groups. */
function sizesInOrder(classes: readonly PodClass[]): number[][] {
  const requested = (resource: string) => classes.map(({ requests }) => requests.get(resource) ?? 0n);
  const [cpu, memory] = [requested('cpu'), requested('memory')];
  const descending = (of: readonly bigint[], left: number, right: number) => Number(of[right] > of[left]) - Number(of[right] < of[left]);
  const compare = (left: number, right: number) => descending(cpu, left, right) || descending(memory, left, right);
  const queues: number[][] = [];
  for (const podClass of classes.map((_, at) => at).sort(compare)) {
    const last = queues[queues.length - 1];
    if (last !== undefined && compare(last[0], podClass) === 0) last.push(podClass);
    else queues.push([podClass]);
  }
  return queues;
}
