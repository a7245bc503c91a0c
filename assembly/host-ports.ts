/** Host ports: sets of numbered ports, one bit each, in `portWords` words. */
import * as input from './input';

/** Whether pods of the class may not run beside pods that have taken `taken`. */
export function conflicts(podClass: i32, taken: usize): bool {
  return anyCommon(input.classPortConflicts + <usize>(podClass * input.portWords) * 8, taken);
}

export function takePorts(podClass: i32, taken: usize): void {
  addPorts(taken, input.classPorts + <usize>(podClass * input.portWords) * 8);
}

export function addPorts(target: usize, more: usize): void {
  for (let word = 0; word < input.portWords; word++) {
    const at = <usize>word << 3;
    store<u64>(target + at, load<u64>(target + at) | load<u64>(more + at));
  }
}

function anyCommon(a: usize, b: usize): bool {
  for (let word = 0; word < input.portWords; word++) {
    const at = <usize>word << 3;
    if ((load<u64>(a + at) & load<u64>(b + at)) != 0) return true;
  }
  return false;
}
