import { OfferingKey } from '../../catalog';
import { Cluster } from '../cluster';

type NodeClasses = Cluster['scheduling']['nodeClasses'];

/** The same object for the same offerings, in whatever world. */
export function classesWithout(unavailable: readonly OfferingKey[], all: NodeClasses): NodeClasses {
  if (unavailable.length === 0) return all;
  const known = FEWER_OFFERINGS.get(all) ?? new Map<string, NodeClasses>();
  FEWER_OFFERINGS.set(all, known);
  const key = JSON.stringify(unavailable);
  const found = known.get(key) ?? new Map([...all].map(([name, facts]) => [name, { ...facts, unavailable }]));
  known.set(key, found);
  ALL_OFFERINGS.set(found, all);
  return found;
}

const FEWER_OFFERINGS = new WeakMap<NodeClasses, Map<string, NodeClasses>>();
/** Of each with fewer, that with all. */
const ALL_OFFERINGS = new WeakMap<NodeClasses, NodeClasses>();

/** Those that the classes with fewer offerings were made of. */
export function withAllOffered(classes: NodeClasses): NodeClasses {
  return ALL_OFFERINGS.get(classes) ?? classes;
}
