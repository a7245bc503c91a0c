import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsPages } from '../../tools/site/pages';

export const ROOT = join(__dirname, '../..');

/** README.md and all pages below docs/ that are written by hand, or generated and committed. */
export const PAGES: readonly string[] = ['README.md', ...docsPages().map((path) => `docs/${path}`)];

export function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The texts of the blocks of code in a language. */
export function blocksOf(page: string, language: string): string[] {
  return [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text);
}
