import { Finding } from '../vocabulary/verdict';

/** The kind may be a type of CloudFormation, such as `AWS::SQS::Queue`. */
const PARTS = /^([A-Za-z\d*:-]+)[/ ](?:([^/\s]+)\/)?([^/\s]+)$/;

/** Whether a text is `Kind/name`, `Kind/namespace/name`, or `Kind namespace/name` as reports print it. */
export function isSubject(text: string): boolean {
  return PARTS.test(text);
}

/** Whether the object of a finding matches. A subject without a namespace matches in every namespace. */
export function matchesSubject(text: string, { kind, namespace, name }: Finding['subject']): boolean {
  const [, wantedKind, wantedNamespace, wantedName] = PARTS.exec(text) ?? [];
  if (wantedKind === undefined) return false;
  const isNamespace =
    wantedNamespace === undefined || matches(wantedNamespace, namespace === '' ? 'default' : namespace);
  return matches(wantedKind, kind) && isNamespace && matches(wantedName, name);
}

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(text);
}
