import { staticNodesIdle } from '../../../../src/validation/rules/cost/static-nodes-idle';
import { deployment, judge, manifest, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = staticNodesIdle;

function outcomesWith(replicas: number, ...pods: string[]) {
  const requirements = [types('m5.xlarge'), oneOf('karpenter.sh/capacity-type', 'on-demand')];
  return judge(rule, [nodeClass(), nodePool('core', { replicas, requirements }), ...pods], {
    featureGates: { StaticCapacity: true },
  });
}

describe('KARP-1014 static-nodes-idle', () => {
  test('reports a static NodePool most of whose nodes run no pod, with their price', () => {
    const [finding] = outcomesWith(10, deployment('web')).findings;
    expect(finding).toMatchObject({
      path: ['spec', 'replicas'],
      remedy: 'write replicas: 1, or more if pods of other files need the room',
    });
    expect(finding.message).toMatch(/^9 nodes of 10 run no pod of the input, for \$1,261\/month: /);
  });

  test('is a note if an autoscaler may need the nodes', () => {
    const autoscaler = manifest('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 1,
      maxReplicas: 50,
    });
    expect(outcomesWith(10, deployment('web'), autoscaler).findings).toMatchObject([{ severity: 'info' }]);
  });

  test('passes if half of the nodes are used, or if the others cost little', () => {
    expect(outcomesWith(2, deployment('web')).states).toEqual(['pass NodePool/core']);
    expect(outcomesWith(3, deployment('web')).states).toEqual(['pass NodePool/core']);
  });

  test('does not apply without pods on its nodes, nor to dynamic NodePools', () => {
    expect(outcomesWith(10).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), nodePool('default'), deployment('web')]).outcomes).toEqual([]);
  });
});
