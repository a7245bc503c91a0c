import { formatAmount } from '../../model';
import { Attempt } from '../attempt';
import { allocatable } from '../launchable-types';
import { Edit, Effort, podEdit } from './edit';

const MEBIBYTE = 2n ** 20n;

/** The most that one of the types has for the pod, or no request at all for what none of them has. */
export function requestEdits(group: number, attempt: Attempt, resource: string, types: readonly number[]): Edit[] {
  const { template: { table }, requests, overheadOf } = attempt;
  if (resource === 'pods') return [];
  const wanted = requests.get(resource)!;
  const most = types.reduce((largest, type) => {
    const room = allocatable(table, resource, type) - (overheadOf(type).get(resource) ?? 0n);
    return room > largest ? room : largest;
  }, 0n);
  const amount = inWholeUnits(resource, most);
  const change = (amounts: bigint) => podEdit(group, effortOf(wanted, amounts), describe(resource, wanted, amounts),
    (shape) => ({ ...shape, requests: new Map([...shape.requests, [resource, amounts]]) }));
  if (amount > 0n) return [change(amount)];
  return [podEdit(group, Effort.MUCH_SMALLER, `do without ${resource}`,
    (shape) => ({ ...shape, requests: new Map([...shape.requests].filter(([name]) => name !== resource)) }))];
}

function describe(resource: string, wanted: bigint, amount: bigint): string {
  return `lower ${resource} from ${formatAmount(resource, wanted)} to ${formatAmount(resource, amount)}`;
}

/** Nobody writes bytes. */
function inWholeUnits(resource: string, amount: bigint): bigint {
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage';
  return isBytes ? amount / MEBIBYTE * MEBIBYTE : amount;
}

function effortOf(wanted: bigint, amount: bigint): Effort {
  if (amount * 10n >= wanted * 9n) return Effort.SLIGHTLY_SMALLER;
  return amount * 2n >= wanted ? Effort.OTHER_POD : Effort.MUCH_SMALLER;
}
