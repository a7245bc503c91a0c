/**
 * `npm run fuzz -- --count N --seed S` solves small random scenarios that use all features of the solver, with extreme
 * amounts. Each is solved twice, and must not trap, hang, differ, or overfill a node. For one in 50 inputs the whole
 * plan is verified independently. Prints each failure with the arguments that reproduce it, and one JSON object as the
 * last line.
 */
import { parseArgs } from 'node:util';
import { fuzzInput, PROBLEMS_PER_INPUT } from './fuzz';

const PROGRESS_EVERY = 5000;
const VERIFIED_EVERY = 50;
const MAX_SHOWN = 20;

function main(): void {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      first: { type: 'string', default: '0' },
    },
  });
  const [count, seed, first] = [values.count, values.seed, values.first].map(Number);
  const inputs = Math.ceil(count / PROBLEMS_PER_INPUT);
  const start = performance.now();
  let verified = 0;
  let failures = 0;
  for (let input = first; input < first + inputs; input++) {
    const isVerified = input % VERIFIED_EVERY === 0;
    verified += Number(isVerified);
    for (const [problem, failure] of fuzzInput(seed, input, isVerified)) {
      if (failures++ < MAX_SHOWN)
        console.log(`--seed ${seed} --first ${input} --count 1, problem ${problem}: ${failure}`);
    }
    if ((input + 1 - first) % PROGRESS_EVERY === 0)
      console.error(`${(input + 1 - first) * PROBLEMS_PER_INPUT} scenarios, ${failures} failures`);
  }
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const scenarios = inputs * PROBLEMS_PER_INPUT;
  console.log(
    JSON.stringify({
      scenarios,
      inputs,
      verified,
      wrong: failures,
      seed,
      seconds,
      perSecond: Math.round(scenarios / seconds),
    }),
  );
  process.exitCode = failures === 0 ? 0 : 1;
}

main();
