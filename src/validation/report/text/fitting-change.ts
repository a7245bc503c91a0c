import { countText, numberText } from '../../../model';
import { objectOf } from '../../vocabulary/subject';
import { UnschedulableVerdict } from '../../vocabulary/verdict';

/** The change that helps, or how many were tried. Empty if none is known. */
export function helpText({
  smallestChange,
  changesTried,
  finding,
}: Pick<UnschedulableVerdict, 'smallestChange' | 'changesTried' | 'finding'>): string {
  if (finding) return `${finding.rule} of ${objectOf(finding)}: ${smallestChange}`;
  if (smallestChange !== null && changesTried === 0) return smallestChange;
  if (smallestChange !== null)
    return `${smallestChange}: then every pod of the workload fits (${countText(changesTried, 'change')} tried)`;
  return changesTried === 0 ? '' : `no small change helps (${numberText(changesTried)} tried)`;
}

/** A line with the change that helps, if any was tried. */
export function describeChange(reason: Parameters<typeof helpText>[0]): string[] {
  const text = helpText(reason);
  return text === '' ? [] : [reason.smallestChange === null ? text : `→ ${text}`];
}
