import { isClusterModule } from './cluster-module';
import { isPlaceholder } from './hcl/evaluate';
import { Block, bodyAttribute, HclExpression } from './hcl/syntax';
import { moduleRelease } from './karpenter-module';
import { asRecord } from '../../../../contract';
import { valueText } from '../../../../model';
import { WrittenResource } from '../../../vocabulary/source-file';

const VPC_MODULE = /terraform-aws-(?:modules\/vpc\/aws|vpc(?:\.git)?)(?!\/\/modules)(?=["?]|$)/;
/** Names and sources of modules that may make subnets. */
const NETWORKS = /vpc|subnet|network/i;
/** The modules of endpoints and of EKS make no subnets. Local modules are read. */
const READ_OR_OTHER = /vpc-endpoints|^terraform-aws-modules\/|^\.{1,2}\//;
/** The type of a resource that stands for the tags which a block gives to subnets or security groups. */
export const TAGS = 'terraform_tags';
/** Arguments whose tags the subnets of the VPC module get, and the groups of the EKS module. */
const TAGS_OF_SUBNETS = /^(?:tags|(?:private|public|intra)_subnet_tags)$/;
const TAGS_OF_GROUPS = /^(?:tags|cluster_tags|(?:node_|cluster_)?security_group_tags)$/;
/** What else may tag subnets or security groups: scripts, and modules with such arguments. */
const SCRIPT = /\bcreate-tags\b/;
const TAGGING = /subnet|security[-_]group/;
const MODULE_OF_GROUPS = /^terraform-aws-modules\/(?!security-group)/;
/** Arguments of modules that add routes, or endpoints, to route tables. */
const ROUTES = /\broute_tables?_ids?\b|\bvpc[-_]endpoints?\b/;

/** The first release that is certain to give instances in public subnets no public address by default. */
const WITHOUT_ADDRESSES = 5;

/**
 * Whether the VPC module gives its private or intra subnets no route to other networks, or nodes in its public subnets
 * no address with which they use the route.
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
  const version = value('version');
  const release = version === undefined && !source.includes('?') ? Infinity : moduleRelease(version, source);
  const isPublic =
    argument === 'public_subnet_tags' &&
    release !== undefined &&
    release >= WITHOUT_ADDRESSES &&
    [undefined, false].includes(value('map_public_ip_on_launch') as boolean | undefined) &&
    bodyAttribute(body, 'enable_ipv6') === undefined;
  return isPrivate || isPublic || argument === 'intra_subnet_tags' ? { is_isolated: true } : {};
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
    // A module that gets a security group may add rules to it.
    ...(/\baws_security_group\./.test(text) ? [resource('aws_security_group_rule', 'rules')] : []),
    ...(isVpc ? [resource('aws_vpc', 'aws_vpc.this', { cidr_block: value('cidr') })] : []),
    ...(!isVpc && mayMakeSubnets(name, source) ? [resource('aws_vpc', 'unread')] : []),
  ];
}

/**
 * The keys of all tags that a block gives to its subnets or security groups: of the VPC module, of the EKS module, and
 * of a provider. Without keys if only Terraform knows them.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-eks/blob/v21.0.0/node_groups.tf
 */
export function tagsOfBlock(
  { type, labels: [first = ''], body }: Block,
  text: string,
  place: WrittenResource['place'],
  valueOf: (expression: HclExpression) => unknown,
): WrittenResource[] {
  const of = (kind: string, keys: readonly string[] | undefined): WrittenResource[] => [
    { mode: 'managed', type: TAGS, name: first, values: { name: `module.${first}`, kind, keys }, place },
  ];
  const keysOf = (written: readonly unknown[]) => {
    const records = written.map((value) => (isPlaceholder(value) ? undefined : asRecord(value)));
    const keys = records.flatMap((record) => Object.keys(record ?? {}));
    return records.includes(undefined) || keys.some((key) => key.includes('${')) ? undefined : keys;
  };
  const keysIn = (names: RegExp) =>
    keysOf(body.attributes.filter(({ name }) => names.test(name)).map(({ value }) => valueOf(value)));
  const attribute = (name: string) => {
    const expression = bodyAttribute(body, name);
    return expression && valueOf(expression);
  };
  if (type === 'provider' && first === 'aws')
    return body.blocks
      .filter((block) => block.type === 'default_tags')
      .flatMap((block) => of('any', keysOf(block.body.attributes.map(({ value }) => valueOf(value)))));
  if (type === 'resource' && first === 'aws_ec2_tag')
    return of('any', keysOf([{ [valueText(attribute('key'))]: true }]));
  if (type !== 'module') return !first.startsWith('aws_') && SCRIPT.test(text) ? of('any', undefined) : [];
  const source = attribute('source');
  if (typeof source === 'string' && VPC_MODULE.test(source)) {
    const isPerZone = /_tags_per_az[ \t]*=/.test(text);
    return of('subnets', isPerZone ? undefined : keysIn(TAGS_OF_SUBNETS));
  }
  if (isClusterModule(source)) {
    const hasOwn = attribute('create_node_security_group') ?? true;
    return of('securityGroups', hasOwn === true ? keysIn(TAGS_OF_GROUPS) : undefined);
  }
  const isKnown = typeof source === 'string' && MODULE_OF_GROUPS.test(source);
  return !isKnown && TAGGING.test(text) ? of('any', undefined) : [];
}

function mayMakeSubnets(name: string, source: unknown): boolean {
  const isKnown = typeof source === 'string' && READ_OR_OTHER.test(source);
  return !isKnown && [name, source].some((text) => typeof text === 'string' && NETWORKS.test(text));
}
