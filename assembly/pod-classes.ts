/** The requirements of a class of equal pods: its variants, tolerations and volumes. */
import * as input from './input';
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
  const address = input.classVolumeStart + (<usize>podClass << 2);
  return max(1, load<i32>(address, 4) - load<i32>(address));
}

/** The requirement set of the volumes in one of these alternatives, or -1 for none. */
export function volumeSetOf(podClass: i32, alternative: i32): i32 {
  const address = input.classVolumeStart + (<usize>podClass << 2);
  const start = load<i32>(address);
  return start == load<i32>(address, 4) ? -1 : load<i32>(input.classVolumeSets + (<usize>(start + alternative) << 2));
}

export function withVolumes(podClass: i32, alternative: i32, set: i32): i32 {
  const volumes = volumeSetOf(podClass, alternative);
  return volumes < 0 ? set : combine(set, volumes);
}
