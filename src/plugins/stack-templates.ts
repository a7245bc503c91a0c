import { readdirSync } from 'fs';
import { dirname, join } from 'path';
import type { IPolicyValidationContext } from 'aws-cdk-lib';
import { SourceFile, SourceFileReader, templateDigest } from '../validation';

const NESTED_EXTENSION = '.nested.template.json';

/** The templates of the stacks and their nested stacks, with region and account. */
export function stackTemplates({
  stackTemplates: stacks,
}: Pick<IPolicyValidationContext, 'stackTemplates'>): SourceFile[] {
  return stacks.flatMap(({ templatePath, region, accountId: account }) => {
    const [template] = filesAt(templatePath);
    return template && hasResources(template)
      ? [template, ...nestedIn(template)].map((file) => ({ ...file, stack: { region, account } }))
      : [];
  });
}

/** The CDK does not deploy a stack without resources, such as one that only contains other stacks. */
function hasResources({ text }: SourceFile): boolean {
  return /"Resources"\s*:/.test(text);
}

/**
 * Templates of nested stacks. The CDK uploads such a template under its digest, so the parent template contains it. The
 * user's own program has written the folder, and its files are read with the checks for a repository.
 */
function nestedIn(parent: SourceFile): SourceFile[] {
  if (!parent.text.includes('AWS::CloudFormation::Stack')) return [];
  const folder = dirname(parent.path);
  return readdirSync(folder)
    .filter((name) => name.endsWith(NESTED_EXTENSION))
    .sort()
    .flatMap((name) => filesAt(join(folder, name)))
    .filter(({ text }) => parent.text.includes(templateDigest(text) ?? NESTED_EXTENSION))
    .flatMap((nested) => [nested, ...nestedIn(nested)]);
}

function filesAt(path: string): SourceFile[] {
  const reader = new SourceFileReader();
  reader.read(path);
  return reader.files;
}
