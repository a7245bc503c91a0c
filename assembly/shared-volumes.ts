/** Volumes that several pods mount: a node attaches such a volume once for all of them. */
import * as input from './input';
import { endOf, startOf } from './records';

/** Whether the node can attach the missing shared volumes in addition to the volumes that only this pod mounts. */
export function canAttach(podClass: i32, node: i32, requests: usize, remaining: usize): bool {
  const end = endOf(input.classSharedStart, podClass);
  let driver = -1;
  let needed: i64 = 0;
  for (let index = startOf(input.classSharedStart, podClass); index < end; index++) {
    const volume = load<i32>(input.classShared + (<usize>index << 2));
    const resource = resourceOf(volume);
    // Volumes of one driver are consecutive.
    if (resource != driver) {
      driver = resource;
      needed = load<i64>(requests + (<usize>resource << 3));
    }
    if (load<u8>(slotOf(node, volume)) != 0) continue;
    needed++;
    if (needed > load<i64>(remaining + (<usize>resource << 3))) return false;
  }
  return true;
}

export function attach(podClass: i32, node: i32, remaining: usize): void {
  const end = endOf(input.classSharedStart, podClass);
  for (let index = startOf(input.classSharedStart, podClass); index < end; index++) {
    const volume = load<i32>(input.classShared + (<usize>index << 2));
    if (load<u8>(slotOf(node, volume)) != 0) continue;
    store<u8>(slotOf(node, volume), 1);
    const left = remaining + (<usize>resourceOf(volume) << 3);
    store<i64>(left, load<i64>(left) - 1);
  }
}

@inline
function resourceOf(volume: i32): i32 {
  return load<i32>(input.sharedResource + (<usize>volume << 2));
}

@inline
function slotOf(node: i32, volume: i32): usize {
  return input.nodeShared + <usize>(node * input.sharedCount + volume);
}
