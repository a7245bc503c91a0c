import { ClaimPrices, launchedNode, Offer, ScheduleInput, templateOf, withRoom } from '../../scheduling';
import { Command, Replacement } from '../command';
import { canLaunchStaticNode, launchStaticNode } from './static-pools';
import { World } from './world';

/** Whether EC2 has what a command needs before its nodes go. */
export function canLaunchReplacements(world: World, { replacements }: Command): boolean {
  const offers = offersFor(world, replacements);
  return replacements.every(({ nodePool, claim }, at) => claim ? offers[at] !== undefined : canLaunchStaticNode(world, poolOf(world, nodePool)));
}

/** Launches what a command needs before its nodes go. */
export function launchReplacements(world: World, { replacements }: Pick<Command, 'replacements'>): string[] {
  const offers = offersFor(world, replacements);
  return replacements.flatMap(({ nodePool, claim }, at) => {
    const pool = poolOf(world, nodePool);
    if (pool.replicas !== undefined) return launchStaticNode(world, pool);
    const template = templateOf(pool, { ...world.cluster.scheduling, nodes: [] }, world.cluster.catalog);
    const offer = offers[at];
    return claim && offer && template ? [world.launch(nodePool, launchedNode(template, offer, claim, world.next), offer)] : [];
  });
}

/** One after the other: what one takes of a capacity reservation is not there for the next. */
function offersFor(world: World, replacements: readonly Replacement[]): Array<Offer | undefined> {
  const { scheduling, catalog } = world.cluster;
  let { nodeClasses } = scheduling;
  return replacements.map((replacement) => {
    const { claim, cheapest, instanceTypes, capacityTypes, nodePool } = replacement;
    const offer = cheapest ?? claim?.launch?.cheapest;
    const asked = askedFor(replacement);
    const isAsked = asked === undefined || asked === offer?.instanceType;
    if (!claim || (offer?.reservation === undefined && isAsked)) return offer;
    const template = templateOf(poolOf(world, nodePool), { ...scheduling, nodeClasses, nodes: [] }, catalog);
    const prices = template && new ClaimPrices(claim, template, scheduling.settings, capacityTypes);
    if (offer?.reservation === undefined) return prices?.cheapest(asked!);
    const [type] = prices?.launchable(instanceTypes) ?? [];
    const left = type === undefined ? undefined : prices!.cheapest(type);
    if (left?.reservation !== undefined) nodeClasses = withRoom(nodeClasses, left.reservation, -1);
    return left;
  });
}

/** The cheapest of the types that EC2 is asked for: the provider leaves some out, as GPUs where there are others. */
function askedFor({ claim, instanceTypes, capacityTypes }: Replacement): string | undefined {
  const { launch } = claim ?? {};
  return launch && capacityTypes.includes(launch.capacityType) ? launch.instanceTypes.find((type) => instanceTypes.includes(type)) : undefined;
}

function poolOf({ cluster: { scheduling } }: World, nodePool: string): ScheduleInput['nodePools'][number] {
  return scheduling.nodePools.find(({ name }) => name === nodePool)!;
}
