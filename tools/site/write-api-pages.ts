/** Writes docs/api/ from the compiled API: `tsx tools/site/write-api-pages.ts`. The pages are not committed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readApi } from './api-model';
import { apiPages } from './api-pages';
import { DOCS } from './pages';

const FOLDER = join(DOCS, 'api');

async function writeApiPages(): Promise<void> {
  const pages = apiPages(await readApi(join(DOCS, '..')));
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(FOLDER, `${name}.md`), text);
}

writeApiPages().catch((error: unknown) => {
  console.error(`write-api-pages: ${(error as Error).message}`);
  process.exitCode = 1;
});
