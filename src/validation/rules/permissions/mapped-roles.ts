import { parse } from 'yaml';
import { asRecord, NODE_GROUPS } from '../../../contract';
import { valueText } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';

/** Access entry types of self-managed nodes, by operating system. */
export const TYPES_BY_SYSTEM: readonly string[] = ['EC2_LINUX', 'EC2_WINDOWS'];

/** A role that the cluster lets join as nodes. */
export interface MappedRole {
  readonly name: string;
  readonly arn: string;
  readonly object: ManifestObject;
  readonly path: readonly (string | number)[];
}

/** The roles of nodes in aws-auth, and in the file of eksctl. */
export function mappedNodes(objects: readonly ManifestObject[]): MappedRole[] {
  const [cluster, ...others] = eksctlClusters(objects);
  const ofEksctl = others.length > 0 ? [] : recordsOf(cluster?.object.raw.iamIdentityMappings);
  const ofEntries = others.length > 0 ? [] : recordsOf(asRecord(cluster?.object.raw.accessConfig)?.accessEntries);
  const configMap = awsAuthOf(objects);
  const all = [
    ...ofEksctl.map((mapping, index) => ({
      ...mappingOf({ ...mapping, rolearn: mapping.arn }),
      object: cluster.object,
      path: ['iamIdentityMappings', index, 'arn'],
    })),
    ...ofEntries.map(({ principalARN, type }, index) => ({
      roleArn: valueText(principalARN ?? ''),
      groups: TYPES_BY_SYSTEM.includes(valueText(type ?? '')) ? NODE_GROUPS : [],
      object: cluster.object,
      path: ['accessConfig', 'accessEntries', index, 'principalARN'],
    })),
    ...(roleMappings(objects) ?? []).map((mapping) => ({ ...mapping, object: configMap!, path: ['data', 'mapRoles'] })),
  ];
  return all.flatMap(({ roleArn, groups, object, path }) => {
    const name = /^arn:[^$]*:role\/(?:[^$]*\/)?([\w+=,.@-]+)$/.exec(roleArn)?.[1];
    const isNode = NODE_GROUPS.every((group) => groups.includes(group));
    return name === undefined || !isNode ? [] : [{ name, arn: roleArn, object, path }];
  });
}

/** An aws-auth mapping of an IAM role to Kubernetes groups. */
export interface RoleMapping {
  readonly roleArn: string;
  readonly groups: readonly string[];
}

/** The role mappings of ConfigMap aws-auth; undefined if there is no such ConfigMap or it cannot be parsed. */
export function roleMappings(objects: readonly ManifestObject[]): RoleMapping[] | undefined {
  const text = awsAuthOf(objects)?.raw.data?.mapRoles;
  return typeof text === 'string' ? mappingsIn(text) : undefined;
}

function awsAuthOf(objects: readonly ManifestObject[]): ManifestObject | undefined {
  return objects.find(
    ({ kind, name, namespace }) => kind === 'ConfigMap' && name === 'aws-auth' && namespace === 'kube-system',
  );
}

function mappingsIn(text: string): RoleMapping[] | undefined {
  try {
    return recordsOf(parse(text)).map(mappingOf);
  } catch {
    return undefined;
  }
}

function mappingOf({ rolearn, groups }: PlainRecord): RoleMapping {
  return { roleArn: valueText(rolearn), groups: Array.isArray(groups) ? groups.map(valueText) : [] };
}
