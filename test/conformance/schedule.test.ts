import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../conformance/schedule/equivalence';
import { ours } from '../../conformance/schedule/ours';
import { brief, Recording, scenarioHash } from '../../conformance/schedule/recording';
import { freeZones, generate } from '../../conformance/schedule/scenario/generate';

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/schedule.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Recording);

describe('the scheduler decides as Karpenter itself did', () => {
  test.each(RECORDINGS.map((recording) => {
    const scenario = generate(recording.seed, recording.number, recording.feature);
    return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
  }))('$title', ({ scenario, recording }) => {
    // Where this fails, the generator has changed: record anew (conformance/schedule/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    const mine = ours(scenario);
    expect(mine.notEvaluated).toEqual([]);
    const { verdict, difference } = compare(recording.answer, brief(mine), mine.workloadOf, freeZones(scenario));
    expect(difference).toBeUndefined();
    expect(verdict).not.toBe('different');
  });
});
