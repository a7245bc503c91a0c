interface Bounded<Item> {
  readonly kept: readonly Item[];
  readonly left: number;
}

/** As many items as there is room for, and how many are left out. */
export function bounded<Item>(items: readonly Item[], room: number, lengthOf: (item: Item) => number): Bounded<Item> {
  let length = 0;
  let count = 0;
  while (count < items.length) {
    length += lengthOf(items[count]);
    if (length > room) break;
    count++;
  }
  return { kept: items.slice(0, count), left: items.length - count };
}
