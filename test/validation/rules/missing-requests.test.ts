import { daemonSet, deployment, judge, manifest, nodeClass, nodePool, types } from './helper';
import { MissingRequests } from '../../../src/validation/rules/missing-requests';

const rule = new MissingRequests();
const container = (name: string, resources: object, more: object = {}) => ({ name, image: 'app', resources, ...more });
const full = { requests: { cpu: '100m', memory: '128Mi' } };

describe('KARP-306 missing-requests', () => {
  test('fails for a container without a memory request, and says how many of its pods share a node', () => {
    const pool = nodePool('default', { requirements: [types('m5.large')] });
    const { states, findings } = judge(rule, [nodeClass(), pool, deployment('worker', {}, { replicas: 10, requests: { cpu: '10m' } })]);
    expect(states).toEqual(['fail Deployment/worker']);
    expect(findings[0].message).toContain('1 container without memory requests: main (memory)');
    expect(findings[0].message).toContain('the plan puts 10 of its pods on one node (m5.large)');
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.containers[0].resources');
  });

  test('fails for every container that lacks something, by name', () => {
    const pod = { containers: [container('a', full), container('b', {}), container('c', { requests: { memory: '1Gi' } })] };
    expect(judge(rule, [deployment('web', pod)]).findings[0].message).toContain('2 containers without cpu or memory requests: b (cpu and memory) and c (cpu)');
  });

  test('fails for a sidecar, which runs beside the others', () => {
    const pod = { containers: [container('a', full)], initContainers: [container('proxy', {}, { restartPolicy: 'Always' })] };
    expect(judge(rule, [deployment('web', pod)]).findings[0].message).toContain('proxy');
  });

  test('fails for a job, and only warns of a daemonset', () => {
    const job = manifest('batch/v1', 'Job', 'once', { template: { spec: { restartPolicy: 'Never', containers: [container('a', {})] } } });
    const { findings } = judge(rule, [daemonSet('agent', { cpu: '10m' }), job]);
    expect(findings.map(({ object, severity }) => [object.name, severity])).toEqual([['agent', 'warning'], ['once', undefined]]);
  });

  test.each([
    ['requests', { containers: [container('a', full)] }],
    ['limits, which become the requests', { containers: [container('a', { limits: { cpu: '1', memory: '1Gi' } })] }],
    ['a request of 0, which is a statement', { containers: [container('a', { requests: { cpu: '0', memory: '1Gi' } })] }],
    ['requests of the whole pod', { containers: [container('a', {})], resources: full }],
    ['an init container that ends before the others start', { containers: [container('a', full)], initContainers: [container('init', {})] }],
  ])('passes %s', (_, pod) => {
    expect(judge(rule, [deployment('web', pod)]).states).toEqual(['pass Deployment/web']);
  });

  test('passes when a LimitRange of the namespace gives the defaults, and only then', () => {
    const range = (namespace?: string) => manifest('v1', 'LimitRange', 'defaults', {
      limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { memory: '128Mi' } }],
    }, { namespace });
    const bare = deployment('web', { containers: [container('a', {})] });
    expect(judge(rule, [range(), bare]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [range('other'), bare]).states).toEqual(['fail Deployment/web']);
  });

  test('passes when a LimitRange has a maximum or a minimum, which the API server takes for a default, or the cluster has one', () => {
    const range = (limit: object) => manifest('v1', 'LimitRange', 'defaults', { limits: [{ type: 'Container', ...limit }] });
    const bare = deployment('web', { containers: [container('a', {})] });
    expect(judge(rule, [range({ max: { cpu: '1' }, min: { memory: '64Mi' } }), bare]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [range({ maxLimitRequestRatio: { cpu: '2', memory: '2' } }), bare]).states).toEqual(['fail Deployment/web']);
    const cluster = [{ path: 'cluster.yaml', text: range({ default: { cpu: '1', memory: '1Gi' } }) }];
    expect(judge(rule, [bare], { cluster }).states).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated when a request is known only at deployment', () => {
    const pod = { containers: [container('a', { requests: { cpu: '${Token[TOKEN.1]}', memory: '1Gi' } })] };
    expect(judge(rule, [deployment('web', pod)]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to objects without containers', () => {
    expect(judge(rule, [nodePool('default')]).outcomes).toEqual([]);
  });
});
