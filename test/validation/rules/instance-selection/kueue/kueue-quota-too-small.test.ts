import { kueueQuotaTooSmall } from '../../../../../src/validation/rules/instance-selection/kueue/kueue-quota-too-small';
import { deployment, job, judge, manifest, nodeClass, nodePool } from '../../judge';

const rule = kueueQuotaTooSmall;
const KUEUE = 'kueue.x-k8s.io/v1beta1';
const LABELS = { 'kueue.x-k8s.io/queue-name': 'team' };
const flavor = (name: string, cpu: unknown) => ({ name, resources: [{ name: 'cpu', nominalQuota: cpu }] });
const queue = (flavors: object[], fields: object = {}) =>
  manifest(KUEUE, 'ClusterQueue', 'research', {
    resourceGroups: [{ coveredResources: ['cpu'], flavors }],
    ...fields,
  });
const local = manifest(KUEUE, 'LocalQueue', 'team', { clusterQueue: 'research' });
const queued = (fields: object, requests: object = { cpu: '2' }, annotations: object = {}) => {
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a', resources: { requests } }] },
  };
  const object = JSON.parse(job('train', {}, { template, ...fields }));
  return JSON.stringify({ ...object, metadata: { ...object.metadata, labels: LABELS, annotations } });
};
const judged = (...documents: string[]) => judge(rule, [nodeClass(), nodePool('default'), local, ...documents]);

describe('KARP-275 kueue-quota-too-small', () => {
  test('reports a Job that needs more than the quotas of all flavors, also a suspended one', () => {
    const { findings } = judged(queue([flavor('a', 4), flavor('b', '3')]), queued({ parallelism: 4, suspend: true }));
    expect(findings).toMatchObject([
      {
        object: { kind: 'ClusterQueue', name: 'research' },
        path: ['spec', 'resourceGroups', 0, 'flavors', 0, 'resources', 0, 'nominalQuota'],
        message:
          'has a quota of 7 CPUs, and Job default/train requests 8 CPUs at once: Kueue never admits it, and Karpenter launches no node for its pods',
        remedy: 'write nominalQuota: 5 or more for cpu, or let the workload request less',
      },
    ]);
  });

  test('reports a resource without a quota', () => {
    const { findings } = judged(queue([flavor('a', 9)]), queued({}, { cpu: '1', memory: '1Gi' }));
    expect(findings.map(({ remedy }) => remedy)).toEqual([
      'add memory to coveredResources, with a nominalQuota in each flavor',
    ]);
  });

  test.each([
    ['a quota that is enough', queue([flavor('a', 8)]), queued({ parallelism: 4, completions: 9 })],
    ['fewer completions than pods at once', queue([flavor('a', 4)]), queued({ parallelism: 8, completions: 2 })],
    [
      'a Job that starts with fewer pods',
      queue([flavor('a', 4)]),
      queued({ parallelism: 8 }, { cpu: '2' }, { 'kueue.x-k8s.io/job-min-parallelism': '2' }),
    ],
  ])('passes %s', (_, ...documents) => {
    expect(judged(...documents).states).toEqual(['pass ClusterQueue/research']);
  });

  test('does not apply to queues that borrow, and to workloads without a queue', () => {
    expect(judged(queue([flavor('a', 1)], { cohort: 'all' }), queued({ parallelism: 4 })).outcomes).toEqual([]);
    expect(judged(queue([flavor('a', 1)]), deployment('web'), job('free')).outcomes).toEqual([]);
  });
});
