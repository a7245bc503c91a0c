import { Label, LabelSelector, Requirements, RequirementSpec, selects } from '../../model';
import { PodGroup, PodShape, podTallies } from '../../scheduling';
import { Cluster } from '../cluster';
import { World } from './world';

/** By zone, how many pods of one shape are there. */
type Tally = Map<string, number>;

/** By namespace. */
type Tallies = ReadonlyMap<string, ReadonlyMap<PodShape, Tally>>;

/** How many pods hard spread over zones lets into those that are left when one fails: that one still counts, and has none. */
export class ZoneRoom {
  private readonly zones: readonly string[];
  private readonly tallies: Tallies;

  public constructor(world: World, failedZone: string) {
    const { catalog, scheduling: { nodePools, nodeClasses } } = world.cluster;
    const zonesOf = (nodeClass: string) => nodeClasses.get(nodeClass)?.zones ?? catalog.zones;
    const offered = nodePools.flatMap(({ nodeClass, requirements }) => zonesOf(nodeClass).filter(withinZones(requirements)));
    const known = [...world.nodes.values()].flatMap(({ node: { labels } }) => labels[Label.ZONE] ?? []);
    this.zones = [...new Set([...offered, ...known])].filter((zone) => zone !== failedZone);
    this.tallies = talliesOf(world.snapshot());
  }

  public of({ count, namespace, shape: { topologySpread = [] } }: PodGroup): number {
    const hard = topologySpread.filter(({ topologyKey, whenUnsatisfiable }) => topologyKey === Label.ZONE && whenUnsatisfiable === 'DoNotSchedule');
    const room = hard.map(({ maxSkew, labelSelector }) =>
      this.counted(namespace, labelSelector).reduce((sum, pods) => sum + Math.max(0, maxSkew - pods), 0));
    return Math.min(count, ...room);
  }

  /** Per zone that is left. */
  private counted(namespace: string, labelSelector: LabelSelector | undefined): readonly number[] {
    const counts = this.zones.map(() => 0);
    if (!labelSelector) return counts;
    this.tallies.get(namespace)?.forEach((byZone, { labels = {} }) => {
      if (selects(labelSelector, labels)) this.zones.forEach((zone, at) => { counts[at] += byZone.get(zone) ?? 0; });
    });
    return counts;
  }
}

function withinZones(requirements: readonly RequirementSpec[]): (zone: string) => boolean {
  const own = Requirements.from(requirements.filter(({ key }) => key === Label.ZONE)).get(Label.ZONE);
  return (zone) => own.has(zone);
}

function talliesOf({ nodes }: Cluster): Tallies {
  const known = new Map<string, Map<PodShape, Tally>>();
  for (const { labels: { [Label.ZONE]: zone }, pods } of nodes) {
    if (zone === undefined) continue;
    for (const { sample: { namespace, shape, terminating }, count } of podTallies(pods)) {
      if (terminating) continue;
      const ofNamespace = known.get(namespace) ?? new Map<PodShape, Tally>();
      known.set(namespace, ofNamespace);
      const byZone = ofNamespace.get(shape) ?? new Map<string, number>();
      ofNamespace.set(shape, byZone.set(zone, (byZone.get(zone) ?? 0) + count));
    }
  }
  return known;
}
