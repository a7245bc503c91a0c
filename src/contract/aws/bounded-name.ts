import { createHash } from 'crypto';

const HASH_CHARACTERS = 8;

/**
 * The name as it is, or, where AWS would refuse it for its length, its beginning with a hash of the whole: the same
 * name gives the same result, and two that begin alike stay apart.
 */
export function boundedName(name: string, characters: number): string {
  if (name.length <= characters) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  return `${name.slice(0, characters - HASH_CHARACTERS - 1)}-${hash}`;
}
