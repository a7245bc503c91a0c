import { readdirSync } from 'fs';
import { dirname, join } from 'path';
import type { IPolicyValidationContext } from 'aws-cdk-lib';
import { SourceFile, SourceFileReader, templateDigest } from '../validation';

const NESTED_EXTENSION = '.nested.template.json';

/** The templates of the stacks, and of those nested in them, with where they are deployed to. */
export function stackTemplates({ stackTemplates: stacks }: Pick<IPolicyValidationContext, 'stackTemplates'>): SourceFile[] {
  return stacks.flatMap(({ templatePath, region, accountId: account }) => {
    const [template] = filesAt(templatePath);
    return template && hasResources(template) ? [template, ...nestedIn(template)].map((file) => ({ ...file, stack: { region, account } })) : [];
  });
}

/** A stack that only holds others has none, and is not deployed. */
function hasResources({ text }: SourceFile): boolean {
  return /"Resources"\s*:/.test(text);
}

/** CDK uploads the template of a nested stack under its hash, and so the stack that it is nested in names it. */
function nestedIn(parent: SourceFile): SourceFile[] {
  if (!parent.text.includes('AWS::CloudFormation::Stack')) return [];
  const folder = dirname(parent.path);
  return readdirSync(folder).filter((name) => name.endsWith(NESTED_EXTENSION)).sort()
    .flatMap((name) => filesAt(join(folder, name)))
    .filter(({ text }) => parent.text.includes(templateDigest(text) ?? NESTED_EXTENSION))
    .flatMap((nested) => [nested, ...nestedIn(nested)]);
}

function filesAt(path: string): SourceFile[] {
  const reader = new SourceFileReader();
  reader.read(path);
  return reader.files;
}
