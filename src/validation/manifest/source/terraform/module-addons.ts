import { Evaluator, Scope } from './hcl/evaluate';
import { Block } from './hcl/syntax';
import { asRecord } from '../../../../contract';
import { WrittenResource } from '../../../vocabulary/source-file';

/** Arguments of modules that install add-ons of EKS, by their names. */
const ARGUMENT = /^(?:cluster_|eks_)?addons$/;

/**
 * The add-ons that a call of a module installs, such as `addons` of terraform-aws-modules/eks/aws.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-eks/blob/v21.0.0/variables.tf
 */
export function moduleAddons(
  { body, labels: [module = ''] }: Block,
  text: string,
  scope: Scope,
  place: WrittenResource['place'],
): WrittenResource[] {
  return body.attributes
    .filter(({ name }) => ARGUMENT.test(name))
    .flatMap(({ name: argument, value }) => {
      const at = place.attributes[argument] ?? place;
      const addons = asRecord(new Evaluator(scope).valueOf({ expression: value, text })) ?? {};
      return Object.entries(addons).flatMap(([name, settings]): WrittenResource[] => {
        const { configuration_values: configuration, name: own = name } = asRecord(settings) ?? {};
        if (asRecord(settings) === undefined) return [];
        return [
          {
            mode: 'managed',
            type: 'aws_eks_addon',
            name: `aws_eks_addon.${name}`,
            module,
            values: {
              addon_name: own,
              ...(configuration === undefined || configuration === null ? {} : { configuration_values: configuration }),
            },
            place: { path: place.path, line: at.line, column: at.column, attributes: {} },
          },
        ];
      });
    });
}
