import { NetworkLimits } from '../../catalog';
import { asRecord } from '../../contract';
import { memoizeByIdentity, parseGoBool, parseYaml } from '../../model';
import { eksctlClusters } from '../cluster/node-groups';
import { gitOpsReleases } from '../controller';
import { findUnresolved } from '../manifest/find-unresolved';
import { FieldPath, ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

/** How the VPC CNI gives addresses to pods. */
export interface VpcCni {
  /** The object with its settings. */
  readonly object: ManifestObject;
  readonly hasPrefixes: boolean;
  /** Pods have addresses of another subnet, so that the first interface has none for them. */
  readonly hasOwnSubnets: boolean;
}

/** Addresses of the prefix /28. */
const ADDRESSES_PER_PREFIX = 16;
/** aws-node and kube-proxy have the node's own address. Karpenter and EKS count them in the same way. */
const PODS_ON_HOST_NETWORK = 2;

const CHART = 'aws-vpc-cni';
const PREFIXES = 'ENABLE_PREFIX_DELEGATION';
const OWN_SUBNETS = 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG';
const IPV6 = 'ENABLE_IPv6';
const VARIABLE = /^[A-Z][A-Z0-9]*_\w+$/;
/** Names that `env` is mistaken for. */
const OTHER_MAPPINGS = /^(aws-node|env[-_]?vars?|environment|envs?)$/i;
const SETTINGS = [PREFIXES, OWN_SUBNETS, IPV6];

/** The settings of the VPC CNI; undefined if the input does not have them all, or if pods have IPv6 addresses. */
export const vpcCniOf = memoizeByIdentity((model: ManifestModel): VpcCni | undefined => {
  const { object, env } = vpcCniSettings(model) ?? {};
  if (object === undefined || env === undefined) return undefined;
  const used = SETTINGS.map((name) => env[name]);
  if (findUnresolved(used) !== undefined || isOn(env, IPV6) || hasIpv6(model)) return undefined;
  return {
    object,
    hasPrefixes: isOn(env, PREFIXES),
    hasOwnSubnets: isOn(env, OWN_SUBNETS),
  };
});

/**
 * The most pods that have an address on an instance type, those of the host network included.
 *
 * @see https://github.com/awslabs/amazon-eks-ami/blob/main/templates/shared/runtime/eni-max-pods.txt
 */
export function podsWithAddress(
  { interfaces, ipv4PerInterface, isNitro }: NetworkLimits,
  cni: Omit<VpcCni, 'object'>,
): number {
  const usable = Math.max(interfaces - Number(cni.hasOwnSubnets), 0);
  // An instance type without Nitro has single addresses only.
  const addresses = (ipv4PerInterface - 1) * (cni.hasPrefixes && isNitro ? ADDRESSES_PER_PREFIX : 1);
  return usable * addresses + PODS_ON_HOST_NETWORK;
}

/** The only object with settings of the VPC CNI. */
export function vpcCniSettings(model: ManifestModel): CniSettings | undefined {
  const [only, ...others] = [...daemonSets(model), ...addons(model), ...eksctlAddons(model), ...charts(model)];
  return others.length > 0 ? undefined : only;
}

/** Where settings may be, with the environment of aws-node; without `env` it is known only at deployment. */
export interface CniSettings {
  readonly object: ManifestObject;
  readonly env?: PlainRecord;
  /** Where a setting is, or would be. */
  readonly pathOf: (setting: string) => FieldPath;
}

function daemonSets({ objects, cluster }: ManifestModel): CniSettings[] {
  return [...objects, ...(cluster?.objects ?? [])]
    .filter(({ kind, name }) => kind === 'DaemonSet' && name === 'aws-node')
    .map((object) => {
      const containers = recordsOf(object.raw?.spec?.template?.spec?.containers);
      const container = containers.find(({ name }) => name === 'aws-node');
      const variables = recordsOf(container?.env);
      const isKnown =
        container !== undefined &&
        container.envFrom === undefined &&
        SETTINGS.every((setting) => variables.every(({ name, valueFrom }) => name !== setting || !valueFrom));
      const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
      const path = [
        'spec',
        'template',
        'spec',
        'containers',
        ...(container ? [containers.indexOf(container), 'env'] : []),
      ];
      const pathOf = (setting: string) => {
        const index = variables.findIndex(({ name }) => name === setting);
        return index < 0 ? path : [...path, index, 'value'];
      };
      return isKnown ? { object, env, pathOf } : { object, pathOf };
    });
}

function addons({ aws }: ManifestModel): CniSettings[] {
  return aws.addons
    .filter(({ name }) => name === 'vpc-cni')
    .map(({ resource: { object, properties, tool } }) => {
      const { ConfigurationValues: configuration } = properties;
      // In Terraform, a command such as `kubectl set env` often sets the variables.
      const isUnknown = tool === 'Terraform' && configuration === undefined;
      return { object, pathOf: () => [], ...(isUnknown ? {} : { env: envOf(configuration) }) };
    });
}

function eksctlAddons({ objects }: ManifestModel): CniSettings[] {
  return eksctlClusters(objects).flatMap(({ object }) =>
    recordsOf(object.raw?.addons).flatMap(({ name, configurationValues }, index) =>
      name === 'vpc-cni'
        ? [{ object, env: envOf(configurationValues), pathOf: () => ['addons', index, 'configurationValues'] }]
        : [],
    ),
  );
}

/** The releases of the chart of the VPC CNI. Its defaults are those of the add-on. */
function charts({ objects, aws }: ManifestModel): CniSettings[] {
  const installed = gitOpsReleases(objects, CHART).map(({ object, values, complete, valuesPath }) => ({
    object,
    pathOf: (setting: string) => [...valuesPath, 'env', setting],
    ...(complete ? { env: asRecord(values.env) ?? {} } : {}),
  }));
  const ofTemplates = aws.helmReleases
    .filter(({ chart }) => chart === CHART)
    .map(({ resource: { object }, values }) => ({
      object,
      pathOf: () => [],
      ...(values ? { env: asRecord(values.env) ?? {} } : {}),
    }));
  return [...installed, ...ofTemplates];
}

/** The environment in the configuration of the add-on: JSON or YAML. Undefined if it is not known. */
function envOf(configuration: unknown): PlainRecord | undefined {
  if (configuration === undefined) return {};
  if (typeof configuration !== 'string' || findUnresolved(configuration) !== undefined) return undefined;
  try {
    const values = asRecord(parseYaml(configuration));
    return values && { ...misplacedVariables(values), ...asRecord(values.env) };
  } catch {
    return undefined;
  }
}

/** Variables of the VPC CNI that are beside `env` instead of in it, or in a mapping of another name. */
export function misplacedVariables(values: PlainRecord): PlainRecord {
  const variablesOf = (record: PlainRecord) => Object.entries(record).filter(([key]) => VARIABLE.test(key));
  const ofOthers = Object.entries(values).flatMap(([key, value]) =>
    key !== 'env' && OTHER_MAPPINGS.test(key) ? variablesOf(asRecord(value) ?? {}) : [],
  );
  return Object.fromEntries([...variablesOf(values), ...ofOthers]);
}

/** Whether the cluster of the input gives IPv6 addresses to pods. */
export function hasIpv6({ aws, objects }: ManifestModel): boolean {
  const families = [
    ...aws.clusters.map(({ resource }) => asRecord(resource.properties.KubernetesNetworkConfig)?.IpFamily),
    ...eksctlClusters(objects).map(({ object }) => asRecord(object.raw?.kubernetesNetworkConfig)?.ipFamily),
  ];
  return families.some((family) => typeof family === 'string' && family.toLowerCase() === 'ipv6');
}

/** Whether a setting of aws-node is true, as `strconv.ParseBool` of Go reads it. */
export function isOn(env: PlainRecord, name: string): boolean {
  return Object.hasOwn(env, name) && parseGoBool(env[name]) === true;
}
