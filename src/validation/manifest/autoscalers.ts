import { ManifestObject } from './model';
import { asRecord } from '../../contract';

/** How many pods an autoscaler may give a workload. */
export interface ReplicaRange {
  /** `HorizontalPodAutoscaler shop/web`. */
  readonly autoscaler: string;
  readonly least: number;
  readonly most: number;
}

/**
 * The HorizontalPodAutoscalers of the input: whatever the load, a workload has no fewer pods than one says, and no more.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
 */
export class Autoscalers {
  private readonly ranges = new Map<string, ReplicaRange>();

  public constructor(objects: readonly ManifestObject[]) {
    for (const { apiVersion, kind, namespace = 'default', name, raw } of objects) {
      if (kind !== 'HorizontalPodAutoscaler' || !apiVersion.startsWith('autoscaling/')) continue;
      const spec = asRecord(raw.spec);
      const target = asRecord(spec?.scaleTargetRef);
      const least = spec?.minReplicas ?? 1;
      const most = spec?.maxReplicas;
      // One that the API server would refuse scales nothing.
      if (!isCount(least) || !isCount(most) || most < 1 || most < least) continue;
      this.ranges.set(keyOf(String(target?.kind), namespace, String(target?.name)), { autoscaler: `${kind} ${namespace}/${name}`, least, most });
    }
  }

  public rangeOf(kind: string, namespace: string, name: string): ReplicaRange | undefined {
    return this.ranges.get(keyOf(kind, namespace, name));
  }

  /** As many as are written, as far as the autoscaler leaves it at that; of a workload that is at 0 it takes no notice. */
  public replicasOf(kind: string, namespace: string, name: string, written: number): number {
    const range = this.rangeOf(kind, namespace, name);
    return !range || written === 0 ? written : Math.min(range.most, Math.max(range.least, written));
  }
}

function keyOf(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
