import { HostPort } from '../../../src/scheduling';
import { daemonSet, isIn, ofTypes, planOf, podCounts, pods, pool } from '../builders';

const port = (number: number, more: Partial<HostPort> = {}): HostPort => ({
  ip: '0.0.0.0',
  port: number,
  protocol: 'TCP',
  ...more,
});
const POOLS = [pool([ofTypes('m5.large')])];
const SMALL = { cpu: '100m' };

describe('pods with host ports', () => {
  test('do not share a node if they are equal', () => {
    expect(podCounts(planOf({ pools: POOLS, pods: [pods('web', 3, SMALL, { hostPorts: [port(80)] })] }))).toEqual([
      1, 1, 1,
    ]);
  });

  test.each([
    ['another port', port(81), 1],
    ['another protocol', port(80, { protocol: 'UDP' }), 1],
    ['the same port on another address', port(80, { ip: '10.0.0.2' }), 1],
    ['the same port on every address', port(80), 2],
    ['the same port on every IPv6 address', port(80, { ip: '::' }), 2],
    ['the same port on the same address', port(80, { ip: '10.0.0.1' }), 2],
  ])('with %s on another pod need %j nodes', (_, other, nodes) => {
    const plan = planOf({
      pools: POOLS,
      pods: [
        pods('a', 1, SMALL, { hostPorts: [port(80, { ip: '10.0.0.1' })] }),
        pods('b', 1, SMALL, { hostPorts: [other] }),
      ],
    });
    expect(plan.nodeClaims).toHaveLength(nodes);
  });

  test('use only instance types whose daemonsets do not use the port', () => {
    const onLarge = daemonSet('proxy', SMALL, {
      hostPorts: [port(80)],
      nodeSelector: { 'karpenter.k8s.aws/instance-size': 'large' },
    });
    const plan = planOf({
      pools: [pool([ofTypes('m5.large', 'm5.xlarge')])],
      pods: [pods('web', 1, SMALL, { hostPorts: [port(80)] })],
      daemonSets: [onLarge],
    });
    expect(plan.nodeClaims[0].instanceTypes).toEqual(['m5.xlarge']);
  });

  test("are refused with Karpenter's error if a daemonset uses the port on every node", () => {
    const proxy = daemonSet('proxy', SMALL, { hostPorts: [port(80)] });
    const plan = planOf({
      pools: POOLS,
      pods: [pods('web', 1, SMALL, { hostPorts: [port(80)] })],
      daemonSets: [proxy],
    });
    expect(plan.unschedulable[0].reasons[0].message).toContain(
      'no instance type met the scheduling requirements or had enough resources or had a required offering',
    );
  });

  test('do not blame the requirements of the pool for a port that a daemonset uses on every type', () => {
    const proxy = daemonSet('proxy', SMALL, { hostPorts: [port(80)] });
    const plan = planOf({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('web', 1, SMALL, { hostPorts: [port(80)] })],
      daemonSets: [proxy],
    });
    expect(plan.unschedulable[0].reasons[0].diagnosis).toBe(
      '1 instance type would fit without host port 80/TCP, which a daemonset uses',
    );
  });

  test('share nodes with pods without host ports', () => {
    const plan = planOf({
      pools: [pool([isIn('karpenter.k8s.aws/instance-family', 'm5')])],
      pods: [pods('web', 1, SMALL, { hostPorts: [port(80)] }), pods('api', 5, SMALL)],
    });
    expect(podCounts(plan)).toEqual([6]);
  });
});
