import { gangPartlyScheduled } from '../../../../src/validation/rules/capacity/gang-partly-scheduled';
import { job, judge, manifest, nodeClass, nodePool, types } from '../judge';

const rule = gangPartlyScheduled;
const REQUESTS = { cpu: '12', memory: '16Gi' };
const poolFor = (nodes: number) =>
  nodePool('main', { requirements: [types('c7i.4xlarge')], limits: { cpu: nodes * 16 } });
const template = (labels: object = {}, annotations: object = {}) => ({
  metadata: { labels, annotations },
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app', resources: { requests: REQUESTS } }] },
});
const jobSet = (fields: object = {}) =>
  manifest('jobset.x-k8s.io/v1alpha2', 'JobSet', 'train', {
    replicatedJobs: [{ name: 'workers', replicas: 2, template: { spec: { parallelism: 2, template: template() } } }],
    ...fields,
  });
const leaderWorkerSet = (replicas: number, size: number) =>
  manifest('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', 'serve', {
    replicas,
    leaderWorkerTemplate: { size, workerTemplate: template() },
  });
const member = (labels: object, annotations: object = {}) =>
  job('train', {}, { parallelism: 3, completions: 3, template: template(labels, annotations) });
const group = (apiVersion: string, minMember: number) => manifest(apiVersion, 'PodGroup', 'gang', { minMember });

