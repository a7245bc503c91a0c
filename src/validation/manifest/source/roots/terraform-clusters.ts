import { dirname, normalize } from 'path';
import { Root } from './root';
import { SourceFile } from '../../model';

/** Folders with parts of configurations, or several variants of one. */
const PARTS = /(^|\/)(modules?|examples?|tests?)(\/|$)/;

/** Begins the name of a cluster that a folder of Terraform creates. */
const TERRAFORM_CLUSTER = 'Terraform in ';

/**
 * Tells the roots their clusters if Terraform creates several: the one whose folder has more of the path in common than
 * the others. The cluster of a root that is as near to several is unknown.
 */
export function withTerraformClusters<R extends Root>(roots: readonly R[], traces: readonly SourceFile[]): R[] {
  const folders = [
    ...new Set(traces.filter(({ trace }) => trace?.createsCluster).map(({ path }) => dirname(normalize(path)))),
  ].filter((folder) => !PARTS.test(folder));
  if (folders.length < 2) return [...roots];
  const common = Math.min(...folders.map((folder) => commonSteps(folder, folders[0])));
  return roots.map((root) => {
    if (root.kind === 'cluster' || root.cluster !== undefined) return root;
    const shared = folders.map((folder) => commonSteps(folder, normalize(root.name)));
    const most = Math.max(...shared);
    const nearest = folders.filter((_, index) => shared[index] === most);
    return nearest.length === 1 && most > common ? { ...root, cluster: `${TERRAFORM_CLUSTER}${nearest[0]}` } : root;
  });
}

/** The folder of the Terraform that creates the cluster of a root; undefined for other roots. */
export function terraformOfCluster({ cluster }: Pick<Root, 'cluster'>): string | undefined {
  return cluster?.startsWith(TERRAFORM_CLUSTER) ? cluster.slice(TERRAFORM_CLUSTER.length) : undefined;
}

function commonSteps(one: string, other: string): number {
  const [steps, others] = [one, other].map((path) => path.split('/'));
  const differing = steps.findIndex((step, index) => others[index] !== step);
  return differing < 0 ? steps.length : differing;
}
