import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstDifference } from '../../conformance/disruption/equivalence';
import { ourAnswer } from '../../conformance/disruption/our-answer';
import { brief, Recording, scenarioHash } from '../../conformance/disruption/recording';
import { generate } from '../support/disruption-scenario/generate';

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/disruption.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording);

describe('disruption decisions equal those that Karpenter made', () => {
  test.each(
    RECORDINGS.map((recording) => {
      const scenario = generate(recording.seed, recording.number, recording.feature);
      return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
    }),
  )('$title', ({ scenario, recording }) => {
    // If this fails, the generator has changed: record again (conformance/disruption/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    const mine = ourAnswer(scenario);
    expect(mine.notEvaluated).toEqual([]);
    expect(firstDifference(recording.answer, brief(mine))).toBeUndefined();
  });

  test('the recordings contain commands of every method', () => {
    const methods = RECORDINGS.flatMap(({ answer }) =>
      answer.methods.filter(({ commands }) => commands.length > 0).map(({ method }) => method),
    );
    expect([...new Set(methods)].sort()).toEqual([
      'Drift',
      'Emptiness',
      'MultiNodeConsolidation',
      'Repair',
      'SingleNodeConsolidation',
      'StaticDrift',
    ]);
  });

  test('the recordings contain nodes that are terminated before their replacement, by each method and for each reason', () => {
    const first = RECORDINGS.flatMap(({ answer: { methods } }) =>
      methods.flatMap(({ method, commands }) =>
        commands.flatMap(({ terminateFirst }) => (terminateFirst === undefined ? [] : [method, terminateFirst])),
      ),
    );
    expect([...new Set(first)].sort()).toEqual([
      'Drift',
      'Repair',
      'StaticDrift',
      'no-reserved-capacity',
      'static-at-limit',
    ]);
  });

  test('the recordings contain every drift reason that follows from the objects', () => {
    const reasons = new Set(RECORDINGS.flatMap(({ answer: { drifts = {} } }) => Object.values(drifts)));
    expect([...reasons]).toEqual(
      expect.arrayContaining(['NodePoolDrifted', 'RequirementsDrifted', 'NodeClassDrift', 'AMIDrift']),
    );
  });

  test('the recordings contain decisions of each kind that pass validation, and others that fail it', () => {
    const stays = RECORDINGS.flatMap(({ answer: { methods, confirmed = {} } }) =>
      methods
        .filter(({ method, commands }) => confirmed[method] !== undefined && commands.length > 0)
        .map(({ method }) => `${method} ${confirmed[method].length > 0 ? 'stays' : 'is given up'}`),
    );
    expect([...new Set(stays)].sort()).toEqual(
      ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'].flatMap((method) => [
        `${method} is given up`,
        `${method} stays`,
      ]),
    );
  });
});
