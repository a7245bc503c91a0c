import { SourceFile } from '../../model';
import { Root } from '../roots/root';
import { Evaluator, Scope } from './hcl/evaluate';
import { bodyAttribute } from './hcl/syntax';
import { parsedTerraform } from './terraform-folder';

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

const AWS_PROVIDER = /^[ \t]*provider[ \t]+"aws"/m;
/** The name of a region, and no placeholder. */
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/** The region of the default AWS provider that a Terraform file configures, if it is literal. */
export function providerRegion({ path, text }: SourceFile, scope: Scope): string | undefined {
  const parsed = AWS_PROVIDER.test(text) ? parsedTerraform(path, text) : undefined;
  const regions = (parsed?.body.blocks ?? [])
    .filter(({ type, labels, body }) => type === 'provider' && labels[0] === 'aws' && !bodyAttribute(body, 'alias'))
    .map(({ body }) => bodyAttribute(body, 'region'));
  const [region] = regions;
  const value = region && new Evaluator(scope).valueOf({ expression: region, text });
  return typeof value === 'string' && REGION.test(value) ? value : undefined;
}
