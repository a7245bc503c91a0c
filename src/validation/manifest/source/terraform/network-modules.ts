import { Block, bodyAttribute, HclExpression } from './hcl/syntax';
import { WrittenResource } from '../../../vocabulary/source-file';

const VPC_MODULE = /terraform-aws-(?:modules\/vpc\/aws|vpc(?:\.git)?)(?!\/\/modules)(?=["?]|$)/;
/** Arguments of modules that add routes, or endpoints, to route tables. */
const ROUTES = /\broute_tables?_ids?\b|\bvpc[-_]endpoints?\b/;

/**
 * Whether the VPC module gives its private or intra subnets no route to other networks.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-vpc/blob/v6.0.0/variables.tf
 */
export function isolation(
  { body }: Block,
  argument: string,
  valueOf: (expression: HclExpression) => unknown,
): Readonly<Record<string, unknown>> {
  const value = (name: string) => {
    const expression = bodyAttribute(body, name);
    return expression && valueOf(expression);
  };
  const source = value('source');
  if (typeof source !== 'string' || !VPC_MODULE.test(source)) return {};
  const hasNat = value('enable_nat_gateway');
  const isPrivate = argument === 'private_subnet_tags' && (hasNat === undefined || hasNat === false);
  return isPrivate || argument === 'intra_subnet_tags' ? { is_isolated: true } : {};
}

/** Stands for the routes or endpoints of a module, which may be for any route table. */
export function networkOfModule(
  { labels: [name = ''] }: Block,
  text: string,
  place: WrittenResource['place'],
): WrittenResource[] {
  if (!ROUTES.test(text)) return [];
  return [{ mode: 'managed', type: 'aws_vpc_endpoint', name: `${name}.routes`, module: name, values: {}, place }];
}
