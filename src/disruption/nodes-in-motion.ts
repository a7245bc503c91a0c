import { ClusterNode } from './cluster';

type Nodes = readonly ClusterNode[];

/** The places of nodes that go, or are not up yet, in their order: of hundreds these are few. */
export function placesInMotion(nodes: Nodes): readonly number[] {
  const known = PLACES.get(nodes);
  if (known) return known;
  const found: number[] = [];
  for (let at = 0; at < nodes.length; at++) if (isInMotion(nodes[at])) found.push(at);
  PLACES.set(nodes, found);
  return found;
}

const PLACES = new WeakMap<Nodes, readonly number[]>();

/** Of a list that differs from one before in some places alone: most often none of these comes into motion, or to rest. */
export function carryOver(before: Nodes, after: Nodes, places: Iterable<number>): void {
  const known = PLACES.get(before);
  if (known === undefined) return;
  for (const at of places) if (isInMotion(before[at]) !== isInMotion(after[at])) return;
  PLACES.set(after, known);
}

function isInMotion({ deleting, initialized }: ClusterNode): boolean {
  return deleting === true || !initialized;
}
