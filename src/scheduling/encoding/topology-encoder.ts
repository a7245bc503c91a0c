import { TaintSets } from './node-encoder';
import { ClassifiedPods } from './pod-classes';
import { RequirementSets } from './requirement-sets';
import { Vocabulary } from './vocabulary';
import { Label } from '../../model';
import { PoolTemplate } from '../launch/pool-template';
import { InitialCounts } from '../topology/running-counts';
import { domainsOf } from '../topology/topology-domains';
import { TopologyGroup } from '../topology/topology-groups';

const WORD_BITS = 64;
/** In place of a key: each host is a domain. */
const HOST = -1;
const TYPES = ['topology spread', 'pod affinity', 'pod anti-affinity'];

/** The domains of every group. Adds their labels to the vocabulary. */
export function topologyDomains(
  pods: ClassifiedPods,
  templates: readonly PoolTemplate[],
  counts: readonly InitialCounts[],
  vocabulary: Vocabulary,
): Array<ReadonlySet<string>> {
  const offeredByKey = new Map<string, ReadonlySet<string>>();
  return pods.topologies.groups.map((group, index) => {
    if (isHost(group)) return new Set<string>();
    const key = JSON.stringify([group.key, group.domainTolerations ?? null]);
    const offered = offeredByKey.get(key) ?? domainsOf(group, templates);
    offeredByKey.set(key, offered);
    const domains = new Set([...offered, ...counts[index].domains.keys()]);
    vocabulary.addKey(group.key);
    vocabulary.addValues(group.key, [...domains]);
    return domains;
  });
}

export function encodeTopologies(
  { topologies, classes }: ClassifiedPods,
  taints: TaintSets,
  domains: ReadonlyArray<ReadonlySet<string>>,
  counts: readonly InitialCounts[],
  vocabulary: Vocabulary,
  starts: Int32Array,
  sets: RequirementSets,
) {
  const { groups, initial } = topologies;
  const filters = groups.map((group) =>
    group.filters.some((filter) => filter.keys().length === 0) ? [] : group.filters,
  );
  const variants = classes.flatMap((podClass) =>
    podClass.variants.map((variant) => ({ ...variant, counted: new Set(podClass.counted) })),
  );
  return {
    topologyCount: groups.length,
    topologyKey: Int32Array.from(groups, (group) => (isHost(group) ? HOST : vocabulary.keyNumber(group.key))),
    topologyType: Int32Array.from(groups, ({ type }) => TYPES.indexOf(type)),
    topologyMaxSkew: Int32Array.from(groups, ({ maxSkew }) => maxSkew),
    topologyMinDomains: Int32Array.from(groups, ({ minDomains = -1 }) => minDomains),
    topologyActive: Uint8Array.from(groups, (_, group) => (initial.has(group) ? 1 : 0)),
    ...encodeDomains(groups, domains, counts, vocabulary, starts),
    hostInitial: hostCounts(groups, counts),
    topologyFilterStart: startsOf(filters),
    topologyFilters: Int32Array.from(filters.flat(), (filter) => sets.number(filter)),
    topologyTolerates: Uint8Array.from(groups.flatMap(({ tolerations }) => taints.row(tolerations))),
    variantStrictSet: Int32Array.from(variants, ({ strict }) => sets.number(strict)),
    variantGroupStart: startsOf(variants.map((variant) => variant.topologies)),
    variantGroups: Int32Array.from(variants.flatMap((variant) => variant.topologies)),
    variantGroupSelf: Uint8Array.from(
      variants.flatMap((variant) => variant.topologies.map((group) => (variant.counted.has(group) ? 1 : 0))),
    ),
    ...lists(
      'classCounted',
      'classCountedStart',
      classes.map(({ counted }) => counted),
    ),
    ...lists(
      'classInverseAntiAffinity',
      'classInverseAntiAffinityStart',
      classes.map(({ inverseAntiAffinity }) => inverseAntiAffinity),
    ),
    ...lists(
      'classOwnAntiAffinity',
      'classOwnAntiAffinityStart',
      classes.map(({ ownAntiAffinity }) => ownAntiAffinity),
    ),
  };
}

/** Numbers all requirement sets that topology groups need. Call it before the sets are encoded. */
export function registerTopologySets({ topologies, classes }: ClassifiedPods, sets: RequirementSets): void {
  for (const group of topologies.groups) for (const filter of group.filters) sets.number(filter);
  for (const { variants } of classes) for (const { strict } of variants) sets.number(strict);
}

function isHost(group: TopologyGroup): boolean {
  return group.key === Label.HOSTNAME;
}

/** `[node][group over hosts]`: pods counted from the start. */
function hostCounts(groups: readonly TopologyGroup[], counts: readonly InitialCounts[]): Int32Array {
  const hosts = counts.filter((_, group) => isHost(groups[group])).map(({ hosts: ofHosts }) => ofHosts);
  const all = new Int32Array((hosts[0]?.length ?? 0) * hosts.length);
  hosts.forEach((ofGroup, column) =>
    ofGroup.forEach((count, node) => {
      all[node * hosts.length + column] = count;
    }),
  );
  return all;
}

function encodeDomains(
  groups: readonly TopologyGroup[],
  domains: ReadonlyArray<ReadonlySet<string>>,
  counts: readonly InitialCounts[],
  vocabulary: Vocabulary,
  starts: Int32Array,
) {
  const sizes = groups.map((group) => {
    if (isHost(group)) return 0;
    const key = vocabulary.keyNumber(group.key);
    return starts[key + 1] - starts[key];
  });
  const topologyDomainStart = new Int32Array(groups.length);
  sizes.forEach((size, group) => {
    if (group + 1 < groups.length) topologyDomainStart[group + 1] = topologyDomainStart[group] + size;
  });
  const words = new BigUint64Array(sizes.reduce((sum, size) => sum + size, 0));
  const { topologyCountStart, topologyInitial } = noCounts(groups, vocabulary);
  groups.forEach((group, index) => {
    for (const domain of domains[index]) {
      const value = vocabulary.valueNumber(group.key, domain);
      topologyInitial[topologyCountStart[index] + value] = counts[index].domains.get(domain) ?? 0;
      words[topologyDomainStart[index] + Math.floor(value / WORD_BITS)] += 2n ** BigInt(value % WORD_BITS);
    }
  });
  return { topologyDomainStart, topologyDomains: words, topologyCountStart, topologyInitial };
}

/** Zero counts, one per value of the label of each group. Groups over hosts have a column number instead. */
function noCounts(groups: readonly TopologyGroup[], vocabulary: Vocabulary) {
  const valueCounts = vocabulary.valueCounts();
  let [counts, columns] = [0, 0];
  const topologyCountStart = Int32Array.from(groups, (group) => {
    if (isHost(group)) return columns++;
    const start = counts;
    counts += valueCounts[vocabulary.keyNumber(group.key)];
    return start;
  });
  return { topologyCountStart, topologyInitial: new Int32Array(counts) };
}

/** The start of each list if all are concatenated, followed by the total length. */
export function startsOf(all: ReadonlyArray<readonly unknown[]>): Int32Array {
  const starts = new Int32Array(all.length + 1);
  all.forEach((list, i) => {
    starts[i + 1] = starts[i] + list.length;
  });
  return starts;
}

function lists<Values extends string, Starts extends string>(
  values: Values,
  starts: Starts,
  all: ReadonlyArray<readonly number[]>,
) {
  return { [values]: Int32Array.from(all.flat()), [starts]: startsOf(all) } as Record<Values | Starts, Int32Array>;
}
