import { annotated, cronJob, deployment, judge, nodeClass, nodePool } from './helper';
import { DoNotDisruptPermanent } from '../../../src/validation/rules/do-not-disrupt-permanent';

const rule = new DoNotDisruptPermanent();
const KEY = 'karpenter.sh/do-not-disrupt';
const web = (value: unknown, key: string = KEY) => annotated(deployment('web'), { [key]: value });

describe('KARP-409 do-not-disrupt-permanent', () => {
  test('warns of pods that never end and are protected for good', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), web('true')]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0]).toMatchObject({ evidence: { value: 'true', nodes: 1 }, message: expect.stringContaining('1 node can neither be consolidated') });
    expect(findings[0].severity).toBeUndefined();
  });

  test.each([
    ['a value that Karpenter does not understand', web('yes'), 'Karpenter does not understand "yes"'],
    ['a duration of nothing', web('0s'), 'Karpenter does not understand "0s"'],
    ['an annotation of earlier releases', web('true', 'karpenter.sh/do-not-evict'), 'karpenter.sh/do-not-evict is not read since Karpenter 1.0'],
    ['the annotation in the wrong place', JSON.stringify({ ...JSON.parse(deployment('web')), metadata: { name: 'web', annotations: { [KEY]: 'true' } } }),
      'is on the Deployment itself'],
  ])('fails for %s', (_, document, message) => {
    expect(judge(rule, [document]).findings).toMatchObject([{ severity: 'error', message: expect.stringContaining(message) }]);
  });

  test('fails for a duration where Karpenter reads none yet', () => {
    expect(judge(rule, [web('1h')], { karpenterVersion: '1.11' }).findings[0]).toMatchObject({ severity: 'error', remedy: 'write "true", or use Karpenter 1.12.0 or newer' });
    expect(judge(rule, [web('1h')], { karpenterVersion: '1.12' }).states).toEqual(['pass Deployment/web']);
  });

  test.each([
    ['a duration', web('1h30m')],
    ['what is expressly unprotected', web('false')],
    ['a CronJob, whose pods end', cronJob('web', '@daily', { [KEY]: 'true' })],
  ])('passes %s', (_, document) => {
    expect(judge(rule, [document]).states).toEqual([expect.stringMatching(/^pass /)]);
  });

  test('does not apply where it says on the workload itself that nothing is protected', () => {
    expect(judge(rule, [JSON.stringify({ ...JSON.parse(deployment('web')), metadata: { name: 'web', annotations: { [KEY]: 'false' } } })]).outcomes).toEqual([]);
  });

  test('passes pods for good where the drain of their nodes has an end', () => {
    expect(judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod: '1h' }), web('true')]).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated where it is known only at deployment', () => {
    expect(judge(rule, [web('${Value}')]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply without the annotation', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
