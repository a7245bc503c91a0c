import { dirname } from 'path';
import { ROLE_MAPPING } from './karpenter-module';
import { TAGS } from './network-modules';
import { memoizeByIdentity } from '../../../../model';
import { WrittenResource } from '../../../vocabulary/source-file';
import { SourceFile } from '../../model';
import { Root } from '../roots/root';
import { editedObjectsIn } from '../roots/root-objects';

/** Folders with parts of configurations, whose values are those of the caller. */
const PARTS = /(^|\/)(modules?|examples?|tests?)(\/|$)/;

/**
 * Tells the AWS resources of Terraform files to the only root with EC2NodeClasses, or to the only root at all. With
 * several folders of Terraform, or several such roots, it is not known which belong together.
 */
export function withTerraformResources<R extends Root & { readonly skipped?: string }>(
  roots: readonly R[],
  files: readonly SourceFile[],
): R[] {
  const resources = withScripts(resourcesOfOneFolder(files), files);
  const judged = roots.filter(({ skipped, sources }) => skipped === undefined && sources.length > 0);
  const withClasses = judged.filter(({ hasPoolsOfOther, sources }) => !hasPoolsOfOther && sources.some(hasNodeClass));
  const [root, ...others] = withClasses.length > 0 ? withClasses : judged;
  if (resources.length === 0 || root === undefined || others.length > 0) return [...roots];
  const [first, ...rest] = root.sources;
  const changed = { ...root, sources: [{ ...first, terraformResources: resources }, ...rest] };
  return roots.map((one) => (one === root ? changed : one));
}

/** The resources, and what scripts of the repository may do beside them. */
function withScripts(resources: readonly WrittenResource[], files: readonly SourceFile[]): readonly WrittenResource[] {
  const scripted = files.flatMap(({ trace }) => trace?.scripted ?? []);
  const known = resources.filter(({ type }) => type !== TAGS || !scripted.includes('tags'));
  const [first] = resources;
  return first === undefined || !scripted.includes('roles')
    ? known
    : [...known, { mode: 'managed', type: ROLE_MAPPING, name: 'script', values: {}, place: first.place }];
}

/** Resources of the cluster and its network. Another folder may have them than the one with what Karpenter needs. */
const OF_CLUSTER =
  /^(?:aws_(?:eks_cluster|eks_addon|eks_fargate_profile|eks_node_group|vpc|route_table|route|route_table_association|vpc_endpoint|nat_gateway)|terraform_(?!karpenter_module)\w+)$/;

function resourcesOfOneFolder(files: readonly SourceFile[]): readonly WrittenResource[] {
  const byFolder = new Map<string, WrittenResource[]>();
  for (const { path, trace } of files) {
    const { resources = [] } = trace ?? {};
    if (resources.length > 0) byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), ...resources]);
  }
  const isOfKarpenter = (folder: string) => byFolder.get(folder)!.some(({ type }) => !OF_CLUSTER.test(type));
  const all = [...byFolder.keys()];
  const folders = all.some(isOfKarpenter) ? all.filter(isOfKarpenter) : all;
  const whole = folders.filter((folder) => !PARTS.test(folder));
  const [folder, ...others] = whole.length > 0 ? whole : folders;
  return folder === undefined || others.length > 0 ? [] : byFolder.get(folder)!;
}

const hasNodeClass = memoizeByIdentity((file: SourceFile): boolean =>
  editedObjectsIn(file).some(({ kind }) => kind === 'EC2NodeClass' || kind === 'AWSNodeTemplate'),
);
