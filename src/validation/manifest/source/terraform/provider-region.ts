import { Evaluator, Scope } from './hcl/evaluate';
import { bodyAttribute } from './hcl/syntax';
import { parsedTerraform } from './terraform-folder';
import { SourceFile } from '../../model';

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
