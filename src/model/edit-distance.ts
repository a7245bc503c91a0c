/** Levenshtein distance: letters to insert, remove or replace. */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = previous[column - 1] + Number(left[row - 1] !== right[column - 1]);
      current.push(Math.min(replaced, previous[column] + 1, current[column - 1] + 1));
    }
    previous = current;
  }
  return previous[right.length];
}

/** The candidate that a word was likely meant to be: two edits away at most, and no more than a third of it. */
export function mostAlike(word: string, candidates: readonly string[]): string | undefined {
  const most = Math.min(2, Math.floor(word.length / 3));
  const alike = candidates.map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance > 0 && distance <= most)
    .sort((left, right) => left.distance - right.distance || (left.candidate < right.candidate ? -1 : 1));
  return alike[0]?.candidate;
}
