import { Label } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { selectsOwnPods } from '../../common/pod-constraints';
import { optOutReason } from '../../common/serving-workloads';

/**
 * Whether something spreads the pods, or the workload opts out. A spread over zones also spreads over nodes, because a
 * node is in one zone. A constraint that selects only other pods does not count.
 */
export function isSpread(workload: WorkloadManifest): boolean {
  const { shape } = workload;
  const domains = [Label.ZONE, Label.HOSTNAME] as readonly string[];
  const { required = [], preferred = [] } = shape?.podAntiAffinity ?? {};
  const constraints = [...(shape?.topologySpread ?? []), ...required, ...preferred.map(({ term }) => term)];
  return (
    optOutReason(workload, 'hostname-spread') !== undefined ||
    constraints.some((constraint) => domains.includes(constraint.topologyKey) && selectsOwnPods(constraint, workload))
  );
}

/** Whether a spread constraint of the pods selects other pods only. */
export function hasWrongSpread(workload: WorkloadManifest): boolean {
  return (workload.shape?.topologySpread ?? []).some((spread) => !selectsOwnPods(spread, workload));
}

/** What to add so that the pods are spread. */
export const SPREAD_REMEDY = `topologySpreadConstraints over ${Label.ZONE} and ${Label.HOSTNAME}, with the labels of the pod template as labelSelector`;
