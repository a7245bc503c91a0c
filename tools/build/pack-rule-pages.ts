/**
 * Packs the pages of docs/rules into one compressed file: they repeat much, and the package has no docs. Brotli looks
 * back further than gzip, and saves a quarter.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const PAGES = join(__dirname, '../../docs/rules');

/** Writes the file that `rules` reads in the package: a JSON object with the page of each rule, compressed. */
export function packRulePages(file: string): void {
  const pages = readdirSync(PAGES)
    .sort()
    .map((name) => [basename(name, '.md'), readFileSync(join(PAGES, name), 'utf8')]);
  writeFileSync(file, brotliCompressSync(JSON.stringify(Object.fromEntries(pages))));
}
