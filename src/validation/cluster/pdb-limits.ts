import { ClusterLog } from './cluster-objects';
import { SnapshotPod } from './cluster-pod';
import { asRecord, DISRUPTED_TAINT } from '../../contract';
import { selects, untolerated } from '../../model';
import { FieldReader } from '../manifest/field-reader';
import { ManifestObject } from '../manifest/model';
import { readLabelSelector } from '../manifest/workload/label-selector';
import { readTolerations } from '../manifest/workload/node-affinity';

interface PdbLimit {
  readonly selects: (pod: SnapshotPod) => boolean;
  /** Whether the written values never allow an eviction. */
  readonly blocksEviction: boolean;
  readonly allowsUnready: boolean;
}

/**
 * The PodDisruptionBudgets that never allow an eviction, by their written values. Karpenter provisions no capacity for
 * pods that cannot be evicted from a node that is being deleted.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go
 */
export class SnapshotPdbLimits {
  private readonly limits: readonly PdbLimit[];

  public constructor(
    objects: readonly ManifestObject[],
    private readonly log: ClusterLog,
  ) {
    this.limits = objects
      .filter(({ apiVersion, kind }) => apiVersion === 'policy/v1' && kind === 'PodDisruptionBudget')
      .map((object) => limitOf(object, log));
  }

  /**
   * The API server refuses to evict a pod with two budgets. Budgets do not matter for pods that Karpenter does not
   * evict.
   */
  public isEvictionBlocked(pod: SnapshotPod): boolean {
    if (pod.isTerminating || this.toleratesDisruption(pod)) return false;
    const podLimits = this.limits.filter((limit) => limit.selects(pod));
    return (
      podLimits.length > 1 ||
      podLimits.some(({ blocksEviction, allowsUnready }) => blocksEviction && !(allowsUnready && pod.isUnready))
    );
  }

  private toleratesDisruption({ object }: SnapshotPod): boolean {
    const tolerations = readTolerations(
      new FieldReader(object, this.log),
      ['spec', 'tolerations'],
      object.raw.spec?.tolerations,
    );
    return untolerated([DISRUPTED_TAINT], tolerations).length === 0;
  }
}

function limitOf(object: ManifestObject, log: ClusterLog): PdbLimit {
  const spec = asRecord(object.raw.spec) ?? {};
  const selector =
    spec.selector === undefined
      ? undefined
      : readLabelSelector(new FieldReader(object, log), ['spec', 'selector'], spec.selector);
  const namespace = object.namespace ?? 'default';
  return {
    selects: (pod) => selector !== undefined && pod.namespace === namespace && selects(selector, pod.labels),
    blocksEviction: spec.maxUnavailable === 0 || spec.maxUnavailable === '0%' || spec.minAvailable === '100%',
    allowsUnready: spec.unhealthyPodEvictionPolicy === 'AlwaysAllow',
  };
}
