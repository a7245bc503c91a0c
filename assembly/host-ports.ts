/** Host ports: sets of numbered ports, one bit per port, in `portWords` words. */
import * as input from './input';

/** Whether pods of the class conflict with the ports in `taken`. */
export function conflicts(podClass: i32, taken: usize): bool {
  return anyCommon(input.classPortConflicts + <usize>(podClass * input.portWords) * 8, taken);
}

export function takePorts(podClass: i32, taken: usize): void {
  addPorts(taken, input.classPorts + <usize>(podClass * input.portWords) * 8);
}

export function addPorts(target: usize, more: usize): void {
  for (let word = 0; word < input.portWords; word++) {
    const offset = <usize>word << 3;
    store<u64>(target + offset, load<u64>(target + offset) | load<u64>(more + offset));
  }
}

function anyCommon(a: usize, b: usize): bool {
  for (let word = 0; word < input.portWords; word++) {
    const offset = <usize>word << 3;
    if ((load<u64>(a + offset) & load<u64>(b + offset)) != 0) return true;
  }
  return false;
}
