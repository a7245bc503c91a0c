import { PodKind } from './pod-kinds';

/** Passes over the resources. More tighten the figure by little. */
const MAX_PASSES = 4;
/** More than all rounding errors of a sum. */
const ROUNDING = 1 + 1e-10;

/**
 * The most that whole pods on one node can be worth together, or somewhat more. For all prices of the resources, a pod
 * is worth no more than what it takes at these prices and the rest of its worth; a node has no more than its room, and
 * no more pods of a kind than fit. Prices with a low figure are searched, one resource at a time.
 *
 * @param worths of one pod by kind
 * @param most pods of the kind that the node can hold; 0 for a kind that it does not take
 * @param prices where the search starts, by resource; changed
 */
export function nodeWorth(
  room: Float64Array,
  kinds: ReadonlyArray<Pick<PodKind, 'requests'>>,
  worths: ArrayLike<number>,
  most: ArrayLike<number>,
  prices: Float64Array,
): number {
  const admitted: number[] = [];
  for (let kind = 0; kind < kinds.length; kind++) if (most[kind] > 0 && worths[kind] > 0) admitted.push(kind);
  // What is left of the worth of a pod after its resources are paid.
  const rests = Float64Array.from(admitted, (kind) => {
    let rest = worths[kind];
    for (let resource = 0; resource < room.length; resource++)
      rest -= prices[resource] * kinds[kind].requests[resource];
    return rest;
  });
  let least = Infinity;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    for (let resource = 0; resource < room.length; resource++) improve(resource);
    const figure = total();
    if (figure > least * (1 - 1e-6)) break;
    least = Math.min(least, figure);
  }
  return Math.min(least, total()) * ROUNDING;

  function total(): number {
    let sum = 0;
    for (let resource = 0; resource < room.length; resource++) sum += prices[resource] * room[resource];
    for (let index = 0; index < admitted.length; index++)
      if (rests[index] > 0) sum += rests[index] * most[admitted[index]];
    return sum;
  }

  /** The price of one resource with the lowest figure: where the pods that pay more fill the node. */
  function improve(resource: number): void {
    const points: Array<{ readonly price: number; readonly amount: number }> = [];
    admitted.forEach((kind, index) => {
      const request = kinds[kind].requests[resource];
      if (request === 0) return;
      const price = prices[resource] + rests[index] / request;
      if (price > 0) points.push({ price, amount: request * most[kind] });
    });
    points.sort((left, right) => right.price - left.price);
    let left = room[resource];
    let found = 0;
    for (const { price, amount } of points) {
      left -= amount;
      if (left < 0) {
        found = price;
        break;
      }
    }
    const change = found - prices[resource];
    if (change === 0) return;
    prices[resource] = found;
    admitted.forEach((kind, index) => (rests[index] -= change * kinds[kind].requests[resource]));
  }
}
