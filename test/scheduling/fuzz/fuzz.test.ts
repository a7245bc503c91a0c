import { fuzzInput, OF_ONE_INPUT } from './fuzz';

const SEED = 4;
const INPUTS = 2000 / OF_ONE_INPUT;

test(`${INPUTS * OF_ONE_INPUT} scenarios of every kind are solved twice alike, without a trap, within their bounds, and no node is overfilled`, () => {
  const wrong = Array.from({ length: INPUTS }, (_, input) => [...fuzzInput(SEED, input, input % 10 === 0)].map(([at, what]) => `${input}/${at}: ${what}`));
  expect(wrong.flat()).toEqual([]);
}, 120_000);
