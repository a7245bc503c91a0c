import { Label } from '../../../../model';
import {
  amountText,
  ClaimPrices,
  launchedNode,
  NodePoolSpec,
  Offer,
  templateOf,
  withReservationChange,
} from '../../../../scheduling';
import { Command, Replacement } from '../../../types';
import { SimulatedCluster } from '../../cluster/simulated-cluster';
import { canLaunchStaticReplacement, launchStaticReplacement } from '../static-pools';

/** The key of the node limit of a NodePool. */
const NODES = 'nodes';

/** Why the replacements of a command cannot be launched. */
export interface LaunchFailure {
  /** In Karpenter's own words. @default - EC2 has no capacity */
  readonly why?: string;
  readonly nodePool: string;
}

/** A limit that a NodePool exceeds. */
export interface ExceededLimit {
  readonly nodePool: string;
  /** A sentence. */
  readonly why: string;
}

/** The first NodePool of the replacements that exceeds its limits. */
export function exceededLimit(
  cluster: SimulatedCluster,
  { replacements }: Pick<Command, 'replacements'>,
): ExceededLimit | undefined {
  const pools = [...new Set(replacements.map(({ nodePool }) => nodePool))];
  return pools.map((nodePool) => exceededLimitOf(cluster, nodePool)).find((exceeded) => exceeded !== undefined);
}

/**
 * The first limit that a NodePool exceeds, for example after its limits were lowered. Karpenter simulates without the
 * candidates but launches with them, so no replacement can be launched. Nodes that are being deleted do not count.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function exceededLimitOf({ nodes, config }: SimulatedCluster, nodePool: string): ExceededLimit | undefined {
  const { limits } = config.scheduling.nodePools.find(({ name }) => name === nodePool) ?? {};
  if (limits === undefined || limits.size === 0) return undefined;
  const counted = [...nodes.values()].filter(
    ({ node: { labels, claim }, phase }) =>
      labels[Label.NODE_POOL] === nodePool && claim && (phase === 'initialized' || phase === 'launching'),
  );
  for (const [resource, limit] of limits) {
    const used =
      resource === NODES
        ? BigInt(counted.length)
        : counted.reduce((sum, { node: { capacity } }) => sum + (capacity.get(resource) ?? 0n), 0n);
    if (used > limit) {
      const amounts = `limits.${resource} is ${amountText(resource, limit)}, and ${amountText(resource, used)} are used`;
      return {
        nodePool,
        why: `${amounts} by NodePool "${nodePool}": Karpenter cannot launch replacements for its nodes`,
      };
    }
  }
  return undefined;
}

/** Returns undefined if EC2 has capacity for all replacements of the command. */
export function launchFailure(cluster: SimulatedCluster, { replacements }: Command): LaunchFailure | undefined {
  const selections = selectOffers(cluster, replacements);
  const isMissing = ({ nodePool, claim }: Replacement, index: number) =>
    claim ? selections[index].offer === undefined : !canLaunchStaticReplacement(cluster, poolOf(cluster, nodePool));
  const failed = replacements.findIndex(isMissing);
  return failed < 0 ? undefined : { nodePool: replacements[failed].nodePool, why: selections[failed].why };
}

/** Launches the replacements of a command as far as possible. Returns the names of the nodes. */
export function launchReplacements(
  cluster: SimulatedCluster,
  { replacements }: Pick<Command, 'replacements'>,
): string[] {
  const {
    cloudProvider,
    config: { scheduling, catalog },
  } = cluster;
  const selections = selectOffers(cluster, replacements);
  return replacements.flatMap(({ nodePool, claim }, index) => {
    const pool = poolOf(cluster, nodePool);
    if (pool.replicas !== undefined) return launchStaticReplacement(cluster, pool);
    const template = templateOf(pool, { ...scheduling, nodes: [] }, catalog);
    const { offer } = selections[index];
    return claim && offer && template
      ? [cloudProvider.launch(nodePool, launchedNode(template, offer, claim, cloudProvider.nextOrdinal), offer)]
      : [];
  });
}

/** The offer that EC2 launches for a replacement. */
interface OfferSelection {
  readonly offer?: Offer;
  /** Why there is none, in Karpenter's own words. */
  readonly why?: string;
}

/** One replacement after the other, because each may use up a capacity reservation. */
function selectOffers(cluster: SimulatedCluster, replacements: readonly Replacement[]): OfferSelection[] {
  const { scheduling, catalog } = cluster.config;
  let { nodeClasses } = scheduling;
  return replacements.map((replacement): OfferSelection => {
    const { claim, cheapest, instanceTypes, capacityTypes, nodePool } = replacement;
    const offer = cheapest ?? claim?.launch?.cheapest;
    const requestedType = cheapestRequestedType(replacement);
    const isRequested = requestedType === undefined || requestedType === offer?.instanceType;
    const pool = poolOf(cluster, nodePool);
    const hasMinValues = pool.requirements.some(({ minValues }) => minValues !== undefined);
    if (!claim || (offer?.reservation === undefined && isRequested && !hasMinValues)) return { offer };
    const template = templateOf(pool, { ...scheduling, nodeClasses, nodes: [] }, catalog);
    if (!template) return {};
    const prices = new ClaimPrices(claim, template, scheduling.settings, capacityTypes);
    const selection = hasMinValues
      ? offerWithMinValues(prices, instanceTypes)
      : {
          offer:
            offer?.reservation === undefined
              ? prices.cheapestOffer(requestedType!)
              : cheapestAvailable(prices, instanceTypes),
        };
    if (selection.offer?.reservation !== undefined)
      nodeClasses = withReservationChange(nodeClasses, selection.offer.reservation, -1);
    return selection;
  });
}

/** A request to EC2 names only some of the types, and these may be too few for minValues. */
function offerWithMinValues(prices: ClaimPrices, types: readonly string[]): OfferSelection {
  const { launch, launchFailure: why } = prices.launch(types);
  return launch ? { offer: launch.cheapest } : { why };
}

function cheapestAvailable(prices: ClaimPrices, types: readonly string[]): Offer | undefined {
  const [type] = prices.launchableTypes(types);
  return type === undefined ? undefined : prices.cheapestOffer(type);
}

/**
 * The cheapest type in the request to EC2. The provider leaves some types out, such as those with GPUs if others would
 * do.
 */
function cheapestRequestedType({ claim, instanceTypes, capacityTypes }: Replacement): string | undefined {
  const { launch } = claim ?? {};
  return launch && capacityTypes.includes(launch.capacityType)
    ? launch.instanceTypes.find((type) => instanceTypes.includes(type))
    : undefined;
}

function poolOf({ config: { scheduling } }: SimulatedCluster, nodePool: string): NodePoolSpec {
  return scheduling.nodePools.find(({ name }) => name === nodePool)!;
}
