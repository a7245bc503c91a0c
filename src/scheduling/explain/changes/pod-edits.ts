import { Edit, Effort, podEdit } from './edit';
import { untoleratedTaints, misspeltToleration, pointsAt } from './intent';
import { formatTaint, listText, Taint, Toleration } from '../../../model';
import { conflicts } from '../../pods/host-ports';
import { Attempt } from '../../refusals/attempt';

/**
 * Tolerates all of the pool's taints that the pod does not tolerate. Taints keep pods away on purpose: only a pod that
 * points at the pool gets this advice, or one whose toleration is misspelt.
 */
export function tolerationEdits(group: number, attempt: Attempt, attempts: readonly Attempt[]): Edit[] {
  const taints = untoleratedTaints(attempt);
  const misspelt = taints.map((taint) => misspeltToleration(taint, attempt, attempts));
  const isTypo = misspelt.every((toleration) => toleration !== undefined);
  if (!isTypo && !pointsAt(attempt, attempts)) return [];
  const written = misspelt.flatMap((toleration) => (toleration === undefined ? [] : [toleration]));
  return [
    podEdit(
      group,
      isTypo ? Effort.TYPO : Effort.TOLERATION,
      `tolerate ${listText(taints.map(formatTaint))}${isTypo ? ` instead of ${listText(written.map(formatToleration))}` : ''}`,
      (shape) => ({
        ...shape,
        tolerations: [
          ...shape.tolerations.filter((toleration) => !isTypo || !written.includes(toleration)),
          ...taints.map(tolerationOf),
        ],
      }),
    ),
  ];
}

function formatToleration({ key = '', operator, value = '', effect = '' }: Toleration): string {
  return `${key}${operator === 'Exists' || value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
}

function tolerationOf({ key, value, effect }: Taint): Toleration {
  return value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
}

/** Removes the host ports that daemonsets use. */
export function hostPortEdit(group: number, { hostPorts, daemonSets }: Attempt): Edit {
  const taken = hostPorts.filter((port) => daemonSets.some(({ shape }) => conflicts([port], shape.hostPorts)));
  return podEdit(
    group,
    Effort.DROPPED_SELECTOR,
    `remove host port ${listText(taken.map(({ port, protocol }) => `${port}/${protocol}`))}`,
    (shape) => ({ ...shape, hostPorts: shape.hostPorts?.filter((port) => !conflicts([port], taken)) }),
  );
}
