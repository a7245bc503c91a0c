import { eksctlClusters } from './node-groups';
import { findUnresolved } from '../manifest/find-unresolved';
import { FieldPath, ManifestModel, ManifestObject } from '../manifest/model';

/** The add-ons of the cluster, as a file lists them. */
export interface AddonList {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly names: readonly string[];
  readonly isOfEksctl: boolean;
}

/** The list of the only cluster; undefined if there is none, or if nodes of EKS Auto Mode have what others install. */
export function addonListOf({ objects, aws }: ManifestModel): AddonList | undefined {
  const [cluster, ...others] = eksctlClusters(objects);
  const isWhole = (names: readonly string[]) => names.length > 0 && findUnresolved(names) === undefined;
  if (cluster) {
    const { addons: names, isAutoMode, object } = cluster;
    return others.length === 0 && !isAutoMode && isWhole(names)
      ? { object, path: ['addons'], names, isOfEksctl: true }
      : undefined;
  }
  const names = aws.addons.map(({ name }) => name);
  const isOpaque = aws.clusters.length !== 1 || aws.clusters[0].autoMode || !isWhole(names);
  if (isOpaque) return undefined;
  const [{ resource }] = aws.addons;
  return { object: resource.object, path: [], names, isOfEksctl: false };
}
