import { milliAmount, ResourceList, subtract } from '../../../model';
import { byCodePoint } from '../../order';
import { Amounts } from '../../vocabulary/node-verdict';

const THOUSANDTHS = 1000;

/** The amounts in base units: CPU in cores, others as they are. Amounts of 0 are left out. */
export function amountsOf(list: ResourceList): Amounts {
  return Object.fromEntries(
    [...list]
      .filter(([, amount]) => amount !== 0n)
      .sort(([a], [b]) => byCodePoint(a, b))
      .map(([resource, amount]) => [resource, Number(milliAmount(resource, amount)) / THOUSANDTHS]),
  );
}

/** What remains of the total without the parts; never negative. */
export function remainder(total: ResourceList, part: ResourceList): ResourceList {
  return new Map([...subtract(total, part)].map(([resource, amount]) => [resource, amount < 0n ? 0n : amount]));
}
