import { Block, bodyAttribute, HclExpression } from './hcl/syntax';
import { WrittenResource } from '../../../vocabulary/source-file';

const VPC_MODULE = /terraform-aws-(?:modules\/vpc\/aws|vpc(?:\.git)?)(?!\/\/modules)(?=["?]|$)/;
/** Names and sources of modules that may make subnets. */
const NETWORKS = /vpc|subnet|network/i;
/** The modules of endpoints and of EKS make no subnets. Local modules are read. */
const READ_OR_OTHER = /vpc-endpoints|^terraform-aws-modules\/|^\.{1,2}\//;
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

/**
 * The zones of the subnets of the VPC module, which gives the first subnet the first zone, and so on.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-vpc/blob/v6.0.0/main.tf
 */
export function zonesOfModule(
  { body }: Block,
  valueOf: (expression: HclExpression) => unknown,
): Readonly<Record<string, unknown>> {
  const value = (name: string) => {
    const expression = bodyAttribute(body, name);
    return expression && valueOf(expression);
  };
  const source = value('source');
  return typeof source === 'string' && VPC_MODULE.test(source) ? { zones: value('azs') } : {};
}

/** The VPC of the VPC module, and what stands for the routes or endpoints of any module. */
export function networkOfModule(
  { labels: [name = ''], body }: Block,
  text: string,
  place: WrittenResource['place'],
  valueOf: (expression: HclExpression) => unknown,
): WrittenResource[] {
  const value = (argument: string) => {
    const expression = bodyAttribute(body, argument);
    return expression && valueOf(expression);
  };
  const resource = (type: string, own: string, values: WrittenResource['values'] = {}): WrittenResource => ({
    mode: 'managed',
    type,
    name: `${name}.${own}`,
    module: name,
    values,
    place,
  });
  const source = value('source');
  const isVpc = typeof source === 'string' && VPC_MODULE.test(source);
  return [
    ...(ROUTES.test(text) ? [resource('aws_vpc_endpoint', 'routes')] : []),
    ...(isVpc ? [resource('aws_vpc', 'aws_vpc.this', { cidr_block: value('cidr') })] : []),
    ...(!isVpc && mayMakeSubnets(name, source) ? [resource('aws_vpc', 'unread')] : []),
  ];
}

function mayMakeSubnets(name: string, source: unknown): boolean {
  const isKnown = typeof source === 'string' && READ_OR_OTHER.test(source);
  return !isKnown && [name, source].some((text) => typeof text === 'string' && NETWORKS.test(text));
}
