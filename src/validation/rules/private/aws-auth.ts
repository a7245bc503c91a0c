import { parse } from 'yaml';
import { asRecord } from '../../../contract';
import { ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';

/** A mapping of a role to a user and groups of Kubernetes. */
export interface RoleMapping { readonly roleArn: string; readonly groups: readonly string[] }

/** The role mappings of the ConfigMap aws-auth; undefined where there is none, or it cannot be read. */
export function roleMappings(objects: readonly ManifestObject[]): RoleMapping[] | undefined {
  const configMap = objects.find(({ kind, name, namespace }) => kind === 'ConfigMap' && name === 'aws-auth' && namespace === 'kube-system');
  const text = asRecord(configMap?.raw.data)?.mapRoles;
  return typeof text === 'string' ? mappingsIn(text) : undefined;
}

function mappingsIn(text: string): RoleMapping[] | undefined {
  try {
    return recordsOf(parse(text)).map(mappingOf);
  } catch {
    return undefined;
  }
}

function mappingOf({ rolearn, groups }: PlainRecord): RoleMapping {
  return { roleArn: String(rolearn), groups: Array.isArray(groups) ? groups.map(String) : [] };
}
