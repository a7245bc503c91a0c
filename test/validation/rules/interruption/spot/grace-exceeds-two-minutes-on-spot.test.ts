import { graceExceedsTwoMinutesOnSpot } from '../../../../../src/validation/rules/interruption/spot/grace-exceeds-two-minutes-on-spot';
import { karpenterNode } from '../../../cluster/dump';
import { deployment, judge, nodeClass, nodePool, oneOf } from '../../judge';

const rule = graceExceedsTwoMinutesOnSpot;
const slow = (seconds: unknown = 300, pod: object = {}) =>
  deployment('ingress', { terminationGracePeriodSeconds: seconds, ...pod });
const onDemand = nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] });

describe('KARP-513 grace-exceeds-two-minutes-on-spot', () => {
  test('fails if pods may take longer to stop than EC2 waits', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), slow()]);
    expect(states).toEqual(['fail Deployment/ingress']);
    expect(findings[0].message).toContain('needs up to 300 s to stop, but the node planned for its pods may be spot');
    expect(findings[0].message).toContain('up to 190 s of work are lost');
  });

  test.each([
    ['its requirements', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] }],
    ['a label of its nodes', { labels: { 'karpenter.sh/capacity-type': 'spot' } }],
  ])('advises on-demand nodes for the only NodePool first, if %s allow only spot', (_, fields) => {
    const remedyWith = (...pools: string[]) => judge(rule, [nodeClass(), ...pools, slow()]).findings[0].remedy;
    const spot = nodePool('spot', { ...fields, weight: 10 });
    expect(remedyWith(spot)).toMatch(/^let NodePool spot launch on-demand nodes too, and require karpenter.sh/);
    expect(remedyWith(spot, onDemand)).toMatch(/^require karpenter.sh/);
  });

  test('has an error only for grace periods of more than twice the notice', () => {
    const severity = (seconds: number) =>
      judge(rule, [nodeClass(), nodePool('default'), slow(seconds)]).findings[0].severity;
    expect(severity(240)).toBe('warning');
    expect(severity(241)).toBeUndefined();
  });

  test('fails on an existing spot node', () => {
    const node = JSON.stringify(
      karpenterNode('ip-1', {
        labels: { 'karpenter.sh/capacity-type': 'spot', 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' },
      }),
    );
    const { findings } = judge(rule, [nodeClass(), onDemand, slow()], {
      cluster: [{ path: 'cluster.yaml', text: node }],
    });
    expect(findings[0].evidence).toMatchObject({ nodes: 1, spotNodes: 1 });
  });

  test.each<[string, string[]]>([
    ['on demand', [nodeClass(), onDemand, slow()]],
    ['with a short enough grace period on spot', [nodeClass(), nodePool('default'), slow(110)]],
    ['with the default grace period on spot', [nodeClass(), nodePool('default'), deployment('ingress')]],
  ])('passes %s', (_, documents) => {
    expect(judge(rule, documents).states).toEqual(['pass Deployment/ingress']);
  });

  test('does not apply to pods outside Karpenter nodes, or without replicas', () => {
    const elsewhere = slow(300, { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } });
    expect(
      judge(rule, [nodeClass(), nodePool('default'), elsewhere, deployment('none', {}, { replicas: 0 })]).outcomes,
    ).toEqual([]);
  });

  test('is not evaluated if no node is planned for the pods, or if the grace period is not known', () => {
    expect(judge(rule, [slow()]).whys).toEqual(['the plan has no node for its pods']);
    expect(judge(rule, [nodeClass(), nodePool('default'), slow('${Token[seconds]}')]).states).toEqual([
      'not-evaluated Deployment/ingress',
    ]);
  });
});
