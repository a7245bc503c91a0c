/**
 * `npm run fuzz:inputs -- --count N --seed S` runs commands on mutated folders: manifests, kustomizations, objects of
 * Argo CD and Flux, templates, settings, catalogues. An input fails if it causes an internal error, more than 5 s of
 * CPU time, more than 1 GiB of memory, or text that controls a terminal or a CI runner. Prints each failure with the
 * arguments that reproduce it, and one JSON object as the last line. With `--keep FOLDER`, the files of the first input
 * are written there, and nothing is run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Mutants } from './mutant';
import { runInputs } from './run-inputs';
import { allSeeds } from './seeds';
import { writeFiles } from './worker';
import { bundleSource } from '../../support/command-line';

const MAX_SHOWN = 40;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
      first: { type: 'string', default: '0' },
      keep: { type: 'string' },
    },
  });
  const [count, seed, first] = [values.count, values.seed, values.first].map(Number);
  if (values.keep !== undefined) {
    const { files, command } = new Mutants(allSeeds(), seed).make(first);
    writeFiles(values.keep, files);
    console.log(command.join(' '));
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  try {
    const worker = join(folder, 'worker.js');
    await bundleSource('test/cli/fuzz/worker.ts', worker);
    const { failures, ...summary } = await runInputs(
      worker,
      join(folder, 'input'),
      { seed, first, count },
      (inputs, failed) => console.error(`${inputs} inputs, ${failed} failures`),
    );
    for (const { index, failure } of failures.slice(0, MAX_SHOWN))
      console.log(`--seed ${seed} --first ${index} --count 1: ${failure}`);
    console.log(JSON.stringify({ ...summary, failures: failures.length, seed }));
    process.exitCode = failures.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
