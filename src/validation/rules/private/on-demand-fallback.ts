import { commonRequirements, refusingTaint } from './pod-constraints';
import { Pool } from './pool';
import { Label } from '../../../model';
import { PodShape } from '../../../scheduling';

export interface Fallback {
  readonly exists: 'yes' | 'no' | 'unknown';
  /** Where it is unknown. */
  readonly why?: string;
}

/** Capacity types that EC2 does not take back. */
export const LASTING_CAPACITY = ['on-demand', 'reserved'];

/** Whether all that the NodePool launches is spot. */
export function isSpotAlone({ launch }: Pool): boolean {
  const types = launch?.view.capacityTypes ?? [];
  return types.includes('spot') && !types.some((type) => LASTING_CAPACITY.includes(type));
}

/** Whether some NodePool launches other nodes than spot for pods. */
export class OnDemandFallbacks {
  /** Once for all pods with the same constraints: there may be thousands of workloads. */
  private readonly known = new Map<string, Fallback>();

  public constructor(private readonly pools: readonly Pool[]) {}

  public for(shape: PodShape): Fallback {
    const key = JSON.stringify([shape.nodeSelector, shape.requiredNodeAffinity, shape.tolerations]);
    const found = this.known.get(key) ?? this.find(shape);
    this.known.set(key, found);
    return found;
  }

  private find(shape: PodShape): Fallback {
    if (this.pools.some((pool) => takesOnDemand(pool, shape))) return { exists: 'yes' };
    const unknown = this.pools.find(({ launch }) => launch === undefined);
    return unknown ? { exists: 'unknown', why: `NodePool ${unknown.name} may take its pods on demand: ${unknown.why}` } : { exists: 'no' };
  }
}

function takesOnDemand(pool: Pool, shape: PodShape): boolean {
  const { spec, launch } = pool;
  if (!spec || !launch || !launch.view.capacityTypes.some((type) => LASTING_CAPACITY.includes(type))) return false;
  if (refusingTaint(shape, spec.taints) !== undefined) return false;
  return commonRequirements(shape, pool).some((requirements) => LASTING_CAPACITY.some((type) => requirements.get(Label.CAPACITY_TYPE).has(type)));
}
