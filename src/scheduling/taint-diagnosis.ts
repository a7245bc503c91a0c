import { formatTaint, Taint, Toleration, tolerates, untolerated } from '../model';
import { Attempt } from './attempt';
import { launchableTypes } from './launchable-types';
import { count } from './wording';

/** Whether the taint is all that stands in the way, and which toleration was likely meant for it. */
export function taintDiagnosis(attempt: Attempt): string {
  const { template: { pool }, variant: { tolerations } } = attempt;
  const taints = untolerated(pool.taints, tolerations);
  const types = launchableTypes(attempt, [{ kind: 'taints', name: '' }]).length;
  const which = taints.length === 1 ? 'the taint' : 'the taints';
  const hints = taints.flatMap((taint) => tolerations.flatMap((toleration) => mismatch(taint, toleration) ?? []));
  return [
    types > 0 ? `but for ${which}, ${count(types, 'instance type')} would take the pod` : `${which} aside, other constraints leave no instance type either`,
    ...hints,
  ].join('; ');
}

/** Why a toleration of the same key does not match. */
function mismatch(taint: Taint, toleration: Toleration): string | undefined {
  if (toleration.key !== taint.key || tolerates(toleration, taint)) return undefined;
  const { value = '', effect = '', operator = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return `the toleration of ${taint.key} is for ${effect}, the taint is ${formatTaint(taint)}`;
  if (operator === '' || operator === 'Equal') {
    return `the toleration of ${taint.key} is for the value ${JSON.stringify(value)}, the taint has ${JSON.stringify(taint.value ?? '')}`;
  }
  return `the toleration of ${taint.key} with operator ${operator} ${JSON.stringify(value)} does not match ${JSON.stringify(taint.value ?? '')}`;
}
