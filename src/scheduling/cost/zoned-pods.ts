import { hardGroups, PlacedPods } from './pod-kinds';
import { Catalog } from '../../catalog';
import { Label } from '../../model';
import { PodClass } from '../encoding/pod-classes';
import { ScheduleInput } from '../input/schedule-input';
import { templateOf } from '../launch/pool-template';
import { NodeViews } from '../nodes/existing-nodes';
import { SchedulePlan } from '../schedule-plan';
import { RunningCounts } from '../topology/running-counts';
import { domainsOf } from '../topology/topology-domains';
import { TopologyGroup } from '../topology/topology-groups';

/** How many pods of a rule each zone may have. */
export interface ZoneCounts {
  /** The most pods that a zone with one of the placed pods has above the zone with the fewest. */
  readonly maxSkew: number;
  /** Whether the fewest are taken as 0: for anti-affinity, and with fewer zones than `minDomains`. */
  readonly isLeastZero: boolean;
  /** Counted pods that run already, by zone. */
  readonly running: readonly number[];
}

/** Placed pods that a required spread or anti-affinity distributes over zones. */
export interface ZonedPods extends ZoneCounts {
  /** Indices of the kinds. */
  readonly kinds: readonly number[];
  readonly zones: readonly string[];
}

/**
 * The rules over zones that count exactly the placed pods that have them. As Karpenter does, a rule counts all zones
 * of the NodePools that its pods may use. kube-scheduler only counts zones with nodes, so that a rule that the plan
 * does not keep is left out.
 */
export function zonedPods(
  input: ScheduleInput,
  plan: SchedulePlan,
  { classified, loads }: PlacedPods,
  catalog: Catalog,
): ZonedPods[] {
  const { classes, topologies } = classified;
  const views = new NodeViews(input.daemonSets);
  const running = new RunningCounts(
    topologies,
    (input.nodes ?? []).map((node) => views.get(node)),
  );
  const templates = input.nodePools.flatMap((pool) => templateOf(pool, input, catalog) ?? []);
  const places = [
    ...plan.nodeClaims.map(({ launch }) => launch?.cheapest.zone),
    ...plan.filledNodes.map(({ node }) => input.nodes?.find(({ name }) => name === node)?.labels[Label.ZONE]),
  ];
  return topologies.groups.flatMap((group, number) => {
    const kinds = [...classes.keys()].filter((kind) => hardGroups(classes[kind]).includes(number));
    if (group.key !== Label.ZONE || group.type === 'pod affinity' || group.inverseAntiAffinity) return [];
    if (kinds.length === 0 || !areAlike(classes, kinds, number)) return [];
    const counts = running.of(number).domains;
    const wanted = strictZones(classes[kinds[0]]);
    const domains = new Set([...domainsOf(group, templates), ...counts.keys()]);
    const rule = ruleOf(group, [...domains].filter((zone) => wanted.has(zone)).sort(), counts);
    return isKept({ ...rule, kinds }, loads, places) ? [{ ...rule, kinds }] : [];
  });
}

function ruleOf(
  { type, maxSkew, minDomains = 0 }: TopologyGroup,
  zones: readonly string[],
  counts: ReadonlyMap<string, number>,
): Omit<ZonedPods, 'kinds'> {
  const isApart = type === 'pod anti-affinity';
  return {
    zones,
    maxSkew: isApart ? 1 : maxSkew,
    isLeastZero: isApart || zones.length < minDomains,
    running: zones.map((zone) => counts.get(zone) ?? 0),
  };
}

/** @param places the zone of each load */
function isKept(rule: ZonedPods, loads: PlacedPods['loads'], places: ReadonlyArray<string | undefined>): boolean {
  const placed = rule.zones.map(() => 0);
  for (const [node, load] of loads.entries()) {
    const pods = rule.kinds.reduce((sum, kind) => sum + (load.get(kind) ?? 0), 0);
    const zone = rule.zones.indexOf(places[node] ?? '');
    if (pods > 0 && zone < 0) return false;
    if (pods > 0) placed[zone] += pods;
  }
  const counts = rule.running.map((count, zone) => count + placed[zone]);
  const least = rule.isLeastZero ? 0 : Math.min(...counts);
  return counts.every((count, zone) => placed[zone] === 0 || count - least <= rule.maxSkew);
}

/** Whether the group counts the pods that have it and no others, and all of them may use the same zones. */
function areAlike(classes: readonly PodClass[], kinds: readonly number[], number: number): boolean {
  const counted = [...classes.keys()].filter((kind) => classes[kind].counted.includes(number));
  const hasOneTerm = kinds.every(
    (kind) => classes[kind].variants[0].nodeFilters.length === 1 && classes[kind].volumeTopology.length === 0,
  );
  const zones = new Set(kinds.map((kind) => String(strictZones(classes[kind]))));
  return hasOneTerm && zones.size === 1 && counted.join() === kinds.join();
}

function strictZones({ variants }: PodClass) {
  return variants[variants.length - 1].strict.get(Label.ZONE);
}

/**
 * The fewest new nodes for pods that keep a rule over zones. All pods of a node are in one zone.
 *
 * @param most how many of the pods one node holds
 * @param room how many of the pods existing nodes hold, by zone
 * @returns 0 if the pods cannot keep the rule
 */
export function fewestNodes(pods: number, rule: ZoneCounts, most: number, room: readonly number[]): number {
  const { maxSkew, isLeastZero, running } = rule;
  if (running.length === 0 || !(most > 0)) return 0;
  if (isLeastZero)
    return (
      nodesForRanges(
        pods,
        running.map((count) => range(0, maxSkew - count)),
        most,
        room,
      ) ?? 0
    );
  let fewest = Infinity;
  for (let least = 0; ; least++) {
    const ranges = running.map((count) => range(least - count, least + maxSkew - count));
    if (ranges.reduce((sum, [from]) => sum + from, 0) > pods) break;
    fewest = Math.min(fewest, nodesForRanges(pods, ranges, most, room) ?? Infinity);
  }
  return fewest === Infinity ? 0 : fewest;
}

type Range = readonly [from: number, to: number];

function range(from: number, to: number): Range {
  return [Math.max(0, from), Math.max(0, to)];
}

/** Undefined if the zones cannot have so many pods together. */
function nodesForRanges(
  pods: number,
  ranges: readonly Range[],
  most: number,
  room: readonly number[],
): number | undefined {
  if (ranges.reduce((sum, [, to]) => sum + to, 0) < pods) return undefined;
  let nodes = 0;
  let missing = pods;
  let wholeNodes = 0;
  const parts: number[] = [];
  ranges.forEach(([from, to], zone) => {
    const needed = Math.ceil(Math.max(0, from - room[zone]) / most);
    const held = Math.min(to, room[zone] + needed * most);
    nodes += needed;
    missing -= held;
    wholeNodes += Math.floor((to - held) / most);
    parts.push((to - held) % most);
  });
  const filled = Math.min(wholeNodes, Math.max(0, Math.ceil(missing / most)));
  nodes += filled;
  missing -= filled * most;
  for (const part of parts.sort((left, right) => right - left)) {
    if (missing <= 0) break;
    nodes++;
    missing -= part;
  }
  return nodes;
}
