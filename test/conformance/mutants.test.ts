import { mutants } from '../../conformance/crd/mutate';
import { NEWEST } from '../../conformance/versions/releases';
import { corpus } from '../support/api-objects/corpus';

const cases = corpus(NEWEST.provider);
const bases = cases.filter(({ name }) => /^\w+ \w+$/.test(name)).map(({ object }) => object);

function mutantsOf(seed: number) {
  return mutants(seed, 200, NEWEST.provider, bases, cases);
}

test('returns the same mutants for the same seed, and others for another seed', () => {
  expect(mutantsOf(7)).toEqual(mutantsOf(7));
  expect(mutantsOf(8)).not.toEqual(mutantsOf(7));
});

test('changes most mutants, and leaves their bases unchanged', () => {
  const before = JSON.stringify(bases);
  const unchanged = new Set(bases.map((base) => JSON.stringify(base)));
  expect(mutantsOf(7).filter((mutant) => !unchanged.has(JSON.stringify(mutant))).length).toBeGreaterThan(150);
  expect(JSON.stringify(bases)).toBe(before);
});

test('makes mutants of every kind', () => {
  expect(new Set(mutantsOf(7).map(({ kind }) => kind))).toEqual(
    new Set(['NodePool', 'NodeClaim', 'EC2NodeClass', 'NodeOverlay', 'CapacityBuffer']),
  );
});
