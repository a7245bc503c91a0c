import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DOCS = join(__dirname, '../../docs');
/** Folders of docs/ without pages that are written by hand. */
const OTHER_FOLDERS = ['.vitepress', 'api', 'images', 'public'];

/** Paths of the pages below docs/, relative to docs/, in order. The generated API reference is left out. */
export function docsPages(folder = ''): string[] {
  const entries = readdirSync(join(DOCS, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return OTHER_FOLDERS.includes(path) ? [] : docsPages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

export function isPage(path: string): boolean {
  return existsSync(join(DOCS, path));
}

/** The text of the first heading of a page, without marks. */
export function titleOf(path: string): string {
  const [, title] = /^# (.*)$/m.exec(readFileSync(join(DOCS, path), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${path} has no heading "# …"`);
  return title.replaceAll(/[`*]/g, '');
}

/** The address of a page in the site, from the root of the site. */
export function addressOf(path: string): string {
  return `/${path.replace(/\.md$/, '').replace(/(^|\/)(README|index)$/, '$1')}`;
}
