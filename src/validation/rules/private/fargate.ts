import { Controller } from '../../controller';
import { AwsModel, covers } from '../../template';

/** Labels of the controller's pods that the chart gives them. */
const POD_LABELS: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' };

/** Whether a Fargate profile takes the controller's pods. */
export function isOnFargate({ fargateProfiles }: AwsModel, { namespace }: Controller): boolean {
  return namespace !== undefined && fargateProfiles.some(({ selectors }) => selectors.some((selector) =>
    covers(selector.namespace, namespace) === 'yes' && Object.entries(selector.labels).every(([key, value]) => covers(value, POD_LABELS[key] ?? '') === 'yes')));
}
