import { daemonSetDoesNotFitSmallTypes } from '../../../../src/validation/rules/capacity/daemonset-does-not-fit-small-types';
import { daemonSet, deployment, judge, nodeClass, nodePool, types } from '../judge';

const rule = daemonSetDoesNotFitSmallTypes;
const pool = nodePool('default', { requirements: [types('t3.nano', 't3.large', 'm5.large')] });

describe('KARP-302 daemonset-does-not-fit-small-types', () => {
  test('reports a warning for types that cannot hold all daemonsets, with the amounts', () => {
    const { states, findings } = judge(rule, [
      nodeClass(),
      pool,
      daemonSet('a', { cpu: '100m', memory: '200Mi' }),
      daemonSet('b', { memory: '100Mi' }),
    ]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0]).toMatchObject({ severity: 'warning', evidence: { instanceTypes: ['t3.nano'], allowed: 3 } });
    expect(findings[0].message).toContain('1 of 3 allowed instance types cannot hold the daemonsets (t3.nano)');
    expect(findings[0].message).toMatch(
      /on t3.nano, 2 daemonsets \(a and b\) request 300 MiB memory of \d+(\.\d+)? MiB memory$/,
    );
  });

  test.each([
    [['r6g.medium', 'c6g.large'], { cpu: '1500m', memory: '100Mi' }, 'karpenter.k8s.aws/instance-cpu Gt,'],
    [['t3.nano', 'c6g.large'], { cpu: '100m', memory: '300Mi' }, 'karpenter.k8s.aws/instance-memory Gt,'],
    [
      ['t3.nano', 'r6g.medium', 'c6g.large'],
      { cpu: '1500m', memory: '300Mi' },
      'karpenter.k8s.aws/instance-cpu Gt and karpenter.k8s.aws/instance-memory Gt,',
    ],
  ])('suggests a bound on the resource that %p lack', (names, requests, bound) => {
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('default', { requirements: [types(...names)] }),
      daemonSet('agent', requests),
    ]);
    expect(findings[0].remedy).toContain(`for example by ${bound}`);
  });

  test('is a note if nearly all types are left', () => {
    const anyType = nodePool('default', { requirements: [] });
    const { findings } = judge(rule, [nodeClass(), anyType, daemonSet('agent', { memory: '200Mi' })]);
    expect(findings[0]).toMatchObject({ severity: 'info', evidence: { allowed: expect.any(Number) } });
  });

  test('reports an error if no type is left', () => {
    const { findings } = judge(rule, [nodeClass(), pool, daemonSet('huge', { memory: '64Gi' })]);
    expect(findings[0].severity).toBeUndefined();
    expect(findings[0].message).toContain('Karpenter launches no nodes from this NodePool');
  });

  test('passes if every type fits the daemonsets', () => {
    expect(judge(rule, [nodeClass(), pool, daemonSet('small', { cpu: '10m', memory: '10Mi' })]).states).toEqual([
      'pass NodePool/default',
    ]);
  });

  test('counts a daemonset only on the types that it selects', () => {
    const onLarge = daemonSet(
      'big',
      { memory: '2Gi' },
      { nodeSelector: { 'karpenter.k8s.aws/instance-size': 'large' } },
    );
    expect(judge(rule, [nodeClass(), pool, onLarge]).states).toEqual(['pass NodePool/default']);
  });

  test('does not name daemonsets for other types', () => {
    const onLarge = daemonSet(
      'big',
      { memory: '2Gi' },
      { nodeSelector: { 'karpenter.k8s.aws/instance-size': 'large' } },
    );
    expect(
      judge(rule, [nodeClass(), pool, onLarge, daemonSet('agent', { memory: '400Mi' })]).findings[0].message,
    ).toContain('on t3.nano, 1 daemonset (agent) requests');
  });

  test('does not apply without daemonsets, or if none runs on the NodePool', () => {
    const elsewhere = daemonSet('big', { memory: '64Gi' }, { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } });
    expect(judge(rule, [nodeClass(), pool, deployment('web')]).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), pool, elsewhere]).outcomes).toEqual([]);
  });

  test('does not count a daemonset that does not tolerate the taint of the NodePool', () => {
    const tainted = nodePool('default', {
      requirements: [types('t3.nano')],
      taints: [{ key: 'a', effect: 'NoSchedule' }],
    });
    expect(judge(rule, [nodeClass(), tainted, daemonSet('big', { memory: '2Gi' })]).outcomes).toEqual([]);
  });

  test('is one finding on a DaemonSet whose CPUs lack the unit, with the NodePools that launch nothing', () => {
    const other = nodePool('other', { requirements: [types('m5.xlarge')] });
    const { states, findings } = judge(rule, [nodeClass(), pool, other, daemonSet('agent', { cpu: '50' })]);
    expect(states).toEqual(['fail DaemonSet/agent']);
    expect(findings[0]).toMatchObject({
      path: ['spec', 'template', 'spec', 'containers', 0, 'resources', 'requests', 'cpu'],
      message:
        'requests 50 CPUs on each node, more than any instance type that NodePools default and other allow: Karpenter launches no nodes from them',
      remedy: 'write 50m, or allow larger instance types if each node shall give 50 CPUs to the DaemonSet',
      evidence: { nodePools: ['default', 'other'] },
    });
  });

  test.each([
    ['few CPUs', [daemonSet('agent', { cpu: '4' })]],
    ['about as many CPUs as its nodes have', [daemonSet('agent', { cpu: '3000m' })]],
    ['too much memory as well', [daemonSet('agent', { cpu: '50', memory: '64Gi' })]],
  ])('stays on the NodePool if a DaemonSet requests %s', (_, daemonSets) => {
    expect(judge(rule, [nodeClass(), pool, ...daemonSets]).states).toEqual(['fail NodePool/default']);
  });

  test('is not evaluated if the node class is not in the input', () => {
    expect(judge(rule, [nodeClass('other'), pool, daemonSet('a', {})]).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
  });
});
