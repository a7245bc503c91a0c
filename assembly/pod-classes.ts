/** The requirements of a class of equal pods: its variants, tolerations and volumes. */
import * as input from './input';
import { endOf, startOf } from './records';
import { combine } from './requirement-combinations';

@inline
export function tolerated(variant: i32, taintSet: i32): bool {
  return load<u8>(input.variantTolerates + <usize>(variant * input.taintSetCount + taintSet)) != 0;
}

@inline
export function variantSetOf(variant: i32): i32 {
  return load<i32>(input.variantSet + (<usize>variant << 2));
}

/** How many alternatives its volumes have; 1 if they require nothing. */
export function alternativesOf(podClass: i32): i32 {
  return max(1, endOf(input.classVolumeStart, podClass) - startOf(input.classVolumeStart, podClass));
}

/** The requirement set of the volumes in one of these alternatives, or -1 for none. */
export function volumeSetOf(podClass: i32, alternative: i32): i32 {
  const start = startOf(input.classVolumeStart, podClass);
  return start == endOf(input.classVolumeStart, podClass) ? -1 : load<i32>(input.classVolumeSets + (<usize>(start + alternative) << 2));
}

export function withVolumes(podClass: i32, alternative: i32, set: i32): i32 {
  const volumes = volumeSetOf(podClass, alternative);
  return volumes < 0 ? set : combine(set, volumes);
}
