import { asRecord } from '../../../contract';
import { isCount } from '../field-reader';
import { ManifestObject } from '../model';
import { scalarText } from '../records';
import { isRollout, rolloutPartName } from './custom/rollout';

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
const PAUSED = 'autoscaling.keda.sh/paused';
const PAUSED_AT = 'autoscaling.keda.sh/paused-replicas';
/** KEDA's default of `maxReplicaCount`. */
export const KEDA_MAX = 100;

/**
 * The autoscalers of the input. Whatever the load, a HorizontalPodAutoscaler keeps the replicas of its workload in its
 * range, and so does a ScaledObject of KEDA.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
 * @see https://keda.sh/docs/latest/reference/scaledobject-spec/
 */
export class Autoscalers {
  private readonly horizontal = new Map<string, ManifestObject>();
  private readonly keda = new Map<string, ManifestObject>();

  public constructor(objects: readonly ManifestObject[]) {
    const rollouts = new Map(
      objects
        .filter(isRollout)
        .map((object) => [keyOf('Rollout', object.namespace ?? 'default', object.name), rolloutPartName(object)]),
    );
    const targetKey = ({ namespace = 'default', raw }: ManifestObject, standardKind?: string) => {
      const target = asRecord(raw.spec?.scaleTargetRef);
      const key = keyOf(scalarText(target?.kind ?? standardKind), namespace, scalarText(target?.name));
      const ofRollout = rollouts.get(key);
      return ofRollout === undefined ? key : keyOf('Deployment', namespace, ofRollout);
    };
    for (const object of objects) {
      const { apiVersion, kind } = object;
      if (kind === HORIZONTAL && apiVersion.startsWith('autoscaling/')) {
        const key = targetKey(object);
        // An autoscaler that the API server would reject does not replace a valid one.
        if (!this.horizontal.has(key) || limitsOf(object)) this.horizontal.set(key, object);
      }
      if (kind === KEDA) this.keda.set(targetKey(object, 'Deployment'), object);
    }
  }

  public rangeOf(kind: string, namespace: string, name: string): ReplicaRange | undefined {
    const object = this.horizontalAutoscalerOf(kind, namespace, name) ?? this.scaledObjectOf(kind, namespace, name);
    const limits = object && (object.kind === KEDA ? kedaLimitsOf(object) : limitsOf(object));
    return limits && { autoscaler: `${object.kind} ${namespace}/${object.name}`, ...limits };
  }

  /** The most pods that an autoscaler may run. Undefined if only KEDA's default says how many. */
  public peakOf(kind: string, namespace: string, name: string): number | undefined {
    const max = this.writtenRangeOf(kind, namespace, name)?.max;
    return max === 0 ? undefined : max;
  }

  /** The range, unless its upper end is only KEDA's default. */
  public writtenRangeOf(kind: string, namespace: string, name: string): ReplicaRange | undefined {
    const isDefault =
      this.horizontalAutoscalerOf(kind, namespace, name) === undefined &&
      asRecord(this.scaledObjectOf(kind, namespace, name)?.raw.spec)?.maxReplicaCount === undefined;
    return isDefault ? undefined : this.rangeOf(kind, namespace, name);
  }

  /** Also returns an autoscaler with invalid limits. */
  public horizontalAutoscalerOf(kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.horizontal.size === 0 ? undefined : this.horizontal.get(keyOf(kind, namespace, name));
  }

  public scaledObjectOf(kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.keda.size === 0 ? undefined : this.keda.get(keyOf(kind, namespace, name));
  }

  /** Whether the autoscaler also acts on a workload with 0 replicas. */
  public isScaledFromZero(kind: string, namespace: string, name: string): boolean {
    return this.rangeOf(kind, namespace, name)?.autoscaler.startsWith(KEDA) === true;
  }

  /**
   * The replicas within the autoscaler's range. A HorizontalPodAutoscaler does not act on a workload with 0 replicas;
   * KEDA does.
   */
  public clampReplicas(kind: string, namespace: string, name: string, replicas: number): number {
    const range = this.rangeOf(kind, namespace, name);
    return !range || (replicas === 0 && !this.isScaledFromZero(kind, namespace, name))
      ? replicas
      : Math.min(range.max, Math.max(range.min, replicas));
  }
}

function limitsOf({ raw }: ManifestObject): Pick<ReplicaRange, 'min' | 'max'> | undefined {
  const spec = asRecord(raw.spec);
  const min = spec?.minReplicas ?? 1;
  const max = spec?.maxReplicas;
  return isCount(min) && isCount(max) && max >= 1 && max >= min ? { min, max } : undefined;
}

/** An idle workload has `idleReplicaCount` pods, if that is set. A paused ScaledObject sets a fixed number or none. */
function kedaLimitsOf({ raw }: ManifestObject): Pick<ReplicaRange, 'min' | 'max'> | undefined {
  const spec = asRecord(raw.spec);
  const annotations = asRecord(raw.metadata?.annotations);
  const paused = annotations?.[PAUSED_AT];
  if (typeof paused === 'string' && /^\d{1,6}$/.test(paused)) return { min: Number(paused), max: Number(paused) };
  if (paused !== undefined || String(annotations?.[PAUSED] ?? 'false') !== 'false') return undefined;
  const min = spec?.idleReplicaCount ?? spec?.minReplicaCount ?? 0;
  const max = spec?.maxReplicaCount ?? KEDA_MAX;
  return isCount(min) && isCount(max) && max >= 1 && max >= min ? { min, max } : undefined;
}

function keyOf(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}
