import { Label } from '../../../../model';
import { PodShape } from '../../../../scheduling';
import { commonRequirements, blockingTaint } from '../../common/pod-constraints';
import { Pool } from '../../common/pool';

export interface Fallback {
  readonly exists: 'yes' | 'no' | 'unknown';
  /** Why it is unknown. */
  readonly why?: string;
}

/** Capacity types that EC2 does not interrupt. */
export const NON_SPOT_CAPACITY_TYPES = ['on-demand', 'reserved'];

/** Whether the NodePool launches spot nodes only. */
export function launchesOnlySpot({ launch }: Pool): boolean {
  const types = launch?.view.capacityTypes ?? [];
  return types.includes('spot') && !types.some((type) => NON_SPOT_CAPACITY_TYPES.includes(type));
}

/** Whether any NodePool launches on-demand or reserved nodes for a pod. */
export class OnDemandFallbacks {
  /** Fallbacks by pod constraints. Hot path: thousands of workloads often share the same constraints. */
  private readonly byConstraints = new Map<string, Fallback>();

  public constructor(private readonly pools: readonly Pool[]) {}

  public for(shape: PodShape): Fallback {
    const key = JSON.stringify([shape.nodeSelector, shape.requiredNodeAffinity, shape.tolerations]);
    const fallback = this.byConstraints.get(key) ?? this.find(shape);
    this.byConstraints.set(key, fallback);
    return fallback;
  }

  private find(shape: PodShape): Fallback {
    if (this.pools.some((pool) => takesOnDemand(pool, shape))) return { exists: 'yes' };
    const unknown = this.pools.find(({ launch }) => launch === undefined);
    return unknown
      ? { exists: 'unknown', why: `NodePool ${unknown.name} may run its pods on demand: ${unknown.why}` }
      : { exists: 'no' };
  }
}

function takesOnDemand(pool: Pool, shape: PodShape): boolean {
  const { spec, launch } = pool;
  if (!spec || !launch || !launch.view.capacityTypes.some((type) => NON_SPOT_CAPACITY_TYPES.includes(type)))
    return false;
  if (blockingTaint(shape, spec.taints) !== undefined) return false;
  return commonRequirements(shape, pool).some((requirements) =>
    NON_SPOT_CAPACITY_TYPES.some((type) => requirements.get(Label.CAPACITY_TYPE).has(type)),
  );
}
