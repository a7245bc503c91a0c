import { RelatedObjects } from './safeguard-rule';
import { Settings } from '../settings';
import { EditableWorkload } from '../editable-workload';

/**
 * With an autoscaler, `replicas` is removed: each apply would overwrite the number of the autoscaler. With a shared
 * claim that is mounted on one node, a second pod on another node would stay pending forever.
 */
export function replicas({ spec }: EditableWorkload, { minReplicas, defaults: filledIn }: Settings, { autoscaler: scaler, sharedClaim }: RelatedObjects): string | undefined {
  if (!scaler && sharedClaim !== undefined) {
    if (spec.replicas === null || spec.replicas === filledIn.replicas) spec.replicas = 1;
    return spec.replicas === 1 ? onOneNode(sharedClaim) : undefined;
  }
  if (!scaler) return raiseTo(spec, 'replicas', minReplicas, filledIn.replicas);
  if (spec.replicas === filledIn.replicas) delete spec.replicas;
  return scaler.minReplicas > 0 && scaler.minReplicas < minReplicas ? `${scaler.minReplicas}, by ${scaler.name}` : undefined;
}

/** Keeps minReplicas at or below maxReplicas, which the API server requires. */
export function autoscaledReplicas({ spec }: EditableWorkload, { minReplicas }: Settings, { sharedClaim }: RelatedObjects): string | undefined {
  if (sharedClaim !== undefined) return (spec.minReplicas ?? 1) === 1 ? onOneNode(sharedClaim) : undefined;
  const maxReplicas = Number.isSafeInteger(spec.maxReplicas) ? Math.max(1, spec.maxReplicas) : minReplicas;
  const weaker = raiseTo(spec, 'minReplicas', Math.min(maxReplicas, minReplicas));
  return maxReplicas < minReplicas ? `at most ${maxReplicas}` : weaker;
}

/** Keeps 0: the workload is switched off. */
function raiseTo(spec: Record<string, unknown>, field: string, min: number, defaultValue?: number): string | undefined {
  const written = spec[field];
  if (written === undefined || written === null || (defaultValue !== undefined && written === defaultValue && defaultValue < min)) {
    spec[field] = min;
    return undefined;
  }
  return typeof written === 'number' && written > 0 && written < min ? `${written}` : undefined;
}

function onOneNode(claim: string): string {
  return `1, by claim ${claim}, which is on one node`;
}
