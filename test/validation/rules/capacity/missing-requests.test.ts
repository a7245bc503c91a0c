import { missingRequests } from '../../../../src/validation/rules/capacity/missing-requests';
import { daemonSet, deployment, job, judge, manifest, nodeClass, nodePool, types } from '../judge';

const rule = missingRequests;
const container = (name: string, resources: object, more: object = {}) => ({ name, image: 'app', resources, ...more });
const full = { requests: { cpu: '100m', memory: '128Mi' } };

describe('KARP-306 missing-requests', () => {
  test('reports a container without a memory request, and counts the pods on one node', () => {
    const pool = nodePool('default', { requirements: [types('m5.large')] });
    const { states, findings } = judge(rule, [
      nodeClass(),
      pool,
      deployment('worker', {}, { replicas: 10, requests: { cpu: '10m' } }),
    ]);
    expect(states).toEqual(['fail Deployment/worker']);
    expect(findings[0].message).toContain('1 container without memory requests: main (memory)');
    expect(findings[0].message).toContain('the plan puts 10 of its pods on one node (m5.large)');
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.containers[0].resources');
  });

  test('names every container with a missing request', () => {
    const pod = {
      containers: [container('a', full), container('b', {}), container('c', { requests: { memory: '1Gi' } })],
    };
    expect(judge(rule, [deployment('web', pod)]).findings[0].message).toContain(
      '2 containers without cpu or memory requests: b (cpu and memory) and c (cpu)',
    );
  });

  test('notes a sidecar beside a container with requests', () => {
    const severities = [[container('a', full), container('b', {})], [container('b', {})]].map(
      (containers) => judge(rule, [deployment('web', { containers })]).findings[0].severity,
    );
    expect(severities).toEqual(['info', undefined]);
  });

  test.each([
    [['/bin/sh', '-c', 'sleep inf'], undefined],
    [['sleep'], ['infinity']],
    [['tail', '-f', '/dev/null'], undefined],
    [undefined, ['sh', '-c', 'while true; do sleep 30; done']],
  ])('does not apply to clients that only sleep: %j %j', (command, args) => {
    const client = { containers: [container('redis', {}, { image: 'bitnami/redis:7', command, args })] };
    expect(judge(rule, [deployment('redis-client', client)]).states).toEqual([]);
  });

  test('applies to programs that start after a sleep', () => {
    const late = { containers: [container('main', {}, { command: ['sh', '-c', 'sleep 5 && ./serve'] })] };
    expect(judge(rule, [deployment('web', late)]).states).toEqual(['fail Deployment/web']);
  });

  test('does not apply to brief Jobs, tests and pods that only pause', () => {
    const paused = { containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10' }] };
    const tool = { containers: [{ name: 'kubectl', image: 'bitnami/kubectl:latest' }] };
    const documents = [
      deployment('room', paused),
      deployment('smoke-test', {}, { requests: {} }),
      job('scale-down', tool),
    ];
    expect(judge(rule, documents).outcomes).toEqual([]);
  });

  test('reports a sidecar', () => {
    const pod = {
      containers: [container('a', full)],
      initContainers: [container('proxy', {}, { restartPolicy: 'Always' })],
    };
    expect(judge(rule, [deployment('web', pod)]).findings[0].message).toContain('proxy');
  });

  test('reports an error if the planned node has too little memory for pods that count as 0', () => {
    const pool = (maxPods: number) => [
      nodeClass('default', { kubelet: { maxPods } }),
      nodePool('default', { requirements: [types('m5.large')] }),
    ];
    const judged = (maxPods: number) =>
      judge(rule, [...pool(maxPods), deployment('worker', {}, { replicas: 110, requests: { cpu: '1m' } })]).findings[0];
    expect(judged(110)).toMatchObject({ severity: 'error' });
    expect(judged(110).message).toMatch(
      /the plan puts 1\d\d of its pods on one node \(m5.large\), which has 6\d MiB left for each of its pods without memory requests$/,
    );
    expect(judged(30)).toMatchObject({ severity: undefined });
  });

  test('has a note on missing CPU requests only', () => {
    expect(judge(rule, [deployment('web', {}, { requests: { memory: '1Gi' } })]).findings[0].severity).toBe('info');
  });

  test('does not apply to pods on managed node groups', () => {
    expect(
      judge(rule, [deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } }, { requests: {} })])
        .outcomes,
    ).toEqual([]);
  });

  test('reports a Job and a DaemonSet', () => {
    const once = manifest('batch/v1', 'Job', 'once', {
      template: { spec: { restartPolicy: 'Never', containers: [container('a', {})] } },
    });
    const { findings } = judge(rule, [daemonSet('agent', { cpu: '10m' }), once]);
    expect(findings.map(({ object, severity }) => [object.name, severity])).toEqual([
      ['agent', undefined],
      ['once', undefined],
    ]);
  });

  test.each([
    ['requests', { containers: [container('a', full)] }],
    ['limits, which become the requests', { containers: [container('a', { limits: { cpu: '1', memory: '1Gi' } })] }],
    ['an explicit request of 0', { containers: [container('a', { requests: { cpu: '0', memory: '1Gi' } })] }],
    ['requests of the whole pod', { containers: [container('a', {})], resources: full }],
    [
      'an init container without requests',
      { containers: [container('a', full)], initContainers: [container('init', {})] },
    ],
  ])('passes %s', (_, pod) => {
    expect(judge(rule, [deployment('web', pod)]).states).toEqual(['pass Deployment/web']);
  });

  test('passes if a LimitRange of the same namespace sets defaults', () => {
    const range = (namespace?: string) =>
      manifest(
        'v1',
        'LimitRange',
        'defaults',
        {
          limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { memory: '128Mi' } }],
        },
        { namespace },
      );
    const bare = deployment('web', { containers: [container('a', {})] });
    expect(judge(rule, [range(), bare]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [range('other'), bare]).states).toEqual(['fail Deployment/web']);
  });

  test('passes if a LimitRange has a maximum or minimum, or is in the cluster only', () => {
    const range = (limit: object) =>
      manifest('v1', 'LimitRange', 'defaults', { limits: [{ type: 'Container', ...limit }] });
    const bare = deployment('web', { containers: [container('a', {})] });
    expect(judge(rule, [range({ max: { cpu: '1' }, min: { memory: '64Mi' } }), bare]).states).toEqual([
      'pass Deployment/web',
    ]);
    expect(judge(rule, [range({ maxLimitRequestRatio: { cpu: '2', memory: '2' } }), bare]).states).toEqual([
      'fail Deployment/web',
    ]);
    const cluster = [{ path: 'cluster.yaml', text: range({ default: { cpu: '1', memory: '1Gi' } }) }];
    expect(judge(rule, [bare], { cluster }).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated if a request is known only at deployment', () => {
    const pod = { containers: [container('a', { requests: { cpu: '${Token[TOKEN.1]}', memory: '1Gi' } })] };
    expect(judge(rule, [deployment('web', pod)]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to objects without containers', () => {
    expect(judge(rule, [nodePool('default')]).outcomes).toEqual([]);
  });
});
