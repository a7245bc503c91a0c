import { Catalog } from '../../catalog';
import { Label, Requirements } from '../../model';
import { hardGroups, PlacedPods } from '../cost/pod-kinds';
import { PodClass } from '../encoding/pod-classes';
import { isStatic, ScheduleInput } from '../input/schedule-input';
import { PoolTemplate, templateOf } from '../launch/pool-template';
import { NodeViews } from '../nodes/existing-nodes';
import { PlannedNodeClaim, SchedulePlan } from '../schedule-plan';
import { RunningCounts } from '../topology/running-counts';
import { domainsOf } from '../topology/topology-domains';

/**
 * What the search leaves as the plan has it: pods on existing nodes, nodes of static NodePools and of capacity
 * reservations, and nodes with pods whose constraints the search does not know. These are affinity to other pods, keys
 * other than host and zone, and spread that counts pods without it.
 */
export class FrozenPods {
  /** Indices into the NodeClaims of the plan. */
  readonly claims: ReadonlySet<number>;
  readonly templates: readonly PoolTemplate[];
  private readonly running: RunningCounts;
  private readonly classOfGroup: ReadonlyMap<number, number>;

  constructor(
    private readonly input: ScheduleInput,
    private readonly plan: SchedulePlan,
    private readonly placed: PlacedPods,
    catalog: Catalog,
  ) {
    const { classified, groups } = placed;
    this.templates = input.nodePools.flatMap((pool) => templateOf(pool, input, catalog) ?? []);
    this.classOfGroup = new Map(groups.map((group, index) => [group, classified.classOf[index]]));
    const views = new NodeViews(input.daemonSets);
    this.running = new RunningCounts(
      classified.topologies,
      (input.nodes ?? []).map((node) => views.get(node)),
    );
    let classes = this.frozenClasses();
    let claims = this.claimsWith(classes);
    for (let more = this.keptApart(claims); more.some((index) => !classes.has(index)); more = this.keptApart(claims)) {
      classes = new Set([...classes, ...more]);
      claims = this.claimsWith(classes);
    }
    this.claims = claims;
  }

  /** Pods by class that the search places. */
  freeCounts(): number[] {
    const counts = new Array<number>(this.placed.classified.classes.length).fill(0);
    this.plan.nodeClaims.forEach(({ groups }, index) => {
      if (this.claims.has(index)) return;
      for (const [group, count] of groups) counts[this.classOfGroup.get(group)!] += count;
    });
    return counts;
  }

  /** The zones over which a group spreads its pods. */
  spreadZones(number: number): Set<string> {
    const { topologies, classes } = this.placed.classified;
    const known = new Set([
      ...domainsOf(topologies.groups[number], this.templates),
      ...this.running.of(number).domains.keys(),
    ]);
    const owner = classes.find((podClass) => hardGroups(podClass).includes(number))!;
    const wanted = strictOf(owner).get(Label.ZONE);
    return new Set([...known].filter((zone) => wanted.has(zone)));
  }

  /** Pods of a group by zone that are running, or stay where the plan has them. */
  zoneCounts(number: number): Map<string, number> {
    const counts = new Map(this.running.of(number).domains);
    const add = (zone: string | undefined, groups: ReadonlyMap<number, number>) => {
      if (zone === undefined) return;
      for (const [group, count] of groups)
        if (this.placed.classified.classes[this.classOfGroup.get(group)!].counted.includes(number))
          counts.set(zone, (counts.get(zone) ?? 0) + count);
    };
    for (const { node, groups } of this.plan.filledNodes)
      add(this.input.nodes?.find(({ name }) => name === node)?.labels[Label.ZONE], groups);
    for (const index of this.claims) {
      const { launch, groups } = this.plan.nodeClaims[index];
      add(launch?.cheapest.zone, groups);
    }
    return counts;
  }

  /** Classes of pods that stay where they are, because of their constraints or those of other pods. */
  private frozenClasses(): Set<number> {
    const { classes, topologies } = this.placed.classified;
    const frozen = new Set<number>();
    topologies.groups.forEach(({ inverseAntiAffinity }, number) => {
      const owners = [...classes.keys()].filter((index) => hardGroups(classes[index]).includes(number));
      const counted = [...classes.keys()].filter((index) => classes[index].counted.includes(number));
      if (inverseAntiAffinity || owners.length === 0 || this.isKnown(number, owners, counted)) return;
      for (const index of [...owners, ...counted]) frozen.add(index);
    });
    return frozen;
  }

  private claimsWith(classes: ReadonlySet<number>): Set<number> {
    const fixedPools = new Set(this.input.nodePools.filter(isStatic).map(({ name }) => name));
    return new Set(
      [...this.plan.nodeClaims.keys()].filter((index) => {
        const { nodePool, launch, groups } = this.plan.nodeClaims[index];
        const isFixed = fixedPools.has(nodePool) || launch?.cheapest.reservation !== undefined;
        return isFixed || [...groups.keys()].some((group) => classes.has(this.classOfGroup.get(group)!));
      }),
    );
  }

  /** Classes that keep apart in zones from pods of these claims or of existing nodes. */
  private keptApart(claims: ReadonlySet<number>): number[] {
    const { classes, topologies } = this.placed.classified;
    const kept = [...this.plan.filledNodes, ...[...claims].map((index) => this.plan.nodeClaims[index])];
    const onNodes = new Set(
      kept.flatMap(({ groups }) => [...groups.keys()].map((group) => this.classOfGroup.get(group)!)),
    );
    return topologies.groups.flatMap(({ key, type, inverseAntiAffinity }, number) => {
      if (key !== Label.ZONE || type !== 'pod anti-affinity' || inverseAntiAffinity) return [];
      const members = membersOf(classes, number);
      return members.some((index) => onNodes.has(index)) ? members : [];
    });
  }

  private isKnown(number: number, owners: readonly number[], counted: readonly number[]): boolean {
    const { classes, topologies } = this.placed.classified;
    const { key, type } = topologies.groups[number];
    if (type === 'pod affinity') return false;
    if (key === Label.HOSTNAME) return true;
    if (key !== Label.ZONE) return false;
    if (type === 'pod anti-affinity')
      return [...this.running.of(number).domains.values()].every((count) => count === 0);
    const isSame = owners.length === counted.length && owners.every((index, at) => index === counted[at]);
    const zones = new Set(owners.map((index) => String(strictOf(classes[index]).get(Label.ZONE))));
    const hasOneTerm = owners.every(
      (index) => classes[index].variants[0].nodeFilters.length === 1 && classes[index].volumeTopology.length === 0,
    );
    return isSame && zones.size === 1 && hasOneTerm;
  }
}

/** Classes that a group counts, or whose pods have it. */
function membersOf(classes: readonly PodClass[], number: number): number[] {
  return [...classes.keys()].filter(
    (index) => hardGroups(classes[index]).includes(number) || classes[index].counted.includes(number),
  );
}

/** The claims that the search replaces. */
export function freeClaims({ nodeClaims }: SchedulePlan, frozen: FrozenPods): PlannedNodeClaim[] {
  return nodeClaims.filter((_, index) => !frozen.claims.has(index));
}

/** What the pods require of nodes without any preference. */
export function strictOf({ variants }: PodClass): Requirements {
  return variants[variants.length - 1].strict;
}
