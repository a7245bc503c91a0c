import { withExpiringReservation } from './capacity-block';
import { OfferingKey } from '../../../catalog';
import { countText, Label } from '../../../model';
import { poolTables } from '../../../scheduling';
import { Cluster, ClusterNode, Instant } from '../../cluster';
import { vcpusOf } from '../cluster/cloud-provider';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { SimulatedPod } from '../cluster/simulated-pod';
import { NodeMix, ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, startedCluster } from '../scenario-start';
import { simulate } from '../simulate';

/** Scenarios in which EC2 has too little of something. `no-type m7i` and `quota 64` name what is scarce. */
export type ScarcityName =
  | 'no-spot'
  | 'no-type'
  | `no-type ${string}`
  | `quota ${number}`
  | 'subnet-full'
  | 'reservation-full';

/** Milliseconds between EC2's notice and the termination of a spot instance. */
const SPOT_NOTICE = 120_000;

/** What EC2 lacks. */
interface Scarcity {
  readonly scenario: 'no-spot' | 'no-type' | 'quota' | 'subnet-full' | 'reservation-full';
  readonly subject?: string;
  /** A sentence for the timeline. */
  readonly what: string;
  /** The nodes that are lost, because they are what is scarce. */
  readonly lost: readonly ClusterNode[];
  readonly mixBy: NodeMix['by'];
  readonly begin: (cluster: SimulatedCluster) => void;
}

/** Whether a name is one of a scarcity. */
export function isScarcity(name: string): name is ScarcityName {
  return /^(no-spot|no-type( [a-z0-9-]+)?|quota \d{1,6}|subnet-full|reservation-full)$/.test(name);
}

/**
 * What falls back where if EC2 lacks something: the nodes that need it are drained at once, and nothing of it can be
 * launched until the end.
 */
export function scarcities(name: ScarcityName, start: ScenarioStart): ScenarioReport[] {
  return scarcitiesOf(name, start.baseline.cluster)
    .filter(({ lost }) => lost.length > 0)
    .map((scarcity) => simulateScarcity(scarcity, start));
}

function scarcitiesOf(name: ScarcityName, cluster: Cluster): Scarcity[] {
  const nodes = cluster.nodes.filter(({ claim, deleting }) => claim && !deleting);
  const [kind, argument] = name.split(' ');
  switch (kind) {
    case 'no-spot':
      return [noSpot(nodes)];
    case 'no-type':
      return (argument === undefined ? valuesOf(nodes, familyOf) : [argument]).map((family) => noType(family, nodes));
    case 'subnet-full':
      return valuesOf(nodes, ({ labels }) => labels[Label.ZONE]).map((zone) => subnetFull(zone, nodes));
    case 'reservation-full':
      return valuesOf(nodes, ({ labels }) => labels[Label.CAPACITY_RESERVATION_ID]).map((id) =>
        reservationFull(id, nodes),
      );
    default:
      return [quota(Number(argument), nodes)];
  }
}

function noSpot(nodes: readonly ClusterNode[]): Scarcity {
  const lost = nodes.filter(({ labels }) => labels[Label.CAPACITY_TYPE] === 'spot');
  return {
    scenario: 'no-spot',
    what: `EC2 has no spot capacity, and takes ${countText(lost.length, 'spot node')} in two minutes`,
    lost,
    mixBy: 'capacity type',
    begin: (cluster) => {
      markScarce(cluster, ({ capacityType }) => capacityType === 'spot');
      for (const { name } of lost) cluster.cloudProvider.terminateInstance(name, cluster.now + SPOT_NOTICE);
    },
  };
}

function noType(family: string, nodes: readonly ClusterNode[]): Scarcity {
  const lost = nodes.filter((node) => familyOf(node) === family);
  return {
    scenario: 'no-type',
    subject: family,
    what: `EC2 has no ${family} instance, and ${countText(lost.length, 'node')} of the family must be replaced`,
    lost,
    mixBy: 'instance family',
    begin: (cluster) => markScarce(cluster, ({ instanceType }) => instanceType.startsWith(`${family}.`)),
  };
}

function subnetFull(zone: string, nodes: readonly ClusterNode[]): Scarcity {
  const lost = nodes.filter(({ labels }) => labels[Label.ZONE] === zone);
  return {
    scenario: 'subnet-full',
    subject: zone,
    what: `the subnets of ${zone} have no free address, and ${countText(lost.length, 'node')} of the zone must be replaced`,
    lost,
    mixBy: 'zone',
    begin: (cluster) => markScarce(cluster, (offering) => offering.zone === zone),
  };
}

function reservationFull(id: string, nodes: readonly ClusterNode[]): Scarcity {
  const lost = nodes.filter(({ labels }) => labels[Label.CAPACITY_RESERVATION_ID] === id);
  return {
    scenario: 'reservation-full',
    subject: id,
    what: `others use all instances of capacity reservation ${id}, and ${countText(lost.length, 'node')} of it must be replaced`,
    lost,
    mixBy: 'capacity type',
    begin: (cluster) => (cluster.config = withExpiringReservation(cluster.config, id)),
  };
}

