import { AMD64, CLASS, ON_DEMAND, pool, verdictOf, workload } from './fixtures';

describe('workloads that fit after one change of a NodePool', () => {
  const notForAll = 'nodeSelector: { topology.kubernetes.io/zone: us-east-1c }';
  const zones = 'key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b]';

  test('are one finding', () => {
    const { errors } = verdictOf([
      CLASS,
      pool('main', { requirements: [ON_DEMAND, AMD64, zones] }),
      workload('web', { pod: notForAll }),
      workload('api', { pod: notForAll, replicas: 2 }),
    ]);
    expect(errors).toHaveLength(1);
    expect(errors[0].message).toMatch(/; the same change lets \d pods of Deployment shop\/\w+ fit$/);
    expect(errors[0].remedy).toBe('allow zone us-east-1c in NodePool main');
  });

  test('wait for the misspelt value in it', () => {
    const capacityType = 'key: karpenter.sh/capacity-type, operator: In, values: [spot, ondemand]';
    const { errors } = verdictOf([
      CLASS,
      pool('main', { requirements: [capacityType, AMD64] }),
      workload('web', { pod: 'nodeSelector: { karpenter.sh/capacity-type: on-demand }' }),
    ]);
    expect(errors).toEqual([
      expect.objectContaining({
        rule: 'KARP-251',
        subject: 'NodePool main',
        message: expect.stringMatching(/; 3 pods of Deployment shop\/web wait for it$/),
      }),
    ]);
  });

  test('need the startup taint of an agent that is written among the taints', () => {
    const taint = '{ key: ebs.csi.aws.com/agent-not-ready, effect: NoExecute }';
    const documents = [CLASS, pool('main', { template: `taints: [${taint}]` }), workload('web'), workload('api')];
    const { errors } = verdictOf(documents);
    expect(errors).toHaveLength(1);
    expect(errors[0].remedy).toBe(
      'write ebs.csi.aws.com/agent-not-ready:NoExecute in startupTaints of NodePool main instead of in taints',
    );
    const fixed = [CLASS, pool('main', { template: `startupTaints: [${taint}]` }), workload('web'), workload('api')];
    expect(verdictOf(fixed).errors).toEqual([]);
  });
});
