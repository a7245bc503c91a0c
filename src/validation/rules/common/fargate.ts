import { Controller } from '../../controller';
import { allOf, Answer, anyOf, AwsModel, covers } from '../../template';

export const FARGATE_UNKNOWN = 'whether a Fargate profile selects its pods is known only at deployment';

/**
 * Whether a Fargate profile selects the controller's pods. All labels of a selector have to match; their values may
 * have wildcards.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/fargate-profile.html
 */
export function isOnFargate({ fargateProfiles }: AwsModel, { namespace, podLabels }: Controller): Answer {
  if (namespace === undefined) return 'no';
  return anyOf(
    fargateProfiles
      .flatMap(({ selectors }) => selectors)
      .map((selector) =>
        allOf([
          covers(selector.namespace, namespace),
          ...Object.entries(selector.labels).map(([key, value]) =>
            podLabels[key] === undefined ? 'no' : covers(value, podLabels[key]),
          ),
        ]),
      ),
  );
}
