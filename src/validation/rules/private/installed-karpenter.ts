import { asRecord, EC2_NODE_CLASS_API, NODE_POOL_API } from '../../../contract';
import { ClusterState, ManifestObject } from '../../manifest/model';
import { recordsOf, textOf } from '../../manifest/records';

/** The Karpenter that the cluster has already, as far as its files tell. */
export interface InstalledKarpenter {
  readonly controllers: ReadonlyArray<{ readonly object: ManifestObject; readonly version: string }>;
  /** Of its kinds, with the versions in which objects are stored. */
  readonly definitions: ReadonlyArray<{ readonly object: ManifestObject; readonly storedVersions: readonly string[] }>;
}

const GROUPS: readonly unknown[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];
const IMAGE = /(?:^|\/)karpenter\/controller:v?(\d+\.\d+\.\d+)/;

/** Also what manifests are about to replace. */
export function installedKarpenter({ objects, replaced }: ClusterState): InstalledKarpenter {
  const all = [...objects, ...replaced];
  return {
    controllers: all.flatMap((object) => {
      const version = object.kind === 'Deployment' && object.apiVersion === 'apps/v1' ? versionOf(object) : undefined;
      return version === undefined ? [] : [{ object, version }];
    }),
    definitions: all.filter(isDefinition).map((object) => {
      const stored = asRecord(object.raw.status)?.storedVersions;
      return { object, storedVersions: Array.isArray(stored) ? stored.map(String) : [] };
    }),
  };
}

function versionOf({ raw }: ManifestObject): string | undefined {
  const pod = asRecord(asRecord(asRecord(raw.spec)?.template)?.spec);
  return recordsOf(pod?.containers).flatMap(({ image }) => IMAGE.exec(textOf(image))?.[1] ?? [])[0];
}

function isDefinition({ kind, apiVersion, raw }: ManifestObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/') && GROUPS.includes(asRecord(raw.spec)?.group);
}