describe('KARP-323 gang-partly-scheduled', () => {
  test('counts the pods of a JobSet, and reports it if only some of them fit', () => {
    const { findings } = judge(rule, [nodeClass(), poolFor(3), jobSet()]);
    expect(findings).toMatchObject([
      { object: { name: 'train-workers' }, evidence: { gang: 'JobSet default/train', pods: 4, placed: 3, idle: 3 } },
    ]);
    expect(findings[0].message).toBe(
      'only 3 of the 4 pods of JobSet default/train fit, and none of them starts with fewer than 4: 3 pods get nodes that are paid, and wait for the others',
    );
    expect(judge(rule, [nodeClass(), poolFor(4), jobSet()]).states).toEqual(['pass JobSet/train']);
  });

  test('passes if no pod fits, because nothing is paid then', () => {
    expect(judge(rule, [nodeClass(), poolFor(0.5), jobSet()]).findings).toEqual([]);
  });

  test('counts no pods of a suspended JobSet', () => {
    expect(judge(rule, [nodeClass(), poolFor(3), jobSet({ suspend: true })]).findings).toEqual([]);
  });

  test('reports a LeaderWorkerSet with a group that cannot start, but not one with whole groups', () => {
    expect(judge(rule, [nodeClass(), poolFor(3), leaderWorkerSet(1, 4)]).findings).toMatchObject([
      { evidence: { gang: 'LeaderWorkerSet default/serve', pods: 4, placed: 3, idle: 3 } },
    ]);
    expect(judge(rule, [nodeClass(), poolFor(4), leaderWorkerSet(1, 4)]).findings).toEqual([]);
  });

  test.each([
    ['scheduling.x-k8s.io/v1alpha1', member({ 'scheduling.x-k8s.io/pod-group': 'gang' })],
    ['scheduling.volcano.sh/v1beta1', member({}, { 'scheduling.k8s.io/group-name': 'gang' })],
  ])('reports a PodGroup of %s with fewer pods than minMember', (apiVersion, pods) => {
    expect(judge(rule, [nodeClass(), poolFor(2), group(apiVersion, 3), pods]).findings).toMatchObject([
      { object: { kind: 'Job' }, evidence: { gang: 'PodGroup default/gang', pods: 3, placed: 2, idle: 2 } },
    ]);
    expect(judge(rule, [nodeClass(), poolFor(2), group(apiVersion, 2), pods]).states).toEqual(['pass PodGroup/gang']);
  });

  test('reads the tasks of a Job of Volcano', () => {
    const tasks = [{ name: 'worker', replicas: 3, template: template() }];
    const volcano = manifest('batch.volcano.sh/v1alpha1', 'Job', 'train', { minAvailable: 3, tasks });
    expect(judge(rule, [nodeClass(), poolFor(2), volcano]).findings).toMatchObject([
      { evidence: { gang: 'Job default/train', pods: 3, placed: 2 } },
    ]);
  });

  const tasks = [{ name: 'worker', replicas: 3, template: template() }];
  test.each<[string, string[], string, number]>([
    [
      'a PodGroup of coscheduling',
      [group('scheduling.x-k8s.io/v1alpha1', 8), member({ 'scheduling.x-k8s.io/pod-group': 'gang' })],
      'spec.minMember',
      3,
    ],
    [
      'a Job of Volcano',
      [manifest('batch.volcano.sh/v1alpha1', 'Job', 'train', { minAvailable: 8, tasks })],
      'spec.minAvailable',
      3,
    ],
    [
      'a group of the Workload API',
      [
        manifest('scheduling.k8s.io/v1alpha1', 'Workload', 'gang', {
          podGroups: [{ name: 'workers', policy: { gang: { minCount: 8 } } }],
        }),
        job(
          'train',
          {},
          {
            parallelism: 3,
            completions: 3,
            template: { spec: { ...template().spec, workloadRef: { name: 'gang', podGroup: 'workers' } } },
          },
        ),
      ],
      'spec.podGroups.0.policy.gang.minCount',
      3,
    ],
    [
      'Pods of Kueue',
      ['a', 'b'].map((name) =>
        manifest('v1', 'Pod', name, template().spec, {
          labels: { 'kueue.x-k8s.io/pod-group-name': 'gang' },
          annotations: { 'kueue.x-k8s.io/pod-group-total-count': '8' },
        }),
      ),
      'metadata.annotations.kueue.x-k8s.io/pod-group-total-count',
      2,
    ],
  ])('reports %s that waits for more pods than it has, also if all of them fit', (_, documents, field, pods) => {
    const { findings } = judge(rule, [nodeClass(), poolFor(9), ...documents]);
    expect(findings).toMatchObject([{ evidence: { minimum: 8, pods } }]);
    expect(findings[0].path.join('.')).toBe(field);
    expect(findings[0].message).toContain(`waits for 8 pods, and `);
  });

  test('expects the pods that an autoscaler may add, and none of a suspended gang', () => {
    const labels = { app: 'web', 'scheduling.x-k8s.io/pod-group': 'gang' };
    const documents = [
      nodeClass(),
      poolFor(9),
      group('scheduling.x-k8s.io/v1alpha1', 4),
      manifest('apps/v1', 'Deployment', 'web', {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels }, spec: { containers: template().spec.containers } },
      }),
    ];
    const scaler = manifest('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 6,
    });
    expect(judge(rule, documents).findings).toHaveLength(1);
    expect(judge(rule, [...documents, scaler]).findings).toEqual([]);
    const suspended = manifest('batch.volcano.sh/v1alpha1', 'Job', 'train', {
      minAvailable: 8,
      tasks: [{ ...tasks[0], replicas: 0 }],
    });
    expect(judge(rule, [nodeClass(), poolFor(9), suspended]).findings).toEqual([]);
  });

  test('names the PodGroup that a label misspells', () => {
    const pods = member({ 'scheduling.x-k8s.io/pod-group': 'gnag' });
    const { findings } = judge(rule, [nodeClass(), poolFor(9), group('scheduling.x-k8s.io/v1alpha1', 3), pods]);
    expect(findings).toMatchObject([{ object: { name: 'train' }, remedy: 'write gang instead of gnag' }]);
  });

  test('names resources of a PodGroup that its pods do not request', () => {
    const withResources = (cpu: string) =>
      manifest('scheduling.x-k8s.io/v1alpha1', 'PodGroup', 'gang', { minMember: 3, minResources: { cpu } });
    const pods = member({ 'scheduling.x-k8s.io/pod-group': 'gang' });
    const judged = (cpu: string) => judge(rule, [nodeClass(), poolFor(9), withResources(cpu), pods]).findings;
    expect(judged('96')).toMatchObject([{ severity: 'warning', path: ['spec', 'minResources', 'cpu'] }]);
    expect(judged('36')).toEqual([]);
  });

  test('does not apply to Jobs without a gang', () => {
    expect(judge(rule, [nodeClass(), poolFor(2), member({})]).outcomes).toEqual([]);
  });
});
