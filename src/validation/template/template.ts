import { createHash } from 'crypto';
import { FieldPath, ObjectSource, SourceLocation } from '../manifest/object';
import { PlainRecord } from '../manifest/records';

/** A CloudFormation template before the evaluation of intrinsic functions. */
export interface Template {
  readonly file: string;
  /** The name in ids and messages: the file's name without its suffix, for example `Prod`. */
  readonly name: string;
  readonly region?: string;
  readonly account?: string;
  readonly raw: PlainRecord;
  /** The result of `templateDigest`. */
  readonly digest?: string;
  /** The name of the cluster, with which the template is deployed. @default - unknown */
  readonly clusterName?: string;
  /** The text of a template that somebody writes. @default - a program makes the template */
  readonly source?: ObjectSource;
  locate(path: FieldPath): SourceLocation;
}

/** Whether a document is a template: it has a format version, or all of its resources have a CloudFormation type. */
export function isTemplate(document: PlainRecord): boolean {
  if (document.apiVersion !== undefined || document.kind !== undefined) return false;
  const { Resources: resources } = document;
  if (typeof resources !== 'object' || resources === null || Array.isArray(resources)) return false;
  if (document.AWSTemplateFormatVersion !== undefined) return true;
  const all = Object.values(resources) as unknown[];
  return (
    all.length > 0 &&
    all.every((resource) => {
      const type = (resource as PlainRecord | null)?.Type;
      return typeof type === 'string' && /^(AWS|Custom|Alexa)::|::/.test(type);
    })
  );
}

/** The template's name: `Prod` for `cdk.out/Prod.template.json`. */
export function templateName(file: string): string {
  const base = file.split(/[\\/]/).pop()!;
  return base.replace(/(\.nested)?(\.template)?\.(json|ya?ml)$/i, '');
}

/** The hash under which CDK uploads a nested stack's template; undefined for templates that CDK has not written. */
export function templateDigest(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    // CDK hashes the JSON before it is formatted.
    return createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest('hex');
  } catch {
    return undefined;
  }
}

/** The account and region of a stack; parts that are known only at deployment are absent. */
export interface StackPlace {
  readonly account?: string;
  readonly region?: string;
}

/** Whether both places may be in the same region of the same account. */
export function mayBeSamePlace(left: StackPlace, right: StackPlace): boolean {
  return mayBeSame(left.account, right.account) && mayBeSame(left.region, right.region);
}

export function mayBeSame(left: string | undefined, right: string | undefined): boolean {
  return left === undefined || right === undefined || left === right;
}

/** The number of parts that are known, 0 to 2. */
export function knownPartCount({ account, region }: StackPlace): number {
  return [account, region].filter((part) => part !== undefined).length;
}
