/** The chapters of docs/rules.md: the hundreds of their rules' numbers, and their titles. */
const CHAPTERS: ReadonlyMap<number, string> = new Map([
  [0, 'Input'],
  [1, 'API and schema'],
  [2, 'Instance selection'],
  [3, 'Capacity'],
  [4, 'Disruption and availability'],
  [5, 'Interruption'],
  [6, 'Identity and permissions'],
  [8, 'Storage'],
  [9, 'The controller and upgrades'],
  [10, 'Cost'],
]);

export const RULE_CHAPTERS: readonly string[] = [...CHAPTERS.values()];

/** The chapter of a rule, which also decides its folder. */
export function chapterOf(id: string): string | undefined {
  return CHAPTERS.get(Math.floor(Number(id.slice('KARP-'.length)) / 100));
}
