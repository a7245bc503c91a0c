/** The Levenshtein distance: the number of letters to insert, remove or replace. */
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

/**
 * The candidate that a misspelt word was likely meant to be: at most two edits, and at most a third of the word, away.
 */
export function nearestName(word: string, candidates: readonly string[]): string | undefined {
  const maxDistance = Math.min(2, Math.floor(word.length / 3));
  const nearest = candidates.map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance > 0 && distance <= maxDistance)
    .sort((left, right) => left.distance - right.distance || (left.candidate < right.candidate ? -1 : 1));
  return nearest[0]?.candidate;
}
