import { isIn, ofTypes, planOf, pods, pool } from './builders';

const SMALL = { cpu: '100m' };

describe('a static pool', () => {
  const fixed = pool([ofTypes('m5.large')], { name: 'fixed', weight: 100, replicas: 2 });

  test('launches no node for a pod, however heavy it is', () => {
    const plan = planOf({ pools: [fixed, pool([ofTypes('m5.xlarge')])], pods: [pods('web', 1, SMALL)] });
    expect(plan.nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['default']);
  });

  test('is no reason for pods to be let on where they would rather not be', () => {
    const tainted = { ...fixed, taints: [{ key: 'a', effect: 'PreferNoSchedule' } as const] };
    const hard = pool([ofTypes('m5.xlarge')], { taints: [{ key: 'b', effect: 'NoSchedule' }] });
    const { unschedulable } = planOf({ pools: [tainted, hard], pods: [pods('web', 1, SMALL)] });
    expect(unschedulable[0].reasons.map(({ nodePool }) => nodePool)).toEqual(['default']);
  });

  test('leaves pods without a node where there is no other pool, in Karpenter\'s words', () => {
    const { unschedulable } = planOf({ pools: [fixed], pods: [pods('web', 1, SMALL)] });
    expect(unschedulable).toMatchObject([{ pod: 'default/web-0', reasons: [{ message: 'no dynamic nodepools found' }] }]);
  });

  test('shows what it launches all the same', () => {
    const [view] = planOf({ pools: [pool([isIn('karpenter.k8s.aws/instance-family', 'm5')], { replicas: 1 })], pods: [] }).pools;
    expect(view.instanceTypes.slice(0, 2)).toEqual(['m5.large', 'm5.xlarge']);
    expect(view).toMatchObject({ capacityTypes: ['on-demand'], zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'] });
  });
});
