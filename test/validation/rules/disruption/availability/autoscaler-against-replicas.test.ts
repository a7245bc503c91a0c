import { autoscalerAgainstReplicas } from '../../../../../src/validation/rules/disruption/availability/autoscaler-against-replicas';
import { autoscaler, deployment, judge } from '../../judge';

const rule = autoscalerAgainstReplicas;

describe('KARP-435 autoscaler-against-replicas', () => {
  test('reports replicas in the manifest of a workload that is scaled', () => {
    const [finding] = judge(rule, [autoscaler({ minReplicas: 2 }), deployment('web', {}, { replicas: 3 })]).findings;
    expect(finding).toMatchObject({
      object: { kind: 'Deployment' },
      path: ['spec', 'replicas'],
      remedy: 'remove replicas from the manifest',
      evidence: { replicas: 3, minReplicas: 2, maxReplicas: 9 },
    });
  });

  test.each([undefined, 0])('passes replicas: %s', (replicas) => {
    expect(judge(rule, [autoscaler(), deployment('web', {}, { replicas })]).states).toEqual([
      'pass HorizontalPodAutoscaler/web',
    ]);
  });

  test('does not apply without the target', () => {
    expect(judge(rule, [autoscaler()]).outcomes).toEqual([]);
  });
});
