import { LabelSelector, selects } from '../model';
import { PodShape } from './pod-shape';

/** Whether a selector selects the pods of a shape: found once, since both stay as they are while a cluster is looked at again and again. */
export function selectsShape(selector: LabelSelector, shape: PodShape): boolean {
  const known = SELECTED.get(selector) ?? new WeakMap<PodShape, boolean>();
  SELECTED.set(selector, known);
  const found = known.get(shape) ?? selects(selector, shape.labels ?? {});
  known.set(shape, found);
  return found;
}

const SELECTED = new WeakMap<LabelSelector, WeakMap<PodShape, boolean>>();
