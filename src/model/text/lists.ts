import { countText } from './numbers';

/** `a`, `a and b`, `a, b and c`: without a comma before the conjunction. */
export function listText(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names[names.length - 1]}`;
}

/** The first names and the number of names left out: `a, b and 3 more`, or `a, b and 3 more pods` with a noun. */
export function shortListText(names: readonly string[], most = 5, noun?: string): string {
  const left = names.length - most;
  return left > 0 ? `${names.slice(0, most).join(', ')} and ${moreText(left, noun)}` : listText(names);
}

/** `Deployment shop/web` of each, sorted: for lists in sentences and in evidence. */
export function workloadNames(
  workloads: ReadonlyArray<{ readonly kind: string; readonly namespace: string; readonly name: string }>,
): string[] {
  return workloads.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).sort();
}

/** `3 more`, `1 more pod`, `3 more pods`: what a list leaves out. */
export function moreText(count: number, noun?: string): string {
  return noun === undefined ? countText(count, 'more', 'more') : countText(count, `more ${noun}`);
}

/** What something becomes, step by step: `2 → 3`, `1,391 instance types → 24 (family = m5)`. */
export function stepsText(...steps: readonly string[]): string {
  return steps.join(' → ');
}

/** `2 → 3`, or `2` if nothing changes. */
export function changeText(before: string, after: string): string {
  return before === after ? after : stepsText(before, after);
}
