/** Type bitsets: `bytes` is a multiple of 16. */

export function copyBits(target: usize, source: usize, bytes: usize): void {
  memory.copy(target, source, bytes);
}

export function andBits(target: usize, other: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(target + i, v128.and(v128.load(target + i), v128.load(other + i)));
  }
}

export function andNotBits(target: usize, other: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(target + i, v128.andnot(v128.load(target + i), v128.load(other + i)));
  }
}

export function orBits(target: usize, other: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(target + i, v128.or(v128.load(target + i), v128.load(other + i)));
  }
}

export function anyBit(bits: usize, bytes: usize): bool {
  for (let i: usize = 0; i < bytes; i += 16) {
    if (v128.any_true(v128.load(bits + i))) return true;
  }
  return false;
}

export function anyCommonBit(a: usize, b: usize, bytes: usize): bool {
  for (let i: usize = 0; i < bytes; i += 16) {
    if (v128.any_true(v128.and(v128.load(a + i), v128.load(b + i)))) return true;
  }
  return false;
}

export function countCommonBits(a: usize, b: usize, bytes: usize): i32 {
  let count: i64 = 0;
  for (let i: usize = 0; i < bytes; i += 8) {
    count += popcnt<i64>(load<i64>(a + i) & load<i64>(b + i));
  }
  return <i32>count;
}

@inline
export function hasBit(bits: usize, index: i32): bool {
  return (load<u8>(bits + (<usize>index >> 3)) & (1 << (index & 7))) != 0;
}

@inline
export function setBit(bits: usize, index: i32): void {
  const byte = bits + (<usize>index >> 3);
  store<u8>(byte, load<u8>(byte) | (<u8>1 << <u8>(index & 7)));
}

@inline
export function clearBit(bits: usize, index: i32): void {
  const byte = bits + (<usize>index >> 3);
  store<u8>(byte, load<u8>(byte) & ~(<u8>1 << <u8>(index & 7)));
}
