/** The NodePools that the pods of a workload run on. */
import { INodePool, NodePool } from '../../nodes';
import { ResilienceProps } from '../resilience-props';

/** The other pool of a pair with weights: its fallback, or the pool that it is the fallback of. */
function partnerOf(pool: INodePool): NodePool | undefined {
  return pool instanceof NodePool ? (pool._fallback ?? pool._fallbackOf) : undefined;
}

/** All NodePools, with the fallback of `nodePool`: a node selector for one of the two would defeat the other. */
export function nodePoolsOf({ nodePool, nodePools }: ResilienceProps): INodePool[] {
  if (nodePools !== undefined) return [...nodePools];
  if (nodePool === undefined) return [];
  const fallback = nodePool instanceof NodePool ? nodePool._fallback : undefined;
  return fallback === undefined ? [nodePool] : [nodePool, fallback];
}

interface NodePoolProblem {
  readonly property: 'nodePool' | 'nodePools';
  readonly problem: string;
  readonly got: string;
  readonly remedy: string;
}

/** The problem of a selection of NodePools, if it has one. */
export function findNodePoolProblem(props: ResilienceProps): NodePoolProblem | undefined {
  const { nodePool, nodePools } = props;
  const property = nodePools === undefined ? 'nodePool' : 'nodePools';
  if (nodePool !== undefined && nodePools !== undefined)
    return { property, problem: 'must not be given together with nodePool', got: 'both', remedy: 'write one of them' };
  if (nodePools?.length === 0)
    return { property, problem: 'must have at least one NodePool', got: '[]', remedy: 'leave it out for any NodePool' };
  const pools = nodePoolsOf(props);
  const lone = pools.find((pool) => {
    const partner = partnerOf(pool);
    return partner !== undefined && !pools.includes(partner);
  });
  if (lone === undefined) return undefined;
  const partner = partnerOf(lone)!.name;
  return {
    property,
    problem: `must have both NodePools of a pair with weights, because pods that select one never use the other, ${partner}`,
    got: `${lone.name} alone`,
    remedy:
      'write nodePools with both, such as setup.generalPools; for nodes on demand only, add capacity: CapacityPlacement.onDemandOnly()',
  };
}

/** The zones of these NodePools together, if each is limited to known zones. */
export function zonesOfPools(pools: readonly INodePool[]): string[] | undefined {
  const zones = pools.map((pool) => pool.zones);
  if (zones.length === 0 || zones.includes(undefined)) return undefined;
  return [...new Set(zones.flatMap((names) => names ?? []))];
}
