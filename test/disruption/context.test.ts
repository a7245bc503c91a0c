import { clusterOf, machine, NOW, pod, PROTECTED } from './builders';
import { Cluster } from '../../src/disruption';
import { DisruptionContext } from '../../src/disruption/context';
import { pods as podGroup } from '../scheduling/builders';

describe('DisruptionContext.basePodCount', () => {
  const node = machine('up', 'm5.large', [pod('stays')]);
  const countIn = (cluster: Cluster) => new DisruptionContext(cluster, NOW).basePodCount;

  test('is 0 without deleting nodes and pending pods', () => {
    expect(countIn(clusterOf([node]))).toBe(0);
  });

  test('counts pods of deleting nodes, except pods that end with the node and pods that cannot be evicted', () => {
    const pods = [
      pod('a'),
      pod('b'),
      pod('daemon', {}, { daemon: true }),
      pod('kept', {}, { annotations: PROTECTED }),
      pod('ends', {}, { terminating: true }),
    ];
    expect(countIn(clusterOf([node, machine('deleting', 'm5.large', pods, { deleting: true })]))).toBe(2);
  });

  test('counts pending pods', () => {
    expect(
      countIn(clusterOf([node], { pendingPods: [podGroup('a', 3, { cpu: '1' }), podGroup('b', 2, { cpu: '1' })] })),
    ).toBe(5);
  });

  test('is the same whether or not settling nodes are avoided', () => {
    const context = new DisruptionContext(clusterOf([node], { pendingPods: [podGroup('a', 3, { cpu: '1' })] }), NOW);
    expect(context.simulationBase(true).pods.count).toBe(3);
    expect(context.basePodCount).toBe(3);
  });
});
