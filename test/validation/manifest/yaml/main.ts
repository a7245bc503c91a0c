/**
 * `npm run fuzz:yaml -- --count N --seed S`: texts near to YAML, each read by both readers of manifests. Prints what they read differently,
 * and as the last line one JSON object.
 */
import { parseArgs } from 'node:util';
import { agreement } from './agreement';
import { mutant } from './mutant';
import { Dice } from '../../../../conformance/schedule/scenario/dice';

const PROGRESS_EVERY = 100_000;
const MOST_SHOWN = 20;

function main(): void {
  const { values } = parseArgs({ options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } } });
  const [texts, seed] = [values.count, values.seed].map(Number);
  const dice = new Dice(seed);
  const counts = { same: 0, left: 0, different: 0 };
  for (let done = 1; done <= texts; done += 1) {
    const text = mutant(dice);
    const result = agreement(text);
    if (result === 'same' || result === 'left') counts[result] += 1;
    else if (counts.different++ < MOST_SHOWN) console.log(`${JSON.stringify(text)}\n  ${result}`);
    if (done % PROGRESS_EVERY === 0) console.error(`${done} texts, ${counts.different} read differently`);
  }
  console.log(JSON.stringify({ texts, ...counts, seed }));
  process.exitCode = counts.different === 0 ? 0 : 1;
}

main();
