import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference } from '../../conformance/disruption/equivalence';
import { ours } from '../../conformance/disruption/ours';
import { brief, Recording, scenarioHash } from '../../conformance/disruption/recording';
import { generate } from '../../conformance/disruption/scenario/generate';

const RECORDINGS = readFileSync(join(__dirname, 'fixtures/disruption.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Recording);

describe('what is disrupted is what Karpenter itself disrupted', () => {
  test.each(RECORDINGS.map((recording) => {
    const scenario = generate(recording.seed, recording.number, recording.feature);
    return { scenario, recording, title: `${scenario.name}: ${scenario.features.join(', ')}` };
  }))('$title', ({ scenario, recording }) => {
    // Where this fails, the generator has changed: record anew (conformance/disruption/record.ts).
    expect(scenarioHash(scenario)).toBe(recording.hash);
    const mine = ours(scenario);
    expect(mine.notEvaluated).toEqual([]);
    expect(difference(recording.answer, brief(mine))).toBeUndefined();
  });

  test('the recordings have commands of every method', () => {
    const methods = RECORDINGS.flatMap(({ answer }) => answer.methods.filter(({ commands }) => commands.length > 0).map(({ method }) => method));
    expect([...new Set(methods)].sort()).toEqual(['Drift', 'Emptiness', 'MultiNodeConsolidation', 'Repair', 'SingleNodeConsolidation', 'StaticDrift']);
  });

  test('the recordings have nodes of each method that go before there is another, and for each reason', () => {
    const first = RECORDINGS.flatMap(({ answer: { methods } }) => methods.flatMap(({ method, commands }) =>
      commands.flatMap(({ terminateFirst }) => terminateFirst === undefined ? [] : [method, terminateFirst])));
    expect([...new Set(first)].sort()).toEqual(['Drift', 'Repair', 'StaticDrift', 'no-reserved-capacity', 'static-at-limit']);
  });

  test('the recordings have drift of every reason that the objects tell', () => {
    const reasons = new Set(RECORDINGS.flatMap(({ answer: { drifts = {} } }) => Object.values(drifts)));
    expect([...reasons]).toEqual(expect.arrayContaining(['NodePoolDrifted', 'RequirementsDrifted', 'NodeClassDrift', 'AMIDrift']));
  });

  test('the recordings have decisions of each kind that stay at the second look, and such that do not', () => {
    const stays = RECORDINGS.flatMap(({ answer: { methods, confirmed = {} } }) => methods
      .filter(({ method, commands }) => confirmed[method] !== undefined && commands.length > 0)
      .map(({ method }) => `${method} ${confirmed[method].length > 0 ? 'stays' : 'is given up'}`));
    expect([...new Set(stays)].sort()).toEqual(['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation']
      .flatMap((method) => [`${method} is given up`, `${method} stays`]));
  });
});
