import { ClusterLog } from './cluster-log';
import { ClusterPod } from './cluster-pod';
import { asRecord, DISRUPTED_TAINT } from '../../contract';
import { selects, untolerated } from '../../model';
import { FieldReader } from '../manifest/field-reader';
import { readLabelSelector } from '../manifest/label-selector';
import { ManifestObject } from '../manifest/model';
import { readTolerations } from '../manifest/node-affinity';

interface Budget {
  readonly selects: (pod: ClusterPod) => boolean;
  readonly blocks: boolean;
  readonly letsUnreadyGo: boolean;
}

/**
 * The PodDisruptionBudgets that let no pod go at all, by what is written in them: Karpenter provisions nothing for pods that
 * stay on their node whatever happens to it.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go
 */
export class Evictions {
  private readonly budgets: readonly Budget[];

  public constructor(objects: readonly ManifestObject[], private readonly log: ClusterLog) {
    this.budgets = objects.filter(({ apiVersion, kind }) => apiVersion === 'policy/v1' && kind === 'PodDisruptionBudget').map((object) => budgetOf(object, log));
  }

  /** An eviction of a pod with two budgets is refused, whatever they say. Of pods that Karpenter does not evict itself no budget is asked. */
  public blocked(pod: ClusterPod): boolean {
    if (pod.terminating || this.toleratesDisruption(pod)) return false;
    const own = this.budgets.filter((budget) => budget.selects(pod));
    return own.length > 1 || own.some(({ blocks, letsUnreadyGo }) => blocks && !(letsUnreadyGo && pod.unready));
  }

  private toleratesDisruption({ object }: ClusterPod): boolean {
    const tolerations = readTolerations(new FieldReader(object, this.log), ['spec', 'tolerations'], asRecord(object.raw.spec)?.tolerations);
    return untolerated([DISRUPTED_TAINT], tolerations).length === 0;
  }
}

function budgetOf(object: ManifestObject, log: ClusterLog): Budget {
  const spec = asRecord(object.raw.spec) ?? {};
  const selector = spec.selector === undefined ? undefined : readLabelSelector(new FieldReader(object, log), ['spec', 'selector'], spec.selector);
  const namespace = object.namespace ?? 'default';
  return {
    selects: (pod) => selector !== undefined && pod.namespace === namespace && selects(selector, pod.labels),
    blocks: spec.maxUnavailable === 0 || spec.maxUnavailable === '0%' || spec.minAvailable === '100%',
    letsUnreadyGo: spec.unhealthyPodEvictionPolicy === 'AlwaysAllow',
  };
}
