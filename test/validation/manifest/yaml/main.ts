/**
 * `npm run fuzz:yaml -- --count N --seed S`: reads mutated YAML texts with both YAML readers. Prints the texts that
 * they read differently, and a JSON summary as the last line.
 */
import { parseArgs } from 'node:util';
import { agreement } from './agreement';
import { mutant } from './mutant';
import { Dice } from '../../../support/schedule-scenario/dice';

const PROGRESS_EVERY = 100_000;
const MAX_SHOWN = 20;

function main(): void {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
  });
  const [texts, seed] = [values.count, values.seed].map(Number);
  const dice = new Dice(seed);
  const counts = { same: 0, left: 0, different: 0 };
  for (let done = 1; done <= texts; done += 1) {
    const text = mutant(dice);
    const result = agreement(text);
    if (result === 'same' || result === 'left') counts[result] += 1;
    else if (counts.different++ < MAX_SHOWN) console.log(`${JSON.stringify(text)}\n  ${result}`);
    if (done % PROGRESS_EVERY === 0) console.error(`${done} texts, ${counts.different} read differently`);
  }
  console.log(JSON.stringify({ texts, ...counts, seed }));
  process.exitCode = counts.different === 0 ? 0 : 1;
}

main();
