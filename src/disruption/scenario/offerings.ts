import { OfferingKey } from '../../catalog';
import { Cluster, Instant } from '../cluster';

type NodeClasses = Cluster['scheduling']['nodeClasses'];

/** What Karpenter does not try for some time. */
export class UnavailableOfferings {
  private all: ReadonlyArray<{ readonly offering: OfferingKey; readonly until: Instant }> = [];

  public add(offering: OfferingKey, until: Instant): void {
    this.all = [...this.all, { offering, until }];
  }

  /** Forgets what has been left alone for long enough; whether that is any. */
  public expire(now: Instant): boolean {
    const before = this.all.length;
    this.all = this.all.filter(({ until }) => until > now);
    return this.all.length < before;
  }

  /** When there is one to try again. */
  public get next(): Instant {
    return Math.min(Infinity, ...this.all.map(({ until }) => until));
  }

  public without(classes: NodeClasses): NodeClasses {
    return classesWithout(this.all.map(({ offering }) => offering), classes);
  }
}

/** The same object for the same offerings, in whatever world. */
function classesWithout(unavailable: readonly OfferingKey[], all: NodeClasses): NodeClasses {
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
