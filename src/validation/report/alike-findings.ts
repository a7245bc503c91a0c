import { Finding } from './verdict';

/** Of more than so many that say the same of one kind of object, the first is told, and the others are named. */
const MOST_ALIKE = 3;
/** Of the others. */
const MOST_NAMED = 10;

/** What is told by itself, and in the same breath of others; in their order. */
export function alikeFindings(findings: readonly Finding[]): Finding[][] {
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) {
    const known = alike.get(textOf(finding));
    if (known) known.push(finding);
    else alike.set(textOf(finding), [finding]);
  }
  return findings.flatMap((finding) => {
    const all = alike.get(textOf(finding))!;
    return all.length <= MOST_ALIKE ? [[finding]] : finding === all[0] ? [all] : [];
  });
}

/** Nothing where there are no others. @param all - says where all of them are to be found */
export function describeAlike(others: readonly Finding[], nameOf: (finding: Finding) => string, all: string = ': --format json lists them all'): string[] {
  if (others.length === 0) return [];
  const left = others.length - MOST_NAMED;
  const names = others.slice(0, MOST_NAMED).map(nameOf).join(', ');
  return [`the same of ${others.length} more: ${names}${left > 0 ? `, and ${left} more still${all}` : ''}`];
}

/** All that it says, without whom it says it of. */
function textOf({ rule, severity, subject, message, remedy }: Finding): string {
  return JSON.stringify([rule, severity, subject.kind, message, remedy]);
}
