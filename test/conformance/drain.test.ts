import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DrainAnswer } from '../../conformance/drain/answer';
import { difference } from '../../conformance/drain/equivalence';
import { ours } from '../../conformance/drain/ours';
import { generate, scenarioHash } from '../../conformance/drain/scenario';

interface Recording {
  readonly seed: number;
  readonly number: number;
  readonly hash: string;
  readonly answer: DrainAnswer;
}

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/drain.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Recording);

describe('nodes drain as Karpenter itself drained them, pod by pod and to the moment', () => {
  test.each(RECORDINGS.map((recording) => {
    const scenario = generate(recording.seed, recording.number);
    return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
  }))('$title', ({ scenario, recording }) => {
    // Where this fails, the generator has changed: record anew (conformance/drain/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    expect(difference(recording.answer, ours(scenario))).toBeUndefined();
  });

  test('the recordings have nodes that are drained and such that never are, and pods that budgets hold up', () => {
    const drained = RECORDINGS.map(({ answer }) => Object.keys(answer.drained).length > 0);
    expect(new Set(drained)).toEqual(new Set([true, false]));
    expect(RECORDINGS.some(({ answer }) => answer.asked.some(({ at }) => at % 1 !== 0))).toBe(true);
  });

  test('an answer that differs in a pod, in a time or in the end is told', () => {
    const answer: DrainAnswer = { asked: [{ pod: 'default/web-0', at: 0, gone: 10 }], drained: { a: 10 } };
    expect(difference(answer, answer)).toBeUndefined();
    expect(difference(answer, { ...answer, asked: [] })).toBe('0 pods of default/web are told to end instead of 1');
    expect(difference(answer, { ...answer, asked: [{ pod: 'default/web-0', at: 1, gone: 10 }] })).toBe('a pod of default/web is told to end after 1 s instead of after 0 s');
    expect(difference(answer, { ...answer, asked: [{ pod: 'default/web-0', at: 0 }] })).toBe('a pod of default/web is gone never instead of after 10 s');
    expect(difference(answer, { ...answer, drained: {} })).toBe('a is drained never instead of after 10 s');
  });
});
