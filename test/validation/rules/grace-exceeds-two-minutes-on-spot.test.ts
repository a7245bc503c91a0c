import { deployment, judge, nodeClass, nodePool, oneOf } from './helper';
import { GraceExceedsTwoMinutesOnSpot } from '../../../src/validation/rules/grace-exceeds-two-minutes-on-spot';
import { karpenterNode } from '../cluster/dump';

const rule = new GraceExceedsTwoMinutesOnSpot();
const slow = (seconds: unknown = 300, pod: object = {}) => deployment('ingress', { terminationGracePeriodSeconds: seconds, ...pod });
const onDemand = nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] });

describe('KARP-513 grace-exceeds-two-minutes-on-spot', () => {
  test('fails where pods may take longer to end than EC2 waits', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), slow()]);
    expect(states).toEqual(['fail Deployment/ingress']);
    expect(findings[0].message).toContain('may take 300 s to end, and the node that the plan has for its pods may be spot');
    expect(findings[0].message).toContain('up to 190 s of its work are cut off');
  });

  test('fails on a spot node that is there already', () => {
    const node = JSON.stringify(karpenterNode('ip-1', { labels: { 'karpenter.sh/capacity-type': 'spot', 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' } }));
    const { findings } = judge(rule, [nodeClass(), onDemand, slow()], { cluster: [{ path: 'cluster.yaml', text: node }] });
    expect(findings[0].evidence).toMatchObject({ nodes: 1, spotNodes: 1 });
  });

  test.each<[string, string[]]>([
    ['on demand', [nodeClass(), onDemand, slow()]],
    ['with time enough on spot', [nodeClass(), nodePool('default'), slow(110)]],
    ['with the time that Kubernetes gives without a word', [nodeClass(), nodePool('default'), deployment('ingress')]],
  ])('passes %s', (_, documents) => {
    expect(judge(rule, documents).states).toEqual(['pass Deployment/ingress']);
  });

  test('does not apply to pods on nodes of others, and to none', () => {
    const elsewhere = slow(300, { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } });
    expect(judge(rule, [nodeClass(), nodePool('default'), elsewhere, deployment('none', {}, { replicas: 0 })]).outcomes).toEqual([]);
  });

  test('is not evaluated where the plan has no node for the pods, nor for a time that is not known', () => {
    expect(judge(rule, [slow()]).whys).toEqual(['the plan has no node for its pods']);
    expect(judge(rule, [nodeClass(), nodePool('default'), slow('${Token[seconds]}')]).states).toEqual(['not-evaluated Deployment/ingress']);
  });
});
