import { Label, LabelSelector, Requirements, RequirementSpec, selects } from '../../model';
import { PodGroup } from '../../scheduling';
import { ClusterPod } from '../cluster';
import { World } from './world';

/** Equal pods, and how many of them are in each zone. */
interface Tally {
  readonly sample: ClusterPod;
  readonly byZone: Map<string, number>;
}

/** How many pods hard spread over zones lets into those that are left when one fails: that one still counts, and has none. */
export class ZoneRoom {
  private readonly zones: readonly string[];
  private readonly tallies: readonly Tally[];

  public constructor(world: World, failedZone: string) {
    const { catalog, scheduling: { nodePools, nodeClasses } } = world.cluster;
    const zonesOf = (nodeClass: string) => nodeClasses.get(nodeClass)?.zones ?? catalog.zones;
    const offered = nodePools.flatMap(({ nodeClass, requirements }) => zonesOf(nodeClass).filter(withinZones(requirements)));
    const known = [...world.nodes.values()].flatMap(({ node: { labels } }) => labels[Label.ZONE] ?? []);
    this.zones = [...new Set([...offered, ...known])].filter((zone) => zone !== failedZone);
    this.tallies = talliesOf(world);
  }

  public of({ count, namespace, shape: { topologySpread = [] } }: PodGroup): number {
    const hard = topologySpread.filter(({ topologyKey, whenUnsatisfiable }) => topologyKey === Label.ZONE && whenUnsatisfiable === 'DoNotSchedule');
    const room = hard.map(({ maxSkew, labelSelector }) =>
      this.zones.reduce((sum, zone) => sum + Math.max(0, maxSkew - this.counted(zone, namespace, labelSelector)), 0));
    return Math.min(count, ...room);
  }

  private counted(zone: string, namespace: string, labelSelector: LabelSelector | undefined): number {
    if (!labelSelector) return 0;
    return this.tallies.reduce((sum, { sample, byZone }) =>
      sum + (sample.namespace === namespace && selects(labelSelector, sample.shape.labels ?? {}) ? byZone.get(zone) ?? 0 : 0), 0);
  }
}

function withinZones(requirements: readonly RequirementSpec[]): (zone: string) => boolean {
  const own = Requirements.from(requirements.filter(({ key }) => key === Label.ZONE)).get(Label.ZONE);
  return (zone) => own.has(zone);
}

function talliesOf({ pods, nodes }: World): Tally[] {
  const known = new Map<ClusterPod['shape'], Tally[]>();
  for (const { pod, node, phase } of pods.bound()) {
    const zone = nodes.get(node!)?.node.labels[Label.ZONE];
    if (zone === undefined || phase === 'ending') continue;
    const ofShape = known.get(pod.shape) ?? [];
    let tally = ofShape.find(({ sample }) => sample.namespace === pod.namespace);
    if (!tally) known.set(pod.shape, [...ofShape, tally = { sample: pod, byZone: new Map() }]);
    tally.byZone.set(zone, (tally.byZone.get(zone) ?? 0) + 1);
  }
  return [...known.values()].flat();
}
