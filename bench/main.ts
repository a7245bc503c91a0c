/**
 * `npm run bench`: how long the solver and the command line take. Prints a table, then one JSON object with the same figures.
 * Milliseconds are of this machine; they compare with an earlier run on it, not with those of others.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const REQUIRED = ['src/kernel/packer.generated.ts', 'lib/cli/index.js'];

async function main(): Promise<void> {
  const missing = REQUIRED.find((file) => !existsSync(join(__dirname, '..', file)));
  if (missing !== undefined) {
    console.error(`bench: ${missing} is missing, and what is shipped is measured; run npm run kernel && npm run compile first`);
    process.exitCode = 1;
    return;
  }
  // Only now: it imports the kernel.
  const { checks, print, solves } = await import('./measurements.js');
  print([...solves(), ...checks()]);
}

void main();
