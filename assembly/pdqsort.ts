/**
 * Go's `sort.Slice`, step by step. It is not stable, and the order of equal elements can decide where a pod goes. The
 * algorithm is pattern-defeating quicksort by Orson Peters. Elements are sampled, swapped and scattered as in Go 1.18
 * and newer.
 *
 * @see https://github.com/golang/go/blob/go1.26.0/src/sort/zsortfunc.go
 */

/** i32[length]: the items to sort, and where their keys are. */
let items: usize = 0;
let keys: usize = 0;
let keyBytes: usize = 0;

const INSERTION_MOST: i32 = 12;
export const SHIFTED_LEAST: i32 = 50;
const MOST_SHIFTS: i32 = 5;
const MOST_SWAPS: i32 = 12;

/** The order of the sampled elements. */
const UNKNOWN: i32 = 0;
export const INCREASING: i32 = 1;
const DECREASING: i32 = 2;

let swaps: i32 = 0;
let hint: i32 = UNKNOWN;

/** Items are indices; the i32 key of item `n` is at `key + n × bytes`. */
export function sortBy(item: usize, key: usize, bytes: usize): void {
  items = item;
  keys = key;
  keyBytes = bytes;
}

/** Sorts the first `length` items of `sortBy`. */
export function sort(length: i32): void {
  quicksort(0, length, 32 - clz(length));
}

/** Whether the elements that `sort` would sample are in order. */
export function looksSorted(length: i32): bool {
  choosePivot(0, length);
  return hint == INCREASING;
}

@inline
function itemAt(index: i32): i32 {
  return load<i32>(items + (<usize>index << 2));
}

@inline
function less(left: i32, right: i32): bool {
  return load<i32>(keys + <usize>itemAt(left) * keyBytes) < load<i32>(keys + <usize>itemAt(right) * keyBytes);
}

@inline
function swap(left: i32, right: i32): void {
  const item = itemAt(left);
  store<i32>(items + (<usize>left << 2), itemAt(right));
  store<i32>(items + (<usize>right << 2), item);
}

function quicksort(start: i32, end: i32, attempts: i32): void {
  let balanced = true;
  let partitioned = true;
  let a = start;
  let b = end;
  let limit = attempts;
  while (b - a > INSERTION_MOST) {
    if (limit == 0) {
      heapSort(a, b);
      return;
    }
    if (!balanced) {
      scatter(a, b);
      limit--;
    }
    let pivot = choosePivot(a, b);
    if (hint == DECREASING) {
      reverse(a, b);
      pivot = b - 1 - (pivot - a);
      hint = INCREASING;
    }
    if (balanced && partitioned && hint == INCREASING && shiftFew(a, b)) return;
    if (a > 0 && !less(a - 1, pivot)) {
      a = partitionEqual(a, b, pivot);
      continue;
    }
    const middle = partition(a, b, pivot);
    partitioned = wasPartitioned;
    const left = middle - a;
    const right = b - middle;
    balanced = min(left, right) >= (b - a) / 8;
    if (left < right) {
      quicksort(a, middle, limit);
      a = middle + 1;
    } else {
      quicksort(middle + 1, b, limit);
      b = middle;
    }
  }
  insertionSort(a, b);
}

function insertionSort(a: i32, b: i32): void {
  for (let i = a + 1; i < b; i++) {
    for (let j = i; j > a && less(j, j - 1); j--) swap(j, j - 1);
  }
}

let wasPartitioned: bool = false;

/** Moves smaller elements before the pivot, and the others after it. */
function partition(a: i32, b: i32, pivot: i32): i32 {
  swap(a, pivot);
  let i = a + 1;
  let j = b - 1;
  wasPartitioned = true;
  while (true) {
    while (i <= j && less(i, a)) i++;
    while (i <= j && !less(j, a)) j--;
    if (i > j) break;
    wasPartitioned = false;
    swap(i++, j--);
  }
  swap(j, a);
  return j;
}

/** If no element is smaller than the pivot: moves the elements equal to it first. */
function partitionEqual(a: i32, b: i32, pivot: i32): i32 {
  swap(a, pivot);
  let i = a + 1;
  let j = b - 1;
  while (true) {
    while (i <= j && !less(a, i)) i++;
    while (i <= j && less(a, j)) j--;
    if (i > j) return i;
    swap(i++, j--);
  }
}

/**
 * Moves a few elements that are out of order, in a range that is long enough. Returns whether the range is sorted then.
 */
function shiftFew(a: i32, b: i32): bool {
  let i = a + 1;
  for (let shifts = 0; shifts < MOST_SHIFTS; shifts++) {
    while (i < b && !less(i, i - 1)) i++;
    if (i == b) return true;
    if (b - a < SHIFTED_LEAST) return false;
    swap(i, i - 1);
    if (i - a >= 2) {
      for (let j = i - 1; j >= 1 && less(j, j - 1); j--) swap(j, j - 1);
    }
    if (b - i >= 2) {
      for (let j = i + 1; j < b && less(j, j - 1); j++) swap(j, j - 1);
    }
  }
  return false;
}

/** Swaps three elements in the middle with pseudo-random others; the length is the seed. */
function scatter(a: i32, b: i32): void {
  const length = b - a;
  let random = <u64>length;
  const modulus: u64 = (<u64>1) << (32 - clz(length));
  const middle = a + (length / 4) * 2;
  for (let index = middle - 1; index <= middle + 1; index++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const offset = <i32>(random & (modulus - 1));
    swap(index, a + (offset >= length ? offset - length : offset));
  }
}

function choosePivot(a: i32, b: i32): i32 {
  const quarter = (b - a) / 4;
  let i = a + quarter;
  let j = a + quarter * 2;
  let k = a + quarter * 3;
  swaps = 0;
  if (b - a >= SHIFTED_LEAST) {
    i = median(i - 1, i, i + 1);
    j = median(j - 1, j, j + 1);
    k = median(k - 1, k, k + 1);
  }
  j = median(i, j, k);
  hint = swaps == 0 ? INCREASING : swaps == MOST_SWAPS ? DECREASING : UNKNOWN;
  return j;
}

function median(a: i32, b: i32, c: i32): i32 {
  let low = a;
  let middle = b;
  let high = c;
  if (less(middle, low)) {
    low = b;
    middle = a;
    swaps++;
  }
  if (less(high, middle)) {
    const previousMiddle = middle;
    middle = high;
    high = previousMiddle;
    swaps++;
  }
  if (less(middle, low)) {
    swaps++;
    return low;
  }
  return middle;
}

function reverse(a: i32, b: i32): void {
  for (let i = a, j = b - 1; i < j; i++, j--) swap(i, j);
}

function heapSort(a: i32, b: i32): void {
  const size = b - a;
  for (let i = (size - 1) / 2; i >= 0; i--) siftDown(i, size, a);
  for (let i = size - 1; i >= 0; i--) {
    swap(a, a + i);
    siftDown(0, i, a);
  }
}

function siftDown(start: i32, size: i32, first: i32): void {
  let root = start;
  while (true) {
    let child = 2 * root + 1;
    if (child >= size) return;
    if (child + 1 < size && less(first + child, first + child + 1)) child++;
    if (!less(first + root, first + child)) return;
    swap(first + root, first + child);
    root = child;
  }
}
