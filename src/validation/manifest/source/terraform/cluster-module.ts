import { Evaluator, Scope } from './hcl/evaluate';
import { Block, bodyAttribute, HclExpression } from './hcl/syntax';
import { moduleRelease } from './karpenter-module';
import { asRecord } from '../../../../contract';
import { WrittenResource } from '../../../vocabulary/source-file';

/** The EKS module in the registry, and the same in Git; not its submodules. */
const SOURCE = /terraform-aws-(?:modules\/eks\/aws|eks(?:\.git)?)(?!\/\/modules)(?=["?]|$)/;
/** The first release with access entries, in whose mode clusters are by default. */
const FIRST_WITH_ENTRIES = 20;
const UNKNOWN = '${unknown}';

/** Whether a source is that of the EKS module. */
export function isClusterModule(source: unknown): boolean {
  return typeof source === 'string' && SOURCE.test(source);
}

/** The name of the cluster that a call of the EKS module creates: its output `cluster_name`. */
export function clusterNameOfModule({ body }: Block, text: string): HclExpression | undefined {
  const source = bodyAttribute(body, 'source');
  const isRepeated = ['count', 'for_each'].some((argument) => bodyAttribute(body, argument));
  if (source === undefined || isRepeated || !SOURCE.test(text.slice(source.start, source.end))) return undefined;
  return bodyAttribute(body, 'name') ?? bodyAttribute(body, 'cluster_name');
}

/**
 * The cluster, its access entries and its Fargate profiles, which a call of the EKS module creates.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-eks/blob/v21.0.0/variables.tf
 */
export function clusterModule(
  block: Block,
  text: string,
  scope: Scope,
  place: WrittenResource['place'],
): WrittenResource[] {
  const {
    body,
    labels: [name = ''],
  } = block;
  const source = bodyAttribute(body, 'source');
  const written = source && text.slice(source.start, source.end);
  if (written === undefined || !SOURCE.test(written)) return [];
  const valueOf = (...names: readonly string[]): unknown => {
    const expression = names.map((argument) => bodyAttribute(body, argument)).find((one) => one !== undefined);
    return expression && new Evaluator(scope).valueOf({ expression, text });
  };
  if (valueOf('create') === false) return [];
  const release = moduleRelease(valueOf('version'), written);
  const named = clusterNameOfModule(block, text);
  const cluster = named ? new Evaluator(scope).valueOf({ expression: named, text }) : `\${module.${name}.cluster_name}`;
  const mode =
    valueOf('authentication_mode') ??
    (release !== undefined && release >= FIRST_WITH_ENTRIES ? 'API_AND_CONFIG_MAP' : UNKNOWN);
  const resource = (type: string, values: WrittenResource['values'], own = 'this'): WrittenResource => ({
    mode: 'managed',
    module: name,
    type,
    name: `${type}.${own}`,
    values,
    place: { ...place, attributes: { ...place.attributes, ...alias(place, 'access_config', 'authentication_mode') } },
  });
  const compute = asRecord(valueOf('compute_config', 'cluster_compute_config'));
  const services = valueOf('service_ipv4_cidr', 'cluster_service_ipv4_cidr');
  return [
    resource('aws_eks_cluster', {
      name: cluster,
      version: valueOf('kubernetes_version', 'cluster_version'),
      access_config: [{ authentication_mode: mode }],
      ...(compute ? { compute_config: [compute] } : {}),
      ...(services === undefined ? {} : { kubernetes_network_config: [{ service_ipv4_cidr: services }] }),
    }),
    ...(isUnknown(valueOf('addons', 'cluster_addons'))
      ? [resource('aws_eks_addon', { cluster_name: cluster, addon_name: UNKNOWN })]
      : []),
    ...entriesOf(valueOf('access_entries')).map(([key, entry]) =>
      resource('aws_eks_access_entry', { cluster_name: cluster, ...entry }, key),
    ),
    ...(bodyAttribute(body, 'fargate_profiles')
      ? [resource('aws_eks_fargate_profile', { cluster_name: cluster, selector: [{ namespace: UNKNOWN }] })]
      : []),
  ];
}

function alias(
  { attributes }: WrittenResource['place'],
  name: string,
  of: string,
): WrittenResource['place']['attributes'] {
  return Object.hasOwn(attributes, of) ? { [name]: attributes[of] } : {};
}

/** Whether a mapping is known only to Terraform. */
function isUnknown(value: unknown): boolean {
  return value !== undefined && value !== null && asRecord(value) === undefined;
}

function entriesOf(value: unknown): Array<readonly [string, WrittenResource['values']]> {
  return Object.entries(asRecord(value) ?? {}).flatMap(([key, entry]) => {
    const { principal_arn: principal, type = 'STANDARD' } = asRecord(entry) ?? {};
    return principal === undefined ? [] : [[key, { principal_arn: principal, type }] as const];
  });
}
