import { asRecord } from '../../contract';
import { memoizeByIdentity, Taint, valueText } from '../../model';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf, stringMapOf, stringOrUndefined } from '../manifest/records';

/** The configuration file of eksctl. */
const EKSCTL = { group: 'eksctl.io/', kind: 'ClusterConfig' } as const;
const GROUP_FIELDS = ['managedNodeGroups', 'nodeGroups'] as const;

/** Nodes of a cluster that Karpenter does not manage. */
export interface NodeGroupFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** The instance types of its nodes. @default - unknown */
  readonly instanceTypes?: readonly string[];
}

/** A cluster as eksctl's configuration file describes it. */
export interface EksctlCluster {
  readonly object: ManifestObject;
  /** Whether the nodes of EKS Auto Mode run pods. */
  readonly isAutoMode: boolean;
  /** Whether pods of some namespaces run on Fargate. */
  readonly hasFargate: boolean;
  readonly region?: string;
  /** Kubernetes version. */
  readonly version?: string;
  /** The version of Karpenter that eksctl installs. */
  readonly karpenterVersion?: string;
  /** Names of EKS add-ons. */
  readonly addons: readonly string[];
  readonly nodeGroups: ReadonlyArray<
    NodeGroupFacts & {
      readonly path: readonly (string | number)[];
      readonly amiFamily?: string;
      /** How many nodes it starts with. @default - unknown */
      readonly nodes?: number;
    }
  >;
}

export function eksctlClusters(objects: readonly ManifestObject[]): EksctlCluster[] {
  return objects
    .filter(({ apiVersion, kind }) => kind === EKSCTL.kind && apiVersion.startsWith(EKSCTL.group))
    .map((object) => {
      const raw = object.raw as PlainRecord;
      const metadata = asRecord(raw.metadata);
      return {
        object,
        isAutoMode: asRecord(raw.autoModeConfig)?.enabled === true,
        hasFargate: recordsOf(raw.fargateProfiles).length > 0,
        ...optional('region', metadata?.region),
        ...optional('version', metadata?.version),
        ...optional('karpenterVersion', asRecord(raw.karpenter)?.version),
        addons: recordsOf(raw.addons).flatMap(({ name }) => stringOrUndefined(name) ?? []),
        nodeGroups: GROUP_FIELDS.flatMap((field) =>
          recordsOf(raw[field]).map((group, index) => ({
            name: stringOrUndefined(group.name) ?? '',
            path: [field, index],
            labels: stringMapOf(group.labels),
            taints: taintsOf(group.taints),
            ...optional('amiFamily', group.amiFamily),
            ...nodesOf(group),
            ...instanceTypesOf(group),
          })),
        ),
      };
    });
}

/** The node groups of the templates, and of eksctl's configuration files. */
export const nodeGroupsOf = memoizeByIdentity(({ aws, objects }: ManifestModel): readonly NodeGroupFacts[] => [
  ...aws.nodeGroups.map(({ resource, labels, taints }) => ({ name: resource.object.name, labels, taints })),
  ...eksctlClusters(objects).flatMap(({ nodeGroups }) => nodeGroups),
]);

/** Without sizes, eksctl starts two nodes. */
function nodesOf({ desiredCapacity, minSize, maxSize }: PlainRecord): { readonly nodes?: number } {
  const nodes = desiredCapacity ?? minSize ?? (maxSize === undefined ? 2 : undefined);
  return typeof nodes === 'number' ? { nodes } : {};
}

/** The named instance types. A selector leaves the choice to eksctl, and a launch template has its own. */
function instanceTypesOf(group: PlainRecord): Pick<NodeGroupFacts, 'instanceTypes'> {
  if (group.instanceSelector !== undefined || group.launchTemplate !== undefined) return {};
  const lists = [group.instanceTypes, asRecord(group.instancesDistribution)?.instanceTypes];
  const named = [group.instanceType, ...lists.flatMap((list) => (Array.isArray(list) ? list : []))];
  const types = named.filter((type) => typeof type === 'string' && type !== 'mixed');
  return types.length === 0 ? {} : { instanceTypes: types as string[] };
}

/** Self-managed node groups may write taints as a mapping from keys to `value:effect`. */
function taintsOf(raw: unknown): Taint[] {
  if (Array.isArray(raw))
    return recordsOf(raw).map(({ key, value, effect }) => ({ key, value, effect }) as unknown as Taint);
  return Object.entries(stringMapOf(raw)).map(([key, text]) => {
    const [value, effect] = text.includes(':') ? text.split(':') : ['', text];
    return { key, value, effect } as Taint;
  });
}

function optional<Key extends string>(key: Key, value: unknown): Partial<Record<Key, string>> {
  return typeof value === 'string' || typeof value === 'number'
    ? ({ [key]: valueText(value) } as Partial<Record<Key, string>>)
    : {};
}
