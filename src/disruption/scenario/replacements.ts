import { ClaimPrices, launchedNode, Offer, ScheduleInput, templateOf, withRoom } from '../../scheduling';
import { Command, Replacement } from '../command';
import { canLaunchStaticNode, launchStaticNode } from './static-pools';
import { World } from './world';

/** What keeps a command from what it needs before its nodes go. */
export interface LaunchFailure {
  /** In Karpenter's own words. @default - EC2 has nothing left */
  readonly why?: string;
  readonly nodePool: string;
}

/** Undefined where EC2 has all that a command needs before its nodes go. */
export function launchFailure(world: World, { replacements }: Command): LaunchFailure | undefined {
  const offers = offersFor(world, replacements);
  const isMissing = ({ nodePool, claim }: Replacement, at: number) =>
    claim ? offers[at].offer === undefined : !canLaunchStaticNode(world, poolOf(world, nodePool));
  const first = replacements.findIndex(isMissing);
  return first < 0 ? undefined : { nodePool: replacements[first].nodePool, why: offers[first].why };
}

/** Launches what a command needs before its nodes go. */
export function launchReplacements(world: World, { replacements }: Pick<Command, 'replacements'>): string[] {
  const offers = offersFor(world, replacements);
  return replacements.flatMap(({ nodePool, claim }, at) => {
    const pool = poolOf(world, nodePool);
    if (pool.replicas !== undefined) return launchStaticNode(world, pool);
    const template = templateOf(pool, { ...world.cluster.scheduling, nodes: [] }, world.cluster.catalog);
    const { offer } = offers[at];
    return claim && offer && template ? [world.launch(nodePool, launchedNode(template, offer, claim, world.next), offer)] : [];
  });
}

interface Found {
  readonly offer?: Offer;
  /** In Karpenter's own words. */
  readonly why?: string;
}

/** One after the other: what one takes of a capacity reservation is not there for the next. */
function offersFor(world: World, replacements: readonly Replacement[]): Found[] {
  const { scheduling, catalog } = world.cluster;
  let { nodeClasses } = scheduling;
  return replacements.map((replacement): Found => {
    const { claim, cheapest, instanceTypes, capacityTypes, nodePool } = replacement;
    const offer = cheapest ?? claim?.launch?.cheapest;
    const asked = askedFor(replacement);
    const isAsked = asked === undefined || asked === offer?.instanceType;
    const pool = poolOf(world, nodePool);
    const isVaried = pool.requirements.some(({ minValues }) => minValues !== undefined);
    if (!claim || (offer?.reservation === undefined && isAsked && !isVaried)) return { offer };
    const template = templateOf(pool, { ...scheduling, nodeClasses, nodes: [] }, catalog);
    if (!template) return {};
    const prices = new ClaimPrices(claim, template, scheduling.settings, capacityTypes);
    const found = isVaried ? launchWithVariety(prices, instanceTypes)
      : { offer: offer?.reservation === undefined ? prices.cheapest(asked!) : cheapestLeft(prices, instanceTypes) };
    if (found.offer?.reservation !== undefined) nodeClasses = withRoom(nodeClasses, found.offer.reservation, -1);
    return found;
  });
}

/** One request names some of the types alone, which may be of too few kinds. */
function launchWithVariety(prices: ClaimPrices, types: readonly string[]): Found {
  const { launch, launchFailure: why } = prices.launch(types);
  return launch ? { offer: launch.cheapest } : { why };
}

function cheapestLeft(prices: ClaimPrices, types: readonly string[]): Offer | undefined {
  const [type] = prices.launchable(types);
  return type === undefined ? undefined : prices.cheapest(type);
}

/** The cheapest of the types that EC2 is asked for: the provider leaves some out, as GPUs where there are others. */
function askedFor({ claim, instanceTypes, capacityTypes }: Replacement): string | undefined {
  const { launch } = claim ?? {};
  return launch && capacityTypes.includes(launch.capacityType) ? launch.instanceTypes.find((type) => instanceTypes.includes(type)) : undefined;
}

function poolOf({ cluster: { scheduling } }: World, nodePool: string): ScheduleInput['nodePools'][number] {
  return scheduling.nodePools.find(({ name }) => name === nodePool)!;
}
