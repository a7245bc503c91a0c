import { ManifestObject } from './model';
import { textOf } from './records';
import { asRecord } from '../../contract';

/** How many pods an autoscaler may give a workload. */
export interface ReplicaRange {
  /** `HorizontalPodAutoscaler shop/web`. */
  readonly autoscaler: string;
  readonly least: number;
  readonly most: number;
}

const HORIZONTAL = 'HorizontalPodAutoscaler';
/** Of KEDA, which makes a HorizontalPodAutoscaler of each. */
const KEDA = 'ScaledObject';

/**
 * The HorizontalPodAutoscalers of the input: whatever the load, a workload has no fewer pods than one says, and no more.
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
        const key = keyOf(textOf(target?.kind), namespace, textOf(target?.name));
        // One that the API server would refuse scales nothing, as long as there is another.
        if (!this.horizontal.has(key) || countsOf(object)) this.horizontal.set(key, object);
      }
      if (kind === KEDA) this.keda.set(keyOf(textOf(target?.kind ?? 'Deployment'), namespace, textOf(target?.name)), object);
    }
  }

  public rangeOf(kind: string, namespace: string, name: string): ReplicaRange | undefined {
    const object = this.horizontalOf(kind, namespace, name);
    const counts = object && countsOf(object);
    return counts && { autoscaler: `${HORIZONTAL} ${namespace}/${object.name}`, ...counts };
  }

  /** Also one whose numbers cannot be used. */
  public horizontalOf(kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.horizontal.size === 0 ? undefined : this.horizontal.get(keyOf(kind, namespace, name));
  }

  public kedaOf(kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.keda.size === 0 ? undefined : this.keda.get(keyOf(kind, namespace, name));
  }

  /** As many as are written, as far as the autoscaler leaves it at that; of a workload that is at 0 it takes no notice. */
  public replicasOf(kind: string, namespace: string, name: string, written: number): number {
    const range = this.rangeOf(kind, namespace, name);
    return !range || written === 0 ? written : Math.min(range.most, Math.max(range.least, written));
  }
}

function countsOf({ raw }: ManifestObject): Pick<ReplicaRange, 'least' | 'most'> | undefined {
  const spec = asRecord(raw.spec);
  const least = spec?.minReplicas ?? 1;
  const most = spec?.maxReplicas;
  return isCount(least) && isCount(most) && most >= 1 && most >= least ? { least, most } : undefined;
}

function keyOf(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
