import { Label } from '../../model';
import { PodShape } from '../../scheduling';

/** What a pod needs once its volumes have been made where it runs: the same object for the same shape and zone. */
export function settledIn(zone: string | undefined, shape: PodShape): PodShape {
  if (!shape.staysInZone || zone === undefined) return shape;
  const byZone = SETTLED.get(shape) ?? new Map<string, PodShape>();
  SETTLED.set(shape, byZone);
  const found = byZone.get(zone) ?? bound(zone, shape);
  byZone.set(zone, found);
  return found;
}

const SETTLED = new WeakMap<PodShape, Map<string, PodShape>>();

function bound(zone: string, shape: PodShape): PodShape {
  const here = { key: Label.ZONE, operator: 'In', values: [zone] } as const;
  return { ...shape, volumeTopology: (shape.volumeTopology ?? [[]]).map((needs) => [...needs, here]) };
}
