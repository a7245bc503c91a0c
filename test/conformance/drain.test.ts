import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DrainAnswer } from '../../conformance/drain/answer';
import { firstDifference } from '../../conformance/drain/equivalence';
import { ourAnswer } from '../../conformance/drain/our-answer';
import { generate, scenarioHash } from '../../conformance/drain/scenario';

interface Recording {
  readonly seed: number;
  readonly number: number;
  readonly hash: string;
  readonly answer: DrainAnswer;
}

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/drain.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording);

describe('nodes drain as Karpenter drained them, for each pod and at the same times', () => {
  test.each(
    RECORDINGS.map((recording) => {
      const scenario = generate(recording.seed, recording.number);
      return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
    }),
  )('$title', ({ scenario, recording }) => {
    // If this fails, the generator has changed: record again (conformance/drain/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    expect(firstDifference(recording.answer, ourAnswer(scenario))).toBeUndefined();
  });

  test('the recordings contain drained nodes, nodes that never drain, and pods that PodDisruptionBudgets delay', () => {
    const drained = RECORDINGS.map(({ answer }) => Object.keys(answer.drained).length > 0);
    expect(new Set(drained)).toEqual(new Set([true, false]));
    expect(RECORDINGS.some(({ answer }) => answer.asked.some(({ at }) => at % 1 !== 0))).toBe(true);
  });

  test('reports a difference in the pods, in a time or in the drained nodes', () => {
    const answer: DrainAnswer = { asked: [{ pod: 'default/web-0', at: 0, gone: 10 }], drained: { a: 10 } };
    expect(firstDifference(answer, answer)).toBeUndefined();
    expect(firstDifference(answer, { ...answer, asked: [] })).toBe('0 pods of default/web terminate instead of 1');
    expect(firstDifference(answer, { ...answer, asked: [{ pod: 'default/web-0', at: 1, gone: 10 }] })).toBe(
      'a pod of default/web starts to terminate after 1 s instead of after 0 s',
    );
    expect(firstDifference(answer, { ...answer, asked: [{ pod: 'default/web-0', at: 0 }] })).toBe(
      'a pod of default/web is deleted never instead of after 10 s',
    );
    expect(firstDifference(answer, { ...answer, drained: {} })).toBe('a is drained never instead of after 10 s');
  });
});
