import { WorkloadFacts } from './safeguard-rule';
import { EditableWorkload } from '../editable-workload';
import { Settings } from '../settings';

/**
 * With an autoscaler, `replicas` is removed: each apply would overwrite the number of the autoscaler. With a shared
 * claim that is mounted on one node, a second pod on another node would stay pending forever.
 */
export function replicas(
  { spec }: EditableWorkload,
  { minReplicas, defaults }: Settings,
  { autoscaler, sharedClaim }: WorkloadFacts,
): string | undefined {
  if (!autoscaler && sharedClaim !== undefined) {
    if (spec.replicas === null || spec.replicas === defaults.replicas) spec.replicas = 1;
    return spec.replicas === 1 ? onOneNode(sharedClaim) : undefined;
  }
  if (!autoscaler) return raiseTo(spec, 'replicas', minReplicas, defaults.replicas);
  if (spec.replicas === defaults.replicas) delete spec.replicas;
  return autoscaler.minReplicas > 0 && autoscaler.minReplicas < minReplicas
    ? `${autoscaler.minReplicas}, by ${autoscaler.name}`
    : undefined;
}

/** Keeps minReplicas at or below maxReplicas, which the API server requires. */
export function autoscaledReplicas(
  { spec }: EditableWorkload,
  { minReplicas }: Settings,
  { sharedClaim }: WorkloadFacts,
): string | undefined {
  if (sharedClaim !== undefined) return (spec.minReplicas ?? 1) === 1 ? onOneNode(sharedClaim) : undefined;
  const maxReplicas = Number.isSafeInteger(spec.maxReplicas) ? Math.max(1, spec.maxReplicas) : minReplicas;
  const weaker = raiseTo(spec, 'minReplicas', Math.min(maxReplicas, minReplicas));
  return maxReplicas < minReplicas ? `at most ${maxReplicas}` : weaker;
}

/** Keeps 0: the workload is switched off. */
function raiseTo(spec: Record<string, unknown>, field: string, min: number, defaultValue?: number): string | undefined {
  const written = spec[field];
  if (
    written === undefined ||
    written === null ||
    (defaultValue !== undefined && written === defaultValue && defaultValue < min)
  ) {
    spec[field] = min;
    return undefined;
  }
  return typeof written === 'number' && written > 0 && written < min ? `${written}` : undefined;
}

function onOneNode(claim: string): string {
  return `1, by claim ${claim}, which is on one node`;
}
