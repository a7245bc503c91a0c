import { NamesOf } from './iam';
import { physicalName } from './resource-names';
import { hasUnknown, plainText } from './token';
import { asRecord } from '../../contract';
import { Taint, valueText } from '../../model';
import {
  AccessEntry,
  Addon,
  EksCluster,
  FargateProfile,
  NodeGroup,
  PodIdentityAssociation,
  TemplateResource,
} from '../manifest/aws-model';
import { PlainRecord, recordsOf } from '../manifest/records';

const EFFECTS: Readonly<Record<string, Taint['effect']>> = {
  NO_SCHEDULE: 'NoSchedule',
  NO_EXECUTE: 'NoExecute',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
};

export function readClusters(resources: readonly TemplateResource[], naming: NamesOf): EksCluster[] {
  return resources.flatMap((resource): EksCluster[] => {
    const clusterOf = (
      version: unknown,
      access: PlainRecord | undefined,
      mode: string,
      compute?: PlainRecord,
    ): EksCluster[] => [
      {
        resource,
        path: [],
        name: physicalName(naming(resource)),
        autoMode: compute?.Enabled === true || compute?.Enabled === 'true',
        ...(textsOf(compute?.NodePools) === undefined ? {} : { autoModePools: textsOf(compute?.NodePools) }),
        // A plan of Terraform has no values that are known only after apply.
        hasAutoModeRole: compute?.NodeRoleArn !== undefined || resource.tool === 'Terraform',
        ...(resolvedText(version) === undefined ? {} : { version: resolvedText(version) }),
        // EKS's default mode is CONFIG_MAP.
        ...(access?.[mode] === undefined
          ? { authenticationMode: 'CONFIG_MAP' }
          : resolvedText(access[mode]) === undefined
            ? {}
            : { authenticationMode: resolvedText(access[mode]) }),
      },
    ];
    const { Version, AccessConfig, ComputeConfig } = resource.properties;
    if (resource.type === 'AWS::EKS::Cluster')
      return clusterOf(Version, asRecord(AccessConfig), 'AuthenticationMode', asRecord(ComputeConfig));
    const config = resource.type === 'Custom::AWSCDK-EKS-Cluster' ? asRecord(resource.properties.Config) : undefined;
    return config ? clusterOf(config.version, asRecord(config.accessConfig), 'authenticationMode') : [];
  });
}

/** Undefined unless the value is a list of known texts. */
function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(resolvedText);
  return texts.some((text) => text === undefined) ? undefined : (texts as string[]);
}

export function readAccessEntries(resources: readonly TemplateResource[]): AccessEntry[] {
  return resourcesOfType(resources, 'AWS::EKS::AccessEntry').map((resource) => ({
    ...eksResource(resource),
    principal: plainText(resource.properties.PrincipalArn),
    entryType: plainText(resource.properties.Type ?? 'STANDARD'),
  }));
}

export function readPodIdentityAssociations(resources: readonly TemplateResource[]): PodIdentityAssociation[] {
  return resourcesOfType(resources, 'AWS::EKS::PodIdentityAssociation').map((resource) => ({
    ...eksResource(resource),
    namespace: plainText(resource.properties.Namespace),
    serviceAccount: plainText(resource.properties.ServiceAccount),
    role: plainText(resource.properties.RoleArn),
  }));
}

export function readNodeGroups(resources: readonly TemplateResource[]): NodeGroup[] {
  return resourcesOfType(resources, 'AWS::EKS::Nodegroup').map((resource) => {
    const { NodeRole, AmiType, ScalingConfig, Subnets, Labels, Taints } = resource.properties;
    const minSize = Number(valueText(asRecord(ScalingConfig)?.MinSize ?? 1));
    return {
      ...eksResource(resource),
      role: plainText(NodeRole),
      ...(resolvedText(AmiType) === undefined ? {} : { amiType: resolvedText(AmiType) }),
      ...(Number.isNaN(minSize) ? {} : { minSize }),
      subnets: Array.isArray(Subnets) ? Subnets.length : 0,
      labels: textMap(Labels),
      taints: recordsOf(Taints).map(taintOf),
    };
  });
}

export function readFargateProfiles(resources: readonly TemplateResource[]): FargateProfile[] {
  const native = resourcesOfType(resources, 'AWS::EKS::FargateProfile').map((resource) => ({
    ...eksResource(resource),
    selectors: recordsOf(resource.properties.Selectors).map(({ Namespace, Labels }) => ({
      namespace: plainText(Namespace),
      labels: Object.fromEntries(recordsOf(Labels).map(({ Key, Value }) => [plainText(Key), plainText(Value)])),
    })),
  }));
  const custom = resourcesOfType(resources, 'Custom::AWSCDK-EKS-FargateProfile').map((resource) => {
    const config = asRecord(resource.properties.Config) ?? {};
    return {
      resource,
      path: [],
      cluster: plainText(config.clusterName),
      selectors: recordsOf(config.selectors).map(({ namespace, labels }) => ({
        namespace: plainText(namespace),
        labels: textMap(labels),
      })),
    };
  });
  return [...native, ...custom];
}

export function readAddons(resources: readonly TemplateResource[]): Addon[] {
  return resourcesOfType(resources, 'AWS::EKS::Addon').map((resource) => ({
    ...eksResource(resource),
    name: plainText(resource.properties.AddonName),
  }));
}

/** A taint of a node group. EKS spells effects differently: `NO_SCHEDULE` for `NoSchedule`. */
function taintOf({ Key, Value, Effect }: PlainRecord): Taint {
  return {
    key: plainText(Key),
    ...(Value === undefined ? {} : { value: plainText(Value) }),
    effect: EFFECTS[plainText(Effect)] ?? 'NoSchedule',
  };
}

export function resourcesOfType(resources: readonly TemplateResource[], type: string): TemplateResource[] {
  return resources.filter((resource) => resource.type === type);
}

export function eksResource(resource: TemplateResource): { resource: TemplateResource; path: []; cluster: string } {
  return { resource, path: [], cluster: plainText(resource.properties.ClusterName) };
}

/** A value as text; undefined if it is known only at deployment. */
function resolvedText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? plainText(value) : undefined;
  return text === undefined || hasUnknown(text) ? undefined : text;
}

function textMap(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asRecord(value) ?? {}).map(([key, item]) => [key, plainText(item)]));
}
