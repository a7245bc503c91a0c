import { SourceFile } from '../../model';
import { Root } from '../roots/root';

/** Tells each root the region of the AWS providers in Terraform files, if all of them are in one region. */
export function withTerraformRegion<R extends Root & { readonly skipped?: string }>(
  roots: readonly R[],
  files: readonly SourceFile[],
): R[] {
  const [region, ...others] = new Set(files.flatMap(({ trace }) => trace?.region ?? []));
  if (region === undefined || others.length > 0) return [...roots];
  return roots.map((root) => {
    const [first, ...rest] = root.sources;
    if (first === undefined || root.skipped !== undefined) return root;
    return { ...root, sources: [{ ...first, terraformRegion: region }, ...rest] };
  });
}
