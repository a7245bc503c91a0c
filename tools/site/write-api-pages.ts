/** Writes docs/api/ from API.md, for the site: `tsx tools/site/write-api-pages.ts`. The pages are not committed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiPages } from './api-pages';
import { DOCS } from './pages';

const FOLDER = join(DOCS, 'api');
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of apiPages(readFileSync(join(DOCS, '../API.md'), 'utf8')))
  writeFileSync(join(FOLDER, `${name}.md`), text);
