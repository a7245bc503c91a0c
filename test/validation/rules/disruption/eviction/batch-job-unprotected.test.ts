import { batchJobUnprotected } from '../../../../../src/validation/rules/disruption/eviction/batch-job-unprotected';
import { karpenterNode, pod } from '../../../cluster/dump';
import { cronJob, deployment, job, judge, nodeClass, nodePool, PoolFields } from '../../judge';

const rule = batchJobUnprotected;
const judged = (document: string, fields: PoolFields = {}) =>
  judge(rule, [nodeClass(), nodePool('default', fields), document]);

describe('KARP-424 batch-job-unprotected', () => {
  test('reports a Job or CronJob on nodes that are consolidated', () => {
    expect(judged(job('train')).states).toEqual(['fail Job/train']);
    expect(judged(cronJob('train', '@daily')).findings[0].evidence).toEqual({ nodePools: ['default'] });
  });

  test('says that nodes become candidates only if the Job has several pods', () => {
    const several = {
      ...JSON.parse(job('train')),
      spec: { ...JSON.parse(job('train')).spec, parallelism: 2, completions: 2 },
    };
    expect(judged(job('train')).findings[0].message).toMatch(
      /^its pod runs in NodePool default, .*: an evicted pod loses its work and restarts$/,
    );
    expect(judged(JSON.stringify(several)).findings[0].message).toMatch(
      /^its pods run in NodePool default, .* and nodes become candidates as other pods of the Job finish$/,
    );
  });

  test.each<[string, (job: any) => void]>([
    ['with a deadline of minutes', ({ spec }) => (spec.activeDeadlineSeconds = 120)],
    ['that seeds data', ({ metadata }) => (metadata.name = 'db-seed')],
    ['that tests something', ({ metadata }) => (metadata.name = 'smoke-test')],
    ['that calls a tool', ({ spec }) => (spec.template.spec.containers[0].image = 'bitnami/kubectl:1.34')],
  ])('passes a Job %s', (_, change) => {
    const brief = JSON.parse(job('train'));
    change(brief);
    expect(judged(JSON.stringify(brief)).states).toEqual([`pass Job/${brief.metadata.name}`]);
  });

  test.each([
    ['15m', undefined, 'fail', 'info'],
    ['15m', 1800, 'fail', 'info'],
    ['15m', 900, 'pass', undefined],
    ['1m', 1800, 'fail', undefined],
  ])(
    'with consolidateAfter %s and a deadline of %s s, it is %s and %s',
    (consolidateAfter, deadline, state, severity) => {
      const long = JSON.parse(job('train'));
      long.spec.activeDeadlineSeconds = deadline;
      const disruption = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter };
      const { states, findings } = judged(JSON.stringify(long), { disruption });
      expect(states).toEqual([`${state} Job/train`]);
      expect(findings[0]?.severity).toBe(severity);
    },
  );

  test('reports a Job that already runs', () => {
    const items = [
      karpenterNode('ip-1'),
      pod('train-a', { on: 'ip-1', owner: ['Job', 'train'], labels: { app: 'train' } }),
    ];
    const cluster = items.map((item, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(item) }));
    expect(judge(rule, [nodeClass(), nodePool('default', {}), job('train')], { cluster }).states).toEqual([
      'fail Job/train',
    ]);
  });

  test.each<[string, string, PoolFields]>([
    ['protected pods', job('train', {}, {}, { 'karpenter.sh/do-not-disrupt': '2h' }), {}],
    [
      'consolidation of empty nodes only',
      job('train'),
      { disruption: { consolidateAfter: '1m', consolidationPolicy: 'WhenEmpty' } },
    ],
    ['nodes that are never consolidated', job('train'), { disruption: { consolidateAfter: 'Never' } }],
    [
      'an opt-out annotation',
      JSON.stringify({
        ...JSON.parse(job('train')),
        metadata: {
          name: 'train',
          annotations: { 'resilience.karpenter-constructs.dev/do-not-disrupt': 'off: quick' },
        },
      }),
      {},
    ],
  ])('passes %s', (_, document, fields) => {
    expect(judged(document, fields).states).toEqual(['pass Job/train']);
  });

  test('does not apply to a hook of a chart', () => {
    const hook = {
      ...JSON.parse(job('train')),
      metadata: { name: 'train', annotations: { 'helm.sh/hook': 'pre-install' } },
    };
    expect(judged(JSON.stringify(hook), {}).states).toEqual([]);
  });

  test('is not evaluated if the annotation is known only at deployment', () => {
    expect(judged(job('train', {}, {}, { 'karpenter.sh/do-not-disrupt': '${Value}' })).states).toEqual([
      'not-evaluated Job/train',
    ]);
  });

  test('does not apply to Deployments, and to a Job without NodePools', () => {
    expect(judged(deployment('web')).outcomes).toEqual([]);
    expect(judge(rule, [job('train')]).outcomes).toEqual([]);
  });
});
