import { FrozenPods } from './frozen-pods';
import { ZoneSpread } from './zone-spread';
import { Label } from '../../model';
import { hardGroups, PlacedPods } from '../cost/pod-kinds';
import { PodClass } from '../encoding/pod-classes';
import { conflicts } from '../pods/host-ports';
import { TopologyGroup } from '../topology/topology-groups';

/** On one node, or in one zone, there are at most so many counted pods if a pod is there that has the rule. */
export interface SharedRule {
  /** By kind: 1 if its pods are counted. */
  readonly counted: Uint8Array;
  /** By kind: the most counted pods beside or with one of its pods; Infinity for kinds without the rule. */
  readonly most: Float64Array;
  /** Kinds that are counted or have the rule. */
  readonly kinds: readonly number[];
}

/** @param classes of the kinds */
export function nodeRules(placed: PlacedPods, classes: readonly number[]): SharedRule[] {
  return [...topologyRules(placed, classes, Label.HOSTNAME), ...portRules(placed, classes)];
}

export function zoneRules(placed: PlacedPods, classes: readonly number[]): SharedRule[] {
  return topologyRules(placed, classes, Label.ZONE).filter(({ kinds }) => kinds.length > 0);
}

/** Anti-affinity, and over hosts spread as well: a new node could be empty, so that its least count is 0. */
function topologyRules({ classified }: PlacedPods, classes: readonly number[], key: string): SharedRule[] {
  const { topologies } = classified;
  return topologies.groups.flatMap((group, number) => {
    const isRule =
      group.key === key &&
      !group.inverseAntiAffinity &&
      (group.type === 'pod anti-affinity' || (group.type === 'topology spread' && key === Label.HOSTNAME));
    const kinds = classes.map((index) => classified.classes[index]);
    if (!isRule || !kinds.some((kind) => hardGroups(kind).includes(number))) return [];
    return [ruleOf(kinds, number, group)];
  });
}

function ruleOf(kinds: readonly PodClass[], number: number, group: TopologyGroup): SharedRule {
  const counted = Uint8Array.from(kinds, (kind) => (kind.counted.includes(number) ? 1 : 0));
  const most = Float64Array.from(kinds, (kind, index) => {
    if (!hardGroups(kind).includes(number)) return Infinity;
    return group.type === 'topology spread' ? group.maxSkew : counted[index];
  });
  return rule(counted, most);
}

/** For each kind with host ports: no other pod of the node uses one of them. */
function portRules({ classified }: PlacedPods, classes: readonly number[]): SharedRule[] {
  const ports = classes.map((index) => classified.classes[index].hostPorts ?? []);
  return ports.flatMap((own, kind) => {
    if (own.length === 0) return [];
    const counted = Uint8Array.from(ports, (others) => (conflicts(own, others) ? 1 : 0));
    return [
      rule(
        counted,
        Float64Array.from(ports, (_, index) => (index === kind ? 1 : Infinity)),
      ),
    ];
  });
}

function rule(counted: Uint8Array, most: Float64Array): SharedRule {
  const kinds = [...counted.keys()].filter((kind) => counted[kind] === 1 || most[kind] !== Infinity);
  return { counted, most, kinds };
}

/** @param frozen pods that stay where they are */
export function zoneSpreads(
  { classified }: PlacedPods,
  classes: readonly number[],
  zones: readonly string[],
  frozen: FrozenPods,
): ZoneSpread[] {
  return classified.topologies.groups.flatMap((group, number) => {
    if (group.key !== Label.ZONE || group.type !== 'topology spread') return [];
    const kinds = [...classes.keys()].filter((kind) => hardGroups(classified.classes[classes[kind]]).includes(number));
    if (kinds.length === 0) return [];
    const domains = frozen.spreadZones(number);
    const counts = frozen.zoneCounts(number);
    return [
      {
        maxSkew: group.maxSkew,
        zones: [...zones.keys()].filter((zone) => domains.has(zones[zone])),
        fixed: zones.map((zone) => counts.get(zone) ?? 0),
        isLeastZero: group.minDomains !== undefined && domains.size < group.minDomains,
        kinds,
      },
    ];
  });
}