/** The first nodes that the quota allows stay. EC2 has a quota of its own for spot, and reservations count for none. */
function quota(vcpus: number, nodes: readonly ClusterNode[]): Scarcity {
  let left = vcpus;
  const lost = nodes.filter((node) => {
    if (node.labels[Label.CAPACITY_TYPE] !== 'on-demand') return false;
    const needed = vcpusOf(node);
    if (needed > left) return true;
    left -= needed;
    return false;
  });
  return {
    scenario: 'quota',
    subject: countText(vcpus, 'vCPU'),
    what: `the quota of on-demand instances is ${countText(vcpus, 'vCPU')}, and ${countText(lost.length, 'node')} beyond it must go`,
    lost,
    mixBy: 'capacity type',
    begin: (cluster) => cluster.cloudProvider.limitOnDemand(left, (free) => markLarger(cluster, free)),
  };
}

function markLarger(cluster: SimulatedCluster, vcpus: number): void {
  markScarce(cluster, ({ capacityType }, typeVcpus) => capacityType === 'on-demand' && typeVcpus > vcpus);
}

function simulateScarcity(
  { scenario, subject, what, lost, mixBy, begin }: Scarcity,
  start: ScenarioStart,
): ScenarioReport {
  const cluster = startedCluster(start);
  const waiting = new WaitingTimes(cluster);
  const mixBefore = countsOf(start.baseline.cluster.nodes, mixBy);
  const apply = () => {
    cluster.recordEvent(what);
    begin(cluster);
    for (const { name, claim } of lost) cluster.startDraining(name, claim!.terminationGracePeriod);
  };
  const report = simulate(cluster, {
    scenario,
    ...(subject === undefined ? {} : { subject }),
    events: [{ at: start.start, apply }],
    onTick: start.onTick,
    beforeAdvance: () => waiting.update(),
  });
  waiting.update();
  const mixAfter = countsOf(
    [...cluster.nodes.values()].map(({ node }) => node),
    mixBy,
  );
  const values = [...new Set([...mixBefore.keys(), ...mixAfter.keys()])].sort();
  return {
    ...report,
    fallback: {
      by: mixBy,
      nodes: values.map((value) => ({
        value,
        before: mixBefore.get(value) ?? 0,
        after: mixAfter.get(value) ?? 0,
      })),
      ...waiting.result,
    },
  };
}

/** Makes all offerings unavailable until the end that the predicate selects, in every NodePool. */
function markScarce(cluster: SimulatedCluster, isScarce: (offering: OfferingKey, vcpus: number) => boolean): void {
  const { scheduling, catalog } = cluster.config;
  const scarce = new Map<string, OfferingKey>();
  for (const { names, offerings, resources, capacity } of poolTables(scheduling, catalog).tables.values()) {
    const cpu = capacity[resources.indexOf('cpu')];
    for (const { zone, capacityType, usdPerHour } of offerings) {
      if (capacityType !== 'on-demand' && capacityType !== 'spot') continue;
      names.forEach((instanceType, type) => {
        const offering: OfferingKey = { instanceType, zone, capacityType: capacityType as OfferingKey['capacityType'] };
        if (Number.isNaN(usdPerHour[type]) || !isScarce(offering, cpu[type] / 1_000)) return;
        scarce.set(`${instanceType} ${zone} ${capacityType}`, offering);
      });
    }
  }
  cluster.cloudProvider.markAllUnavailable([...scarce.values()], Infinity);
}

function valuesOf(nodes: readonly ClusterNode[], valueOf: (node: ClusterNode) => string | undefined): string[] {
  return [...new Set(nodes.flatMap((node) => valueOf(node) ?? []))].sort();
}

function countsOf(nodes: readonly ClusterNode[], by: NodeMix['by']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const value = mixValue(node, by);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function mixValue(node: ClusterNode, by: NodeMix['by']): string | undefined {
  switch (by) {
    case 'capacity type':
      return node.labels[Label.CAPACITY_TYPE];
    case 'instance family':
      return familyOf(node);
    case 'zone':
      return node.labels[Label.ZONE];
  }
}

function familyOf({ labels }: ClusterNode): string | undefined {
  return labels[Label.INSTANCE_TYPE]?.split('.')[0];
}

/** How long pods were pending that have a node in the end. */
class WaitingTimes {
  private readonly since = new Map<SimulatedPod, Instant>();
  private pods = 0;
  private longest = 0;

  public constructor(private readonly cluster: SimulatedCluster) {}

  public get result(): { readonly waitingPods: number; readonly longestWaitSeconds: number } {
    return { waitingPods: this.pods, longestWaitSeconds: Math.round(this.longest / 1_000) };
  }

  /** Call it before the clock advances, and at the end. */
  public update(): void {
    const {
      since,
      cluster: { now, pods },
    } = this;
    const pending = new Set(pods.pending());
    for (const subject of pending) if (!since.has(subject)) since.set(subject, now);
    for (const [subject, from] of since) {
      if (pending.has(subject)) continue;
      since.delete(subject);
      if (subject.node === undefined || now === from) continue;
      this.pods++;
      this.longest = Math.max(this.longest, now - from);
    }
  }
}
