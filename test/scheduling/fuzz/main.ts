/**
 * `npm run fuzz -- --count N --seed S`: small scenarios with whatever the solver knows, hostile amounts among them. Each is solved
 * twice, and must neither trap nor hang nor come out differently, nor put more on a node than it holds; of one in 50 inputs the whole
 * plan is looked at from outside. Prints what is wrong with the numbers that show it again, and as the last line one JSON object.
 */
import { parseArgs } from 'node:util';
import { fuzzInput, OF_ONE_INPUT } from './fuzz';

const PROGRESS_EVERY = 5000;
const VERIFIED_EVERY = 50;
const MOST_SHOWN = 20;

function main(): void {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' }, first: { type: 'string', default: '0' } },
  });
  const [count, seed, first] = [values.count, values.seed, values.first].map(Number);
  const inputs = Math.ceil(count / OF_ONE_INPUT);
  const start = performance.now();
  let verified = 0;
  let wrong = 0;
  for (let input = first; input < first + inputs; input++) {
    const isVerified = input % VERIFIED_EVERY === 0;
    verified += Number(isVerified);
    for (const [at, what] of fuzzInput(seed, input, isVerified)) {
      if (wrong++ < MOST_SHOWN) console.log(`--seed ${seed} --first ${input} --count 1, problem ${at}: ${what}`);
    }
    if ((input + 1 - first) % PROGRESS_EVERY === 0) console.error(`${(input + 1 - first) * OF_ONE_INPUT} scenarios, ${wrong} wrong`);
  }
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const scenarios = inputs * OF_ONE_INPUT;
  console.log(JSON.stringify({ scenarios, inputs, verified, wrong, seed, seconds, perSecond: Math.round(scenarios / seconds) }));
  process.exitCode = wrong === 0 ? 0 : 1;
}

main();
