import { fuzzInput, PROBLEMS_PER_INPUT } from './fuzz';

const SEED = 4;
const INPUTS = 2000 / PROBLEMS_PER_INPUT;

test(`${INPUTS * PROBLEMS_PER_INPUT} problems: both solves agree, stay within the bounds, do not trap, and overfill no node`, () => {
  const failures = Array.from({ length: INPUTS }, (_, input) =>
    [...fuzzInput(SEED, input, input % 10 === 0)].map(([problem, failure]) => `${input}/${problem}: ${failure}`),
  );
  expect(failures.flat()).toEqual([]);
}, 120_000);
