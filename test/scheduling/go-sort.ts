/* eslint-disable no-bitwise -- Go's random number generator shifts bits */

type Less = (left: number, right: number) => boolean;
type Hint = 'increasing' | 'decreasing' | 'unknown';

/**
 * Sorts in place like Go's unstable `sort.Slice`: pattern-defeating quicksort, with insertion sort for up to twelve
 * elements.
 *
 * @see https://github.com/golang/go/blob/go1.26.0/src/sort/zsortfunc.go
 */
export function goSort<T>(items: T[], key: (item: T) => number): void {
  const less: Less = (left, right) => key(items[left]) < key(items[right]);
  const swap = (left: number, right: number) => {
    [items[left], items[right]] = [items[right], items[left]];
  };
  quicksort(0, items.length, 32 - Math.clz32(items.length));

  function quicksort(start: number, end: number, attempts: number): void {
    let [a, b, limit, balanced, partitioned] = [start, end, attempts, true, true];
    while (b - a > 12) {
      // Go falls back to heap sort, but never for a list that is sorted except for one element.
      if (limit === 0) throw new Error('the list was not nearly sorted');
      if (!balanced) {
        scatter(a, b);
        limit -= 1;
      }
      let { pivot, hint } = choosePivot(a, b);
      if (hint === 'decreasing') {
        for (let i = a, j = b - 1; i < j; i += 1, j -= 1) swap(i, j);
        pivot = b - 1 - (pivot - a);
        hint = 'increasing';
      }
      if (balanced && partitioned && hint === 'increasing' && shiftFew(a, b)) return;
      if (a > 0 && !less(a - 1, pivot)) {
        a = partition(a, b, pivot, (i) => !less(a, i)).from;
        continue;
      }
      const { middle, moved } = partition(a, b, pivot, (i) => less(i, a), true);
      partitioned = !moved;
      balanced = Math.min(middle - a, b - middle) >= Math.floor((b - a) / 8);
      if (middle - a < b - middle) {
        quicksort(a, middle, limit);
        a = middle + 1;
      } else {
        quicksort(middle + 1, b, limit);
        b = middle;
      }
    }
    for (let i = a + 1; i < b; i += 1) {
      for (let j = i; j > a && less(j, j - 1); j -= 1) swap(j, j - 1);
    }
  }

  function partition(a: number, b: number, pivot: number, isFirst: (index: number) => boolean, placesPivot = false) {
    swap(a, pivot);
    let [i, j, moved] = [a + 1, b - 1, false];
    while (true) {
      while (i <= j && isFirst(i)) i += 1;
      while (i <= j && !isFirst(j)) j -= 1;
      if (i > j) break;
      swap(i, j);
      [i, j, moved] = [i + 1, j - 1, true];
    }
    if (placesPivot) swap(j, a);
    return { middle: j, from: i, moved };
  }

  function shiftFew(a: number, b: number): boolean {
    let i = a + 1;
    for (let step = 0; step < 5; step += 1) {
      while (i < b && !less(i, i - 1)) i += 1;
      if (i === b) return true;
      if (b - a < 50) return false;
      swap(i, i - 1);
      for (let j = i - 1; i - a >= 2 && j >= 1 && less(j, j - 1); j -= 1) swap(j, j - 1);
      for (let j = i + 1; b - i >= 2 && j < b && less(j, j - 1); j += 1) swap(j, j - 1);
    }
    return false;
  }

  function scatter(a: number, b: number): void {
    const length = b - a;
    let random = BigInt(length);
    const mask = BigInt(2 ** (32 - Math.clz32(length)) - 1);
    const middle = a + Math.floor(length / 4) * 2;
    for (let index = middle - 1; index <= middle + 1; index += 1) {
      random ^= BigInt.asUintN(64, random << 13n);
      random ^= random >> 7n;
      random ^= BigInt.asUintN(64, random << 17n);
      const target = Number(random & mask);
      swap(index, a + (target >= length ? target - length : target));
    }
  }

  function choosePivot(a: number, b: number): { pivot: number; hint: Hint } {
    let swaps = 0;
    const ordered = (left: number, right: number) => {
      if (!less(right, left)) return [left, right];
      swaps += 1;
      return [right, left];
    };
    const median = (first: number, second: number, third: number) => {
      const [low, middle] = ordered(first, second);
      const [between] = ordered(middle, third);
      return ordered(low, between)[1];
    };
    const sampled = [1, 2, 3]
      .map((part) => a + Math.floor((b - a) / 4) * part)
      .map((index) => (b - a >= 50 ? median(index - 1, index, index + 1) : index));
    const pivot = median(sampled[0], sampled[1], sampled[2]);
    return { pivot, hint: swaps === 0 ? 'increasing' : swaps === 12 ? 'decreasing' : 'unknown' };
  }
}
