import { NodeClassRole } from './node-roles';
import { asRecord, NODE_GROUPS, setField, unsafeFix } from '../../../contract';
import { parseYaml, valueText } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { ManifestModel, ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { SubjectFinding } from '../define-rule';

/** Access entry types of self-managed nodes, by operating system. */
export const TYPES_BY_SYSTEM: readonly string[] = ['EC2_LINUX', 'EC2_WINDOWS'];

/** A role that the cluster lets join as nodes. */
export interface MappedRole {
  readonly name: string;
  readonly arn: string;
  readonly object: ManifestObject;
  readonly path: readonly (string | number)[];
  /** The user that nodes with the role are. @default - an access entry decides, or no user is written */
  readonly user?: { readonly name: string; readonly path: readonly (string | number)[] };
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
      userPath: ['iamIdentityMappings', index, 'username'],
    })),
    ...ofEntries.map(({ principalARN, type }, index) => ({
      roleArn: valueText(principalARN ?? ''),
      groups: TYPES_BY_SYSTEM.includes(valueText(type ?? '')) ? NODE_GROUPS : [],
      username: undefined,
      userPath: [],
      object: cluster.object,
      path: ['accessConfig', 'accessEntries', index, 'principalARN'],
    })),
    ...(roleMappings(objects) ?? []).map((mapping) => ({
      ...mapping,
      object: configMap!,
      path: ['data', 'mapRoles'],
      userPath: ['data', 'mapRoles'],
    })),
  ];
  return all.flatMap(({ roleArn, groups, username, object, path, userPath }) => {
    const name = /^arn:[^$]*:role\/(?:[^$]*\/)?([\w+=,.@-]+)$/.exec(roleArn)?.[1];
    const isNode = NODE_GROUPS.every((group) => groups.includes(group));
    const user = username === undefined ? {} : { user: { name: username, path: userPath } };
    return name === undefined || !isNode ? [] : [{ name, arn: roleArn, object, path, ...user }];
  });
}

/** An aws-auth mapping of an IAM role to Kubernetes groups. */
export interface RoleMapping {
  readonly roleArn: string;
  readonly groups: readonly string[];
  readonly username?: string;
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
    return recordsOf(parseYaml(text)).map(mappingOf);
  } catch {
    return undefined;
  }
}

function mappingOf({ rolearn, groups, username }: PlainRecord): RoleMapping {
  return {
    roleArn: valueText(rolearn),
    groups: Array.isArray(groups) ? groups.map(valueText) : [],
    ...(typeof username === 'string' ? { username } : {}),
  };
}

/** The user that a kubelet has to be: the API server compares it with the name of the node. */
const NODE_USER = 'system:node:{{EC2PrivateDNSName}}';
/** A user without a variable, or with one that is no name of a node. Other braces may belong to a template. */
const OTHER_USER = /^[^{}$]*$|\{\{(?:SessionName|SessionNameRaw|AccessKeyID|AccountID)\}\}/;

/** A role of nodes that is mapped to a user which is no node. */
export function judgeUser(
  { nodeClass, name }: NodeClassRole,
  { nodeClasses, objects }: Pick<ManifestModel, 'nodeClasses' | 'objects'>,
): SubjectFinding | undefined {
  const mapping = mappedNodes(objects).find((role) => role.name === name);
  const first = nodeClasses.find(({ object }) => asRecord(object.raw.spec)?.role === name);
  const isByEntries = eksctlClusters(objects).some(
    ({ object }) => asRecord(object.raw.accessConfig)?.authenticationMode === 'API',
  );
  if (mapping?.user === undefined || first?.object !== nodeClass.object || isByEntries) return undefined;
  const { user, object } = mapping;
  if (!OTHER_USER.test(user.name)) return undefined;
  return {
    object,
    path: user.path,
    message:
      `maps the nodes' role ${name} to the user ${user.name}, which is not the name of a node: the API server refuses the kubelet, ` +
      'so nodes start and cost money but do not become ready',
    remedy: `write username: ${NODE_USER}`,
    evidence: { role: name, username: user.name, consequence: 'never-joins' },
    ...(user.path.at(-1) === 'username' ? { fix: unsafeFix(setField(user.path, NODE_USER)) } : {}),
  };
}
