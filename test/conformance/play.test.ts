import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlayAnswer } from '../../conformance/play/answer';
import { difference } from '../../conformance/play/equivalence';
import { ours } from '../../conformance/play/ours';
import { generate, scenarioHash } from '../../conformance/play/scenario';

interface Recording {
  readonly seed: number;
  readonly number: number;
  readonly hash: string;
  readonly answer: PlayAnswer;
}

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/play.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Recording);

describe('as time passes a cluster becomes what Karpenter made of it, decision by decision', () => {
  test.each(RECORDINGS.map((recording) => {
    const scenario = generate(recording.seed, recording.number);
    return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
  }))('$title', ({ scenario, recording }) => {
    // Where this fails, the generator has changed: record anew (conformance/play/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    expect(difference(recording.answer, ours(scenario))).toBeUndefined();
  });

  test('the recordings have decisions of every method, launches, and nodes that go', () => {
    const told = RECORDINGS.flatMap(({ answer }) => answer.events.map(({ what }) => what));
    for (const word of ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation', 'Drift', 'launched', 'gone']) {
      expect(told.filter((what) => what.includes(word)).length).toBeGreaterThan(5);
    }
  });

  const answer: PlayAnswer = { events: [{ second: 10, what: 'a is gone' }], workloads: { web: { lowestReady: 1, evictions: 2 } }, pending: 0, nodes: ['b'] };

  test.each<readonly [Partial<PlayAnswer>, string | undefined]>([
    [{ events: [{ second: 12, what: 'a is gone' }] }, undefined],
    [{ events: [{ second: 13, what: 'a is gone' }] }, 'a is gone after 13 s instead of 10 s'],
    [{ events: [] }, 'a is gone after 10 s: never'],
    [{ events: [...answer.events, { second: 20, what: 'c is gone' }] }, 'c is gone after 20 s: not at all'],
    [{ workloads: {} }, 'web: not there instead of 1 ready at the least, 2 evictions'],
    [{ workloads: { web: { lowestReady: 0, evictions: 2 } } }, 'web: 0 ready at the least, 2 evictions instead of 1 ready at the least, 2 evictions'],
    [{ pending: 1 }, '1 pods wait in the end instead of 0'],
    [{ nodes: [] }, 'nodes in the end are none instead of b'],
  ])('an answer that differs is told: %j', (change, told) => {
    expect(difference(answer, { ...answer, ...change })).toBe(told);
  });
});
