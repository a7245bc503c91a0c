import { noNodePool } from '../../../../src/validation/rules/input/no-node-pool';
import { daemonSet, deployment, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = noNodePool;
const web = deployment('web', {}, { replicas: 2 });

describe('KARP-003 no-node-pool', () => {
  test('reports once that no pod is planned, and what to pass', () => {
    const {
      states,
      findings: [finding],
    } = judge(rule, [web, deployment('api')]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(finding).toMatchObject({
      message:
        '3 pods are not planned, because the input has no NodePool: which nodes Karpenter would launch is unknown',
      evidence: { pods: 3 },
    });
    expect(finding.remedy).toContain('kubectl get nodepools,ec2nodeclasses -o yaml');
  });

  test('ignores objects of other products that are named NodePool', () => {
    expect(
      judge(rule, [manifest('container.gcp.crossplane.io/v1beta1', 'NodePool', 'default', {}), web]).states,
    ).toEqual(['fail Deployment/web']);
  });

  test('does not apply with a NodePool of any version, without pods, or if the input may be empty', () => {
    expect(judge(rule, [nodeClass(), nodePool('default'), web]).outcomes).toEqual([]);
    expect(judge(rule, [manifest('karpenter.sh/v1alpha5', 'Provisioner', 'default', {}), web]).outcomes).toEqual([]);
    expect(judge(rule, [daemonSet('agent', {})]).outcomes).toEqual([]);
    expect(judge(rule, [web], { mayBeEmpty: true }).outcomes).toEqual([]);
  });
});
