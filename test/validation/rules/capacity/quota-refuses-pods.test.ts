import { quotaRefusesPods } from '../../../../src/validation/rules/capacity/quota-refuses-pods';
import { deployment, job, judge, manifest } from '../judge';

const rule = quotaRefusesPods;
const quota = (hard: object, fields: object = {}) =>
  manifest('v1', 'ResourceQuota', 'team', { hard, ...fields }, { namespace: 'default' });
const web = (name: string, cpu: string, replicas: number) => deployment(name, {}, { replicas, requests: { cpu } });
const build = (name: string, parallelism: number) => job(name, {}, { parallelism });

describe('KARP-329 quota-refuses-pods', () => {
  test('reports requests above the quota, with what all workloads ask for', () => {
    const { findings } = judge(rule, [quota({ 'requests.cpu': '8' }), web('shop', '2', 3), web('api', '1', 4)]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'hard', 'requests.cpu'],
        message:
          'allows cpu requests of 8, and Deployment shop and Deployment api ask for 10: the API server refuses the pods beyond it, which Karpenter never sees',
        remedy: 'raise requests.cpu to 10, or lower the replicas or requests',
        evidence: { hard: '8', requested: '10' },
      },
    ]);
  });

  test('reports containers that do not set what the quota counts, unless a LimitRange has a default', () => {
    const documents = [quota({ 'limits.cpu': '40' }), web('shop', '2', 3), web('api', '1', 4)];
    expect(judge(rule, documents).findings).toMatchObject([
      {
        path: ['spec', 'hard', 'limits.cpu'],
        message:
          'counts limits of cpu, and containers of Deployment shop and Deployment api set none: the API server refuses the pods, which Karpenter never sees',
      },
    ]);
    const limits = [{ type: 'Container', default: { cpu: '1' } }];
    const range = manifest('v1', 'LimitRange', 'team', { limits }, { namespace: 'default' });
    expect(judge(rule, [...documents, range]).findings).toEqual([]);
  });

  test.each([['pods'], ['count/pods']])('reports more pods than %s allows', (key) => {
    expect(judge(rule, [quota({ [key]: 5 }), web('shop', '2', 6)]).findings).toMatchObject([
      {
        path: ['spec', 'hard', key],
        message: expect.stringMatching(/^allows 5 pods, and Deployment shop asks for 6:/),
        evidence: { resource: 'pods', hard: '5', requested: '6' },
      },
    ]);
  });

  test('counts only the largest of the Jobs, because they need not run together', () => {
    expect(judge(rule, [quota({ pods: '4' }), build('a', 4), build('b', 3)]).states).toEqual([
      'pass ResourceQuota/team',
    ]);
    expect(judge(rule, [quota({ pods: '4' }), build('a', 5), build('b', 3)]).findings).toMatchObject([
      { evidence: { requested: '5', workloads: ['Job a'] } },
    ]);
  });

  test('passes requests at the quota, and workloads of other namespaces', () => {
    const other = manifest('v1', 'ResourceQuota', 'other', { hard: { cpu: '1' } }, { namespace: 'other' });
    expect(judge(rule, [quota({ cpu: '8' }), other, web('shop', '2', 4)]).states).toEqual([
      'pass ResourceQuota/team',
      'pass ResourceQuota/other',
    ]);
  });

  test('does not apply to a quota with a scope', () => {
    expect(judge(rule, [quota({ pods: '1' }, { scopes: ['BestEffort'] }), web('shop', '2', 4)]).outcomes).toEqual([]);
  });
});
