import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ourAnswer } from '../../conformance/kustomize/answer';
import { objectsHash, Recording, scenarioHash } from '../../conformance/kustomize/recording';
import { Scenarios } from '../../conformance/kustomize/scenario';

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/kustomize.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording);

describe('kustomizations build the objects that kustomize builds, and are refused if kustomize refuses them', () => {
  test.each(RECORDINGS)('scenario $number', ({ seed, number, scenario: hash, objects }) => {
    const scenario = Scenarios.at(seed, number);
    // If this fails, the generator has changed: record again (conformance/kustomize/record.ts).
    expect(scenarioHash(scenario)).toBe(hash);
    expect(objectsHash(ourAnswer(new Map(Object.entries(scenario.files)), scenario.folder))).toBe(objects);
  });
});
