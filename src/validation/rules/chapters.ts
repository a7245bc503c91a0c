interface Chapter {
  readonly title: string;
  /** Folder of its rules in src/validation/rules. */
  readonly folder: string;
}

/** The chapters of docs/rules.md, by the hundreds of their rules' numbers. */
const CHAPTERS: ReadonlyMap<number, Chapter> = new Map([
  [0, { title: 'Input', folder: 'input' }],
  [1, { title: 'API and schema', folder: 'api' }],
  [2, { title: 'Instance selection', folder: 'instance-selection' }],
  [3, { title: 'Capacity', folder: 'capacity' }],
  [4, { title: 'Disruption and availability', folder: 'disruption' }],
  [5, { title: 'Interruption', folder: 'interruption' }],
  [6, { title: 'Identity and permissions', folder: 'permissions' }],
  [8, { title: 'Storage', folder: 'storage' }],
  [9, { title: 'The controller and upgrades', folder: 'controller' }],
  [10, { title: 'Cost', folder: 'cost' }],
]);

export const RULE_CHAPTERS: readonly string[] = [...CHAPTERS.values()].map(({ title }) => title);

/** The title of a rule's chapter. */
export function chapterOf(id: string): string | undefined {
  return chapterWith(id)?.title;
}

export function chapterFolderOf(id: string): string | undefined {
  return chapterWith(id)?.folder;
}

function chapterWith(id: string): Chapter | undefined {
  return CHAPTERS.get(Math.floor(Number(id.slice('KARP-'.length)) / 100));
}
