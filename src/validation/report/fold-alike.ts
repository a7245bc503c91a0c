/** Of more than so many that say the same the first is told, and the others are named or counted. */
const MOST_ALIKE = 3;

/** What is told by itself, and what in one; in the order in which it is first said. */
export function foldAlike<Told>(all: readonly Told[], keyOf: (one: Told) => string): Told[][] {
  const groups = new Map<string, Told[]>();
  const keys = all.map(keyOf);
  all.forEach((one, at) => {
    const known = groups.get(keys[at]);
    if (known) known.push(one); else groups.set(keys[at], [one]);
  });
  return all.flatMap((one, at) => {
    const group = groups.get(keys[at])!;
    return group.length <= MOST_ALIKE ? [[one]] : one === group[0] ? [group] : [];
  });
}

/** `a, b, c, and 7 more still`. */
export function firstNames(names: readonly string[], most: number, all: string): string {
  const left = names.length - most;
  return names.slice(0, most).join(', ') + (left > 0 ? `, and ${left} more still${all}` : '');
}
