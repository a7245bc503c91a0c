import { asRecord } from '../../../contract';
import { ManifestObject } from '../model';
import { scalarText } from '../records';

/** The replica counts that an autoscaler may set. */
export interface ReplicaRange {
  /** `HorizontalPodAutoscaler shop/web`. */
  readonly autoscaler: string;
  readonly min: number;
  readonly max: number;
}

const HORIZONTAL = 'HorizontalPodAutoscaler';
/** KEDA's kind; KEDA makes a HorizontalPodAutoscaler from each. */
const KEDA = 'ScaledObject';

/**
 * The autoscalers of the input. Whatever the load, a HorizontalPodAutoscaler keeps the replicas of its workload in its
 * range.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
 */
export class Autoscalers {
  private readonly horizontal = new Map<string, ManifestObject>();
  private readonly keda = new Map<string, ManifestObject>();

  public constructor(objects: readonly ManifestObject[]) {
    for (const object of objects) {
      const { apiVersion, kind, namespace = 'default', raw } = object;
      const target = asRecord(asRecord(raw.spec)?.scaleTargetRef);
      if (kind === HORIZONTAL && apiVersion.startsWith('autoscaling/')) {
        const key = keyOf(scalarText(target?.kind), namespace, scalarText(target?.name));
        // An autoscaler that the API server would reject does not replace a valid one.
        if (!this.horizontal.has(key) || limitsOf(object)) this.horizontal.set(key, object);
      }
      if (kind === KEDA)
        this.keda.set(keyOf(scalarText(target?.kind ?? 'Deployment'), namespace, scalarText(target?.name)), object);
    }
  }

  public rangeOf(kind: string, namespace: string, name: string): ReplicaRange | undefined {
    const object = this.horizontalAutoscalerOf(kind, namespace, name);
    const limits = object && limitsOf(object);
    return limits && { autoscaler: `${HORIZONTAL} ${namespace}/${object.name}`, ...limits };
  }

  /** The most pods that an autoscaler may run, KEDA's included. */
  public peakOf(kind: string, namespace: string, name: string): number | undefined {
    const max = asRecord(this.scaledObjectOf(kind, namespace, name)?.raw.spec)?.maxReplicaCount;
    return this.rangeOf(kind, namespace, name)?.max ?? (isCount(max) && max > 0 ? max : undefined);
  }

  /** Also returns an autoscaler with invalid limits. */
  public horizontalAutoscalerOf(kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.horizontal.size === 0 ? undefined : this.horizontal.get(keyOf(kind, namespace, name));
  }

  public scaledObjectOf(kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.keda.size === 0 ? undefined : this.keda.get(keyOf(kind, namespace, name));
  }

  /** The replicas within the autoscaler's range. An autoscaler does not act on a workload with 0 replicas. */
  public clampReplicas(kind: string, namespace: string, name: string, replicas: number): number {
    const range = this.rangeOf(kind, namespace, name);
    return !range || replicas === 0 ? replicas : Math.min(range.max, Math.max(range.min, replicas));
  }
}

function limitsOf({ raw }: ManifestObject): Pick<ReplicaRange, 'min' | 'max'> | undefined {
  const spec = asRecord(raw.spec);
  const min = spec?.minReplicas ?? 1;
  const max = spec?.maxReplicas;
  return isCount(min) && isCount(max) && max >= 1 && max >= min ? { min, max } : undefined;
}

function keyOf(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
