/** The number of letters to insert, remove or replace, or of neighbours to swap, as in `roel` for `role`. */
export function editDistance(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= left.length; row++) {
    const [before, previous] = [rows[row - 2], rows[row - 1]];
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = previous[column - 1] + Number(left[row - 1] !== right[column - 1]);
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwapped ? before[column - 2] + 1 : Infinity;
      current.push(Math.min(replaced, swapped, previous[column] + 1, current[column - 1] + 1));
    }
    rows.push(current);
  }
  return rows[left.length][right.length];
}

/**
 * The candidate that a misspelt word was likely meant to be: the same word in other case, or one that is at most two
 * edits, and at most a third of the word, away. The first by name of several that are equally near.
 */
export function nearestName(word: string, candidates: readonly string[]): string | undefined {
  return nearestNames(word, candidates)[0];
}

/** Names with the same letters differ by at most so many marks. */
const MAX_MARKS = 2;

/**
 * All candidates that are equally near to a misspelt word, by name. If there are several, none is known to be meant.
 */
export function nearestNames(word: string, candidates: readonly string[]): string[] {
  const lowerCase = word.toLowerCase();
  const inOtherCase = candidates.find((candidate) => candidate !== word && candidate.toLowerCase() === lowerCase);
  if (inOtherCase !== undefined) return [inOtherCase];
  const letters = lettersOf(word);
  const withOtherMarks = candidates.filter(
    (candidate) => Math.abs(candidate.length - word.length) <= MAX_MARKS && lettersOf(candidate) === letters,
  );
  if (new Set(withOtherMarks).size === 1 && withOtherMarks[0] !== word) return withOtherMarks.slice(0, 1);
  const maxDistance = Math.min(2, Math.floor(word.length / 3));
  const near = candidates
    // Hot path: each letter of difference in length is one edit, so that most candidates need no table.
    .filter(({ length }) => Math.abs(length - word.length) <= maxDistance)
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance > 0 && distance <= maxDistance);
  const least = Math.min(...near.map(({ distance }) => distance));
  const names = near.filter(({ distance }) => distance === least).map(({ candidate }) => candidate);
  return [...new Set(names)].sort();
}

/** A name without case and marks: `ON_DEMAND` and `on-demand` are the same. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '');
}

/** The one key that is near, also a short one: that it has the right value speaks for it. */
export function nearestKeyOfValue(key: string, candidates: readonly string[]): string | undefined {
  const unique = [...new Set(candidates)];
  const near = nearestNames(key, unique);
  const keys = near.length > 0 ? near : unique.filter((other) => editDistance(key, other) === 1);
  return keys.length === 1 ? keys[0] : undefined;
}
