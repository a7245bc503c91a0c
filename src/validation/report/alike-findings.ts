import { firstNames, foldAlike } from './fold-alike';
import { Finding } from './verdict';

const MOST_NAMED = 10;

/** What is told by itself, and what in the same breath of others of the same kind; in their order. */
export function alikeFindings(findings: readonly Finding[]): Finding[][] {
  return foldAlike(findings, ({ rule, severity, subject, message, remedy }) => JSON.stringify([rule, severity, subject.kind, message, remedy]));
}

/** Nothing where there are no others. @param all - says where all of them are to be found */
export function describeAlike(others: readonly Finding[], nameOf: (finding: Finding) => string, all: string = ': --format json lists them all'): string[] {
  return others.length === 0 ? [] : [`the same of ${others.length} more: ${firstNames(others.map(nameOf), MOST_NAMED, all)}`];
}
