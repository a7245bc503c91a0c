/**
 * minValues: the number of distinct values of a label that the remaining instance types must have. Only values that the
 * requirements allow count.
 */
import { anyCommonBit } from './bitset';
import { spend } from './bounds';
import * as input from './input';
import { recordAt, ValueMinimum } from './records';
import { allows } from './requirement-algebra';
import { isEmpty, typeBytes, typesWithValue } from './type-masks';

/** Distinct values of `key` among the types in `bits` that the set allows. */
export function distinctValues(bits: usize, view: i32, set: i32, key: i32): i32 {
  if (load<u8>(input.viewHasKey + <usize>(view * input.keyCount + key)) == 0) return 0;
  const count = load<i32>(input.keyValueCount + (<usize>key << 2));
  spend(count);
  let distinct = 0;
  for (let value = 0; value < count; value++) {
    const types = typesWithValue(view, key, value);
    if (types != 0 && allows(set, key, value) && anyCommonBit(types, bits, typeBytes)) distinct++;
  }
  return distinct;
}

/**
 * Whether `bits` meets the minima. An empty `bits` passes: that is reported as another failure.
 */
export function minValuesMet(bits: usize, view: i32, set: i32, minima: usize, count: i32): bool {
  if (count == 0 || isEmpty(bits)) return true;
  for (let i = 0; i < count; i++) {
    const minimum = recordAt<ValueMinimum>(minima, i);
    if (distinctValues(bits, view, set, minimum.key) < minimum.minimum) return false;
  }
  return true;
}

/** Lowers each minimum to what the types in `bits` have. */
export function relaxMinima(bits: usize, view: i32, set: i32, minima: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const minimum = recordAt<ValueMinimum>(minima, i);
    minimum.minimum = min(minimum.minimum, distinctValues(bits, view, set, minimum.key));
  }
}
