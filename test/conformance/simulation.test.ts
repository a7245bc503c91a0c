import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulationAnswer } from '../../conformance/simulation/answer';
import { firstDifference } from '../../conformance/simulation/equivalence';
import { ourAnswer } from '../../conformance/simulation/our-answer';
import { generate, scenarioHash } from '../../conformance/simulation/scenario';

interface Recording {
  readonly seed: number;
  readonly number: number;
  readonly hash: string;
  readonly answer: SimulationAnswer;
}

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/simulation.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording);

describe('simulated scenarios have the same events as in Karpenter', () => {
  test.each(
    RECORDINGS.map((recording) => {
      const scenario = generate(recording.seed, recording.number);
      return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
    }),
  )('$title', ({ scenario, recording }) => {
    // If this fails, the generator has changed: record again (conformance/simulation/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    expect(firstDifference(recording.answer, ourAnswer(scenario))).toBeUndefined();
  });

  test('the recordings contain decisions of every method, launches and removed nodes', () => {
    const events = RECORDINGS.flatMap(({ answer }) => answer.events.map(({ what }) => what));
    for (const word of [
      'Emptiness',
      'MultiNodeConsolidation',
      'SingleNodeConsolidation',
      'Drift',
      'launched',
      'terminated',
    ]) {
      expect(events.filter((what) => what.includes(word)).length).toBeGreaterThan(5);
    }
  });

  const answer: SimulationAnswer = {
    events: [{ second: 10, what: 'a is terminated' }],
    workloads: { web: { lowestReady: 1, evictions: 2 } },
    pending: 0,
    nodes: ['b'],
  };

  test.each<readonly [Partial<SimulationAnswer>, string | undefined]>([
    [{ events: [{ second: 12, what: 'a is terminated' }] }, undefined],
    [{ events: [{ second: 13, what: 'a is terminated' }] }, 'a is terminated after 13 s instead of 10 s'],
    [{ events: [] }, 'a is terminated after 10 s: never'],
    [
      { events: [...answer.events, { second: 20, what: 'c is terminated' }] },
      'c is terminated after 20 s: Karpenter has no such event',
    ],
    [{ workloads: {} }, 'web: not there instead of 1 ready at the minimum, 2 evictions'],
    [
      { workloads: { web: { lowestReady: 0, evictions: 2 } } },
      'web: 0 ready at the minimum, 2 evictions instead of 1 ready at the minimum, 2 evictions',
    ],
    [{ pending: 1 }, '1 pods are pending at the end instead of 0'],
    [{ nodes: [] }, 'nodes at the end are none instead of b'],
  ])('reports the first difference: %j', (change, expected) => {
    expect(firstDifference(answer, { ...answer, ...change })).toBe(expected);
  });
});
