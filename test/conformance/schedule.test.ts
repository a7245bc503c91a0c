import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../conformance/schedule/equivalence';
import { ourAnswer } from '../../conformance/schedule/our-answer';
import { brief, Recording, scenarioHash } from '../../conformance/schedule/recording';
import { freeZones, generate } from '../support/schedule-scenario/generate';

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/schedule.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording);

test('every open difference is explained', () => {
  expect(RECORDINGS.filter(({ open }) => open?.why === '')).toEqual([]);
});

describe('the scheduler decides as Karpenter did', () => {
  test.each(
    RECORDINGS.map((recording) => {
      const scenario = generate(recording.seed, recording.number, recording.feature);
      return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
    }),
  )('$title', ({ scenario, recording }) => {
    // If this fails, the generator has changed: record again (conformance/schedule/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    const mine = ourAnswer(scenario);
    expect(mine.notEvaluated).toEqual([]);
    const { verdict, difference } = compare(recording.answer, brief(mine), mine.workloadOf, freeZones(scenario));
    // If an open difference is gone, remove `open` from its recording.
    expect(difference).toBe(recording.open?.difference);
    expect(verdict === 'different').toBe(recording.open !== undefined);
  });
});
