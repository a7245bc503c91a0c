import { InstanceTypeTable } from '../catalog';
import { PackerProblem } from '../kernel';
import { Label, ResourceList, untolerated, Toleration } from '../model';
import { DaemonSetSpec, PodGroup, SchedulingSettings } from './domain';
import { minValuesOf } from './min-values';
import { ClassifiedPods, withPod } from './pod-classes';
import { daemonVariants, PodVariant } from './relaxation';
import { RequirementSets } from './requirement-sets';
import { limitedResources, NODES, PoolTemplate } from './templates';
import { encodeTopologies, registerTopologySets, startsOf, topologyDomains } from './topology-encoder';
import { amounts, encodeViews, saturate } from './view-encoder';
import { Vocabulary } from './vocabulary';

const UNLIMITED = 2n ** 63n - 1n;

/** What the solver gets: the pods that it can judge, in classes, and the pools in their order. */
export interface Workload {
  readonly templates: readonly PoolTemplate[];
  readonly daemonSets: readonly DaemonSetSpec[];
  readonly groups: readonly PodGroup[];
  readonly pods: ClassifiedPods;
  readonly settings: SchedulingSettings;
}

/** The problem for the kernel, and the numbers that it gives label values, to read its counts by. */
export interface EncodedProblem {
  readonly problem: PackerProblem;
  readonly vocabulary: Vocabulary;
}

export function encodeProblem(workload: Workload): EncodedProblem {
  const { templates, daemonSets, pods } = workload;
  const vocabulary = new Vocabulary();
  const sets = new RequirementSets(vocabulary);
  const templateSet = templates.map(({ requirements }) => sets.number(requirements));
  const daemons = encodeDaemons(daemonSets, templates, sets);
  const classes = encodeClasses(pods, templates, sets);
  registerTopologySets(pods, sets);
  const domains = topologyDomains(pods, templates, vocabulary);
  const views = [...new Set(templates.map(({ table }) => table))];
  for (const column of views.flatMap((view) => view.labels)) vocabulary.addValues(column.key, column.values);
  for (const plane of views.flatMap((view) => view.offerings)) {
    vocabulary.addValues(Label.ZONE, [plane.zone]);
    vocabulary.addValues(Label.CAPACITY_TYPE, [plane.capacityType]);
  }
  const resources = requestedResources(workload);
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
    ...encodeViews(views, vocabulary, starts, resources),
    ...sets.encode(starts),
    templateCount: templates.length,
    templateView: Int32Array.from(templates, ({ table }) => views.indexOf(table)),
    templateSet: Int32Array.from(templateSet),
    ...encodeLimits(templates, views),
    ...encodeMinValues(templates, vocabulary),
    minValuesBestEffort: workload.settings.minValuesPolicy === 'BestEffort' ? 1 : 0,
    ...daemons,
    daemonRequests: vectors(daemonSets.map(({ shape }) => withPod(shape.requests)), resources),
    ...classes,
    classRequests: vectors(pods.classes.map(({ requests }) => requests), resources),
    ...encodeTopologies(pods, templates, domains, vocabulary, starts, sets),
    ...encodeQueue(workload),
  };
  return { problem, vocabulary };
}

/** Only what somebody asks for can run out. */
function requestedResources({ daemonSets, pods }: Workload): string[] {
  const names = new Set(['pods']);
  for (const requests of [...pods.classes.map((podClass) => podClass.requests), ...daemonSets.map(({ shape }) => shape.requests)]) {
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

function encodeClasses({ classes }: ClassifiedPods, templates: readonly PoolTemplate[], sets: RequirementSets) {
  const variants = classes.map((podClass) => podClass.variants);
  const all = variants.flat();
  return {
    classCount: classes.length,
    classVariantStart: startsOf(variants),
    variantSet: Int32Array.from(all, ({ requirements }) => sets.number(requirements)),
    variantTolerates: Uint8Array.from(all.flatMap(({ tolerations }: PodVariant) => tolerance(tolerations, templates))),
  };
}

function encodeLimits(templates: readonly PoolTemplate[], views: readonly InstanceTypeTable[]) {
  const limited = limitedResources(templates);
  return {
    templateNodes: BigInt64Array.from(templates, ({ pool }) => pool.limits.get(NODES) ?? UNLIMITED),
    limitCount: limited.length,
    limitRemaining: BigInt64Array.from(templates.flatMap(({ pool }) => limited.map((resource) => {
      const limit = pool.limits.get(resource);
      return limit === undefined ? UNLIMITED : saturate(limit);
    }))),
    limitCapacity: amounts(views, limited, (view) => view.capacity),
  };
}

function encodeMinValues(templates: readonly PoolTemplate[], vocabulary: Vocabulary) {
  const minima = templates.map(({ requirements }) => minValuesOf(requirements));
  return {
    minValuesStart: startsOf(minima),
    minValues: Int32Array.from(minima.flat().flatMap(([key, minimum]) => [vocabulary.keyNumber(key), minimum])),
  };
}

/** Karpenter's queue: the largest cpu first, then memory, then creation; pods of one group stay together in order. */
function encodeQueue({ groups, pods }: Workload) {
  const amount = (group: number, resource: string) => groups[group].shape.requests.get(resource) ?? 0n;
  const descending = (left: number, right: number, resource: string) => Number(amount(right, resource) > amount(left, resource))
    - Number(amount(right, resource) < amount(left, resource));
  const order = groups.map((_, group) => group).filter((group) => groups[group].count > 0)
    .sort((left, right) => descending(left, right, 'cpu') || descending(left, right, 'memory') || left - right);
  return {
    runCount: order.length,
    runs: Int32Array.from(order.flatMap((group) => [pods.classOf[group], groups[group].count, group])),
  };
}
