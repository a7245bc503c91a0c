import { Scaler } from '../scaler';
import { Settings } from '../settings';
import { Subject } from '../subject';

/** Where an autoscaler decides, a number in the manifest would fight with it at each apply. */
export function replicas({ spec }: Subject, { minReplicas, replicasUnwritten }: Settings, scaler: Scaler | undefined): string | undefined {
  if (scaler) return undefined;
  return keepAtLeast(spec, 'replicas', minReplicas, replicasUnwritten);
}

export function autoscaledReplicas({ spec }: Subject, { minReplicas }: Settings): string | undefined {
  return keepAtLeast(spec, 'minReplicas', minReplicas, false);
}

/** None at all is a workload that is switched off. */
function keepAtLeast(spec: Record<string, unknown>, field: string, least: number, unwritten: boolean): string | undefined {
  const written = spec[field];
  if (written === undefined || written === null || (unwritten && Number(written) < least)) {
    spec[field] = least;
    return undefined;
  }
  return typeof written === 'number' && written > 0 && written < least ? `${written}` : undefined;
}
