import { Surroundings } from './safeguard-rule';
import { Settings } from '../settings';
import { Subject } from '../subject';

/**
 * Where an autoscaler decides, a number in the manifest would fight with it at each apply. A second pod with a claim
 * that is on one node would wait on another node for ever.
 */
export function replicas({ spec }: Subject, { minReplicas, filledIn }: Settings, { scaler, sharedClaim }: Surroundings): string | undefined {
  if (!scaler && sharedClaim !== undefined) {
    if (spec.replicas === null || spec.replicas === filledIn.replicas) spec.replicas = 1;
    return spec.replicas === 1 ? onOneNode(sharedClaim) : undefined;
  }
  if (!scaler) return keepAtLeast(spec, 'replicas', minReplicas, filledIn.replicas);
  if (spec.replicas === filledIn.replicas) delete spec.replicas;
  return scaler.least > 0 && scaler.least < minReplicas ? `${scaler.least}, by ${scaler.title}` : undefined;
}

/** The API server refuses one that is to keep more than it may have. */
export function autoscaledReplicas({ spec }: Subject, { minReplicas }: Settings, { sharedClaim }: Surroundings): string | undefined {
  if (sharedClaim !== undefined) return (spec.minReplicas ?? 1) === 1 ? onOneNode(sharedClaim) : undefined;
  const most = Number.isSafeInteger(spec.maxReplicas) ? Math.max(1, spec.maxReplicas) : minReplicas;
  const weaker = keepAtLeast(spec, 'minReplicas', Math.min(most, minReplicas));
  return most < minReplicas ? `at most ${most}` : weaker;
}

/** None at all is a workload that is switched off. */
function keepAtLeast(spec: Record<string, unknown>, field: string, least: number, filledIn?: number): string | undefined {
  const written = spec[field];
  if (written === undefined || written === null || (filledIn !== undefined && written === filledIn && filledIn < least)) {
    spec[field] = least;
    return undefined;
  }
  return typeof written === 'number' && written > 0 && written < least ? `${written}` : undefined;
}

function onOneNode(claim: string): string {
  return `1, by claim ${claim}, which is on one node`;
}
