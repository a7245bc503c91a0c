/**
 * Records what kustomize makes of generated scenarios: `npx tsx conformance/kustomize/record.ts SEED COUNT`. Needs Go.
 * test/conformance/fixtures/kustomize.jsonl holds the answers of
 *
 *     31 200
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kustomize } from './oracle';
import { objectsHash, Recording, scenarioHash } from './recording';
import { Scenarios } from './scenario';

const FILE = join(__dirname, '../../test/conformance/fixtures/kustomize.jsonl');

async function record(seed: number, count: number): Promise<void> {
  const kustomize = new Kustomize();
  console.log(await kustomize.version());
  const lines: string[] = [];
  for (let number = 0; number < count; number++) {
    const scenario = Scenarios.at(seed, number);
    const objects = objectsHash(await kustomize.build(scenario));
    const recording: Recording = { seed, number, scenario: scenarioHash(scenario), objects };
    lines.push(`${JSON.stringify(recording)}\n`);
  }
  kustomize.stop();
  writeFileSync(FILE, lines.join(''));
}

const [seed, count] = process.argv.slice(2).map(Number);
record(seed, count).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
