import { Size } from 'cdk8s';
import { toDecimalUnlessToken, unlessEmpty } from './private/lowering';

/**
 * Amounts of resources that must not be exceeded.
 */
export interface ResourceLimits {
  /**
   * Number of vCPUs. A fraction is allowed.
   *
   * @default - no limit
   */
  readonly cpu?: number;

  /**
   * Memory.
   *
   * @default - no limit
   */
  readonly memory?: Size;

  /**
   * Any other resource, as a Kubernetes quantity: `{ 'nvidia.com/gpu': '8' }`.
   *
   * @default - no limit
   */
  readonly other?: { [resource: string]: string };
}

/**
 * How large a NodePool may grow: limits on the sums over its nodes.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#speclimits
 */
export interface NodePoolLimits extends ResourceLimits {
  /**
   * Number of nodes. Static NodePools can have only this limit.
   *
   * @default - no limit
   */
  readonly nodes?: number;
}

/** @internal */
export function _toLimits({ cpu, memory, nodes, other }: NodePoolLimits = {}): Record<string, unknown> | undefined {
  return unlessEmpty({
    ...(cpu !== undefined && { cpu: toDecimalUnlessToken(cpu) }),
    ...(memory !== undefined && { memory: memory.asString() }),
    ...(nodes !== undefined && { nodes: toDecimalUnlessToken(nodes) }),
    ...other,
  });
}
