import { podsWithoutNode } from '../../../../src/validation/rules/capacity/pods-without-node';
import { affinityUnsatisfiableByAnyPool } from '../../../../src/validation/rules/instance-selection/affinity-unsatisfiable-by-any-pool';
import { deployment, judge, nodeClass, nodePool, oneOf } from '../judge';

const rule = podsWithoutNode;
const CLASS = nodeClass();
const inZone = (zone: string) => ({ nodeSelector: { 'topology.kubernetes.io/zone': zone } });

describe('KARP-318 pods-without-node', () => {
  const limited = nodePool('default', { limits: { cpu: '2' } });
  const large = (name: string, more: object = {}) => deployment(name, more, { replicas: 40, requests: { cpu: '1' } });

  test('reports pods that exceed the limits, which KARP-213 passes', () => {
    const documents = [CLASS, limited, large('web')];
    const {
      states,
      findings: [{ message }],
    } = judge(rule, documents);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toMatch(
      /^(\d+ of )?its 40 pods fit on no node, so they stay Pending: NodePool default: limits\.cpu has /,
    );
    expect(judge(affinityUnsatisfiableByAnyPool, documents).states).toEqual(['pass Deployment/web']);
  });

  test('reports planned pods whose node cannot be launched', () => {
    const minimum = { key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues: 50 };
    const pool = nodePool('default', { requirements: [minimum, oneOf('karpenter.sh/capacity-type', 'on-demand')] });
    const {
      states,
      findings: [{ message, remedy }],
    } = judge(rule, [CLASS, pool, deployment('web', {}, { replicas: 2 })]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toMatch(
      /^2 of its pods stay Pending, because the launch of node default-0 always fails: insufficient capacity, .*minValues requirement is not met /,
    );
    expect(remedy).toMatch(/^lower the minValues of NodePool default/);
  });

  test('passes pods that every NodePool refuses because of constraints, which KARP-213 reports', () => {
    expect(judge(rule, [CLASS, nodePool('default'), deployment('web', inZone('us-east-1f'))]).states).toEqual([
      'pass Deployment/web',
    ]);
  });

  test('is not evaluated if a NodePool is known only at deployment, and does not apply without NodePools', () => {
    const unknown = nodePool('unknown', { labels: { team: '${Token[TOKEN.7]}' } });
    expect(judge(rule, [CLASS, limited, unknown, large('web')]).states).toEqual(['not-evaluated Deployment/web']);
    expect(judge(rule, [CLASS, large('web')]).outcomes).toEqual([]);
  });
});
