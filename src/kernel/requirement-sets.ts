/* eslint-disable no-bitwise -- values are bits */
import { KeyRequirement, StandingPart } from './packer-problem';

/** Where the kernel's sets are, as assembly/requirement-rows.ts lays them out. */
export interface SetLayout {
  readonly rows: number;
  readonly rowBytes: number;
  readonly boundsAt: number;
  readonly flagsAt: number;
}

const DEFINED = 1;
const COMPLEMENT = 2;
const HAS_GTE = 4;
const HAS_LTE = 8;

/** By set: what it says of labels that are not well known, and which values of well-known ones it excludes. */
export function readSets(
  memory: DataView, layout: SetLayout, standing: Pick<StandingPart, 'keyWellKnown' | 'keyWordStart'>, sets: Iterable<number>,
): ReadonlyMap<number, readonly KeyRequirement[]> {
  return new Map([...sets].map((set) => [set, readSet(memory, layout, standing, layout.rows + set * layout.rowBytes)]));
}

function readSet(
  memory: DataView, { flagsAt, boundsAt }: SetLayout, { keyWellKnown, keyWordStart }: Pick<StandingPart, 'keyWellKnown' | 'keyWordStart'>, row: number,
): KeyRequirement[] {
  const found: KeyRequirement[] = [];
  for (let key = 0; key < keyWellKnown.length; key++) {
    const flags = memory.getUint8(row + flagsAt + key);
    if ((flags & DEFINED) === 0 || (keyWellKnown[key] !== 0 && (flags & COMPLEMENT) === 0)) continue;
    const bounds = row + boundsAt + key * 16;
    found.push({
      key,
      complement: (flags & COMPLEMENT) !== 0,
      values: bitsBetween(memory, row + keyWordStart[key] * 8, row + keyWordStart[key + 1] * 8),
      ...(flags & HAS_GTE) === 0 ? {} : { gte: memory.getBigInt64(bounds, true) },
      ...(flags & HAS_LTE) === 0 ? {} : { lte: memory.getBigInt64(bounds + 8, true) },
    });
  }
  return found;
}

function bitsBetween(memory: DataView, from: number, to: number): number[] {
  const bits: number[] = [];
  for (let at = from; at < to; at++) {
    const byte = memory.getUint8(at);
    for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) % 2 === 1) bits.push((at - from) * 8 + bit);
  }
  return bits;
}
