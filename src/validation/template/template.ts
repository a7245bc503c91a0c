import { createHash } from 'crypto';
import { FieldPath, SourceLocation } from '../manifest/object';
import { PlainRecord } from '../manifest/records';

/** A CloudFormation template as it was read, before any of its intrinsic functions is. */
export interface Template {
  readonly file: string;
  /** What tells it from other templates in ids and messages: the file's name without what all have. */
  readonly name: string;
  readonly region?: string;
  readonly account?: string;
  readonly raw: PlainRecord;
  /** As `templateDigest` gives it. */
  readonly digest?: string;
  locate(path: FieldPath): SourceLocation;
}

/** A template is known by its version, or by resources that all have a type of CloudFormation's. */
export function isTemplate(document: PlainRecord): boolean {
  if (document.apiVersion !== undefined || document.kind !== undefined) return false;
  const { Resources: resources } = document;
  if (typeof resources !== 'object' || resources === null || Array.isArray(resources)) return false;
  if (document.AWSTemplateFormatVersion !== undefined) return true;
  const all = Object.values(resources) as unknown[];
  return all.length > 0 && all.every((resource) => {
    const type = (resource as PlainRecord | null)?.Type;
    return typeof type === 'string' && /^(AWS|Custom|Alexa)::|::/.test(type);
  });
}

/** `cdk.out/Prod.template.json` is `Prod`. */
export function templateName(file: string): string {
  const base = file.split(/[\\/]/).pop()!;
  return base.replace(/(\.nested)?(\.template)?\.(json|ya?ml)$/i, '');
}

/** The name under which CDK uploads the template of a nested stack; undefined for one that CDK has not written. */
export function templateDigest(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    // CDK takes the hash before it lays the file out.
    return createHash('sha256').update(JSON.stringify(JSON.parse(text))).digest('hex');
  } catch {
    return undefined;
  }
}
