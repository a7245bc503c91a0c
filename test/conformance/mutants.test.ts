import { corpus } from '../../conformance/crd/corpus';
import { mutants } from '../../conformance/crd/mutate';
import { NEWEST } from '../../conformance/versions/releases';

const cases = corpus(NEWEST.provider);
const bases = cases.filter(({ name }) => /^\w+ \w+$/.test(name)).map(({ object }) => object);

function made(seed: number) {
  return mutants(seed, 200, NEWEST.provider, bases, cases);
}

test('a seed gives the same mutants each time, and another seed gives others', () => {
  expect(made(7)).toEqual(made(7));
  expect(made(8)).not.toEqual(made(7));
});

test('mutants are mostly not what they were made from, which stays as it was', () => {
  const before = JSON.stringify(bases);
  const known = new Set(bases.map((base) => JSON.stringify(base)));
  expect(made(7).filter((mutant) => !known.has(JSON.stringify(mutant))).length).toBeGreaterThan(150);
  expect(JSON.stringify(bases)).toBe(before);
});

test('mutants of every kind are made', () => {
  expect(new Set(made(7).map(({ kind }) => kind))).toEqual(new Set(['NodePool', 'NodeClaim', 'EC2NodeClass', 'NodeOverlay', 'CapacityBuffer']));
});
