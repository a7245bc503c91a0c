import { ClusterLog } from './cluster-log';
import { ClusterPod } from './cluster-pod';
import { asRecord } from '../../contract';
import { selects } from '../../model';
import { FieldReader } from '../manifest/field-reader';
import { readLabelSelector } from '../manifest/label-selector';
import { ManifestObject } from '../manifest/model';

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

  public constructor(objects: readonly ManifestObject[], log: ClusterLog) {
    this.budgets = objects.filter(({ apiVersion, kind }) => apiVersion === 'policy/v1' && kind === 'PodDisruptionBudget').map((object) => budgetOf(object, log));
  }

  /** An eviction of a pod with two budgets is refused, whatever they say. */
  public blocked(pod: ClusterPod): boolean {
    const own = this.budgets.filter((budget) => budget.selects(pod));
    return own.length > 1 || own.some(({ blocks, letsUnreadyGo }) => blocks && !(letsUnreadyGo && pod.unready));
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
