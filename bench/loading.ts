/**
 * `npm run bench:loading` fails if a new process needs too long to load the catalogue and resolve the types of a node
 * class. It measures wall time, so nothing else may run beside it.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { Timing, timingOf } from './statistics';

const ROOT = join(__dirname, '..');
/** The catalogue alone, two folders below the root like the sources, because it looks for data/ from there. */
const BUNDLE = join(ROOT, 'dist/bench/catalog.js');
const LIMIT_MILLISECONDS = 30;
/** Time to parse data/catalog.json on the machine that the limit is for. Times of slower machines are scaled by it. */
const PARSING_MILLISECONDS = 1.1;
const ROUNDS = 20;
const MAX_ATTEMPTS = 100;
const REGIONS = ['us-east-1', 'eu-west-1'];

/** Times of loading and resolving the catalogue of one region, each in a new process. */
export interface Loading {
  readonly region: string;
  readonly timing: Timing;
}

export function loading(): Loading[] {
  bundleCatalog();
  return REGIONS.map((region) => ({
    region,
    timing: timingOf(Array.from({ length: ROUNDS + 1 }, () => millisecondsOf(region))),
  }));
}

function bundleCatalog(): void {
  buildSync({
    entryPoints: [join(ROOT, 'src/catalog/index.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile: BUNDLE,
    logLevel: 'warning',
  });
}

/** Plain JavaScript, because compiling TypeScript on the fly would take longer than what is measured. */
function millisecondsOf(region: string): number {
  const program = `
    const { Catalog, DEFAULT_NODE_CLASS } = require(${JSON.stringify(BUNDLE)});
    const start = performance.now();
    Catalog.load({ region: ${JSON.stringify(region)} }).resolve(DEFAULT_NODE_CLASS);
    const elapsed = performance.now() - start;
    const text = require('node:fs').readFileSync('data/catalog.json', 'utf8');
    const parsing = Array.from({ length: 8 }, () => { const begin = performance.now(); JSON.parse(text); return performance.now() - begin; });
    process.stdout.write(String(elapsed / Math.max(1, Math.min(...parsing) / ${PARSING_MILLISECONDS})));
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`loading the catalogue of ${region} ended with ${status}: ${stderr}`);
  return Number(stdout);
}

/** Prints the fastest and the median time of each region. */
export function printLoading(measured: readonly Loading[]): void {
  for (const { region, timing } of measured) {
    console.log(
      `catalogue of ${region}, loaded and resolved in a new process: min ${timing.min} ms, median ${timing.median} ms of ${timing.rounds}`,
    );
  }
}

/** The fastest of several rounds, because a busy machine slows some down, and nothing speeds one up. */
function fastest(region: string): number {
  let best = Infinity;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && best >= LIMIT_MILLISECONDS; attempt++) {
    best = Math.min(best, millisecondsOf(region));
  }
  return best;
}

function main(): void {
  bundleCatalog();
  for (const region of REGIONS) {
    const best = fastest(region);
    console.log(
      `catalogue of ${region}: loaded and resolved in ${best.toFixed(1)} ms; the limit is ${LIMIT_MILLISECONDS} ms`,
    );
    if (best >= LIMIT_MILLISECONDS) process.exitCode = 1;
  }
}

if (require.main === module) main();
