import { peakReplicasExceedLimits } from '../../../../src/validation/rules/capacity/peak-replicas-exceed-limits';
import { autoscaler, deployment, judge, nodeClass, nodePool, types } from '../judge';

const rule = peakReplicasExceedLimits;
const POOL = nodePool('general', { requirements: [types('m7i.large')], limits: { cpu: 10 } });
const WEB = deployment('web', {}, { replicas: 2, requests: { cpu: '1', memory: '1Gi' } });
const judged = (maxReplicas: number, ...documents: string[]) =>
  judge(rule, [nodeClass(), POOL, WEB, autoscaler({ minReplicas: 2, maxReplicas }), ...documents]);

describe('KARP-313 peak-replicas-exceed-limits', () => {
  test('reports limits below the requests of the most pods', () => {
    const [finding] = judged(20).findings;
    expect(finding).toMatchObject({
      path: ['spec', 'limits', 'cpu'],
      evidence: { limit: '10', requests: '20', workloads: [{ name: 'web', pods: 20 }] },
    });
    expect(finding.message).toMatch(
      /^limits.cpu is 10, but Deployment web with up to 20 pods, which only NodePool general takes/,
    );
  });

  test('passes limits that hold the requests', () => {
    expect(judged(10).states).toEqual(['pass NodePool/general']);
  });

  test('does not apply if another NodePool may take the pods, or without an autoscaler', () => {
    expect(judged(20, nodePool('other', { requirements: [types('m7i.large')] })).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), POOL, WEB]).outcomes).toEqual([]);
  });
});
