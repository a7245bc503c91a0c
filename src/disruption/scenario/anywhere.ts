import { Label } from '../../model';
import { PodGroup, PodShape } from '../../scheduling';

/** The pod without hard spread over zones: the same object each time, and itself where it has none. */
export function anywhere(shape: PodShape): PodShape {
  const found = ANYWHERE.get(shape) ?? withoutZones(shape);
  ANYWHERE.set(shape, found);
  return found;
}

const ANYWHERE = new WeakMap<PodShape, PodShape>();

function withoutZones(shape: PodShape): PodShape {
  const { topologySpread = [] } = shape;
  const kept = topologySpread.filter(({ topologyKey, whenUnsatisfiable }) => topologyKey !== Label.ZONE || whenUnsatisfiable !== 'DoNotSchedule');
  return kept.length === topologySpread.length ? shape : { ...shape, topologySpread: kept };
}

/** None of them, but so that they are known to whoever is asked in the end where they would come to anywhere. */
export function noneAnywhere(groups: readonly PodGroup[]): PodGroup[] {
  return groups.flatMap((group) => {
    const shape = anywhere(group.shape);
    return shape === group.shape ? [] : [{ ...group, shape, count: 0 }];
  });
}
