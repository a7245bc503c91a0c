import { UsageLog, UsageResource } from './figures';
import { asRecord } from '../../../contract';
import { Quantity } from '../../../model';
import { FieldPath, ManifestObject } from '../../manifest';

const PATH = ['status', 'recommendation', 'containerRecommendations'] as const;

/**
 * The targets of a VerticalPodAutoscaler. They are requests already: the recommender adds a margin of 15 % by default.
 *
 * @see https://github.com/kubernetes/autoscaler/blob/vertical-pod-autoscaler-1.4.1/vertical-pod-autoscaler/pkg/recommender/logic/recommender.go
 */
export function readVerticalPodAutoscaler(object: ManifestObject, log: UsageLog): void {
  const { raw, namespace = 'default' } = object;
  const at = (path: FieldPath) => placeOf(object, path);
  const { kind, name } = asRecord(raw.spec?.targetRef) ?? {};
  if (typeof kind !== 'string' || typeof name !== 'string') {
    log.note('the VerticalPodAutoscaler has no targetRef with kind and name: not used', at(['spec']));
    return;
  }
  const recommendations = asRecord(raw.status?.recommendation)?.containerRecommendations;
  if (!Array.isArray(recommendations) || recommendations.length === 0) {
    log.note('the VerticalPodAutoscaler has no recommendation yet: not used', at(['status']));
    return;
  }
  recommendations.forEach((recommendation, index) => {
    const { containerName, target } = asRecord(recommendation) ?? {};
    const amounts = asRecord(target);
    if (typeof containerName !== 'string' || amounts === undefined) {
      log.note('the recommendation has no containerName with a target: not used', at([...PATH, index]));
      return;
    }
    for (const resource of ['cpu', 'memory'] as const) {
      if (amounts[resource] === undefined) continue;
      const figureAt = at([...PATH, index, 'target', resource]);
      const amount = amountOf(resource, amounts[resource]);
      if (amount === undefined) log.note('the target is no quantity: not used', figureAt);
      else
        log.add({
          namespace,
          workload: { kind, name },
          container: containerName,
          resource,
          source: 'VPA',
          amount,
          at: figureAt,
        });
    }
  });
}

function placeOf(object: ManifestObject, path: FieldPath): string {
  const { file, line } = object.locate(path);
  return `${file}:${line}`;
}

function amountOf(resource: UsageResource, value: unknown): number | undefined {
  const quantity = Quantity.tryParse(value);
  return quantity && Number(resource === 'cpu' ? quantity.milliValue() : quantity.value());
}
