/** How reports name the object and the file of a finding. */
import { Finding } from './verdict';

type Named = Pick<Finding['subject'], 'namespace' | 'name'>;

/** `shop/web`, or `web` without a namespace. */
export function nameOf({ namespace, name }: Named): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** `Deployment shop/web`. Empty if the finding is about no object. */
export function objectOf(subject: Named & Pick<Finding['subject'], 'kind'>): string {
  return subject.kind === '' ? '' : `${subject.kind} ${nameOf(subject)}`;
}

/** A finding for each object that it is about. */
export function eachSubject({ also = [], ...finding }: Finding): Finding[] {
  return [finding.subject, ...also].map((subject) => ({ ...finding, subject }));
}

/** The message after its object: `Deployment shop/web: has no …`. */
export function messageWithObject({ subject, message }: Pick<Finding, 'subject' | 'message'>): string {
  return subject.kind === '' ? message : `${objectOf(subject)}: ${message}`;
}

/** `shop/web (line 12)`, or `shop/web (b.yaml:3)` in another file. @param file whose name is left out */
export function placeOf({ subject, location }: Finding, file: string): string {
  const place = location.file === file ? `line ${location.line}` : `${displayName(location.file)}:${location.line}`;
  return subject.kind === '' ? place : `${nameOf(subject)} (${place})`;
}

export function displayName(file: string): string {
  if (file === '') return '(no file)';
  return file === '-' ? '(standard input)' : file;
}
