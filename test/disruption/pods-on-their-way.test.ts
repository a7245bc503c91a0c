import { clusterOf, machine, NOW, pod, PROTECTED } from './builders';
import { sceneOf } from '../../src/disruption/candidates';
import { podsOnTheirWay } from '../../src/disruption/ground';
import { pods as groupOf } from '../scheduling/builders';

describe('on their way', () => {
  const up = machine('up', 'm5.large', [pod('stays')]);

  test('are no pods where no node goes and none waits', () => {
    expect(podsOnTheirWay(sceneOf(clusterOf([up]), NOW))).toBe(0);
  });

  test('are pods of nodes that go, but for those that end with them and those that nobody can evict', () => {
    const pods = [pod('a'), pod('b'), pod('daemon', {}, { daemon: true }), pod('kept', {}, { annotations: PROTECTED }), pod('ends', {}, { terminating: true })];
    expect(podsOnTheirWay(sceneOf(clusterOf([up, machine('goes', 'm5.large', pods, { deleting: true })]), NOW))).toBe(2);
  });

  test('are pods that wait', () => {
    expect(podsOnTheirWay(sceneOf(clusterOf([up], { waiting: [groupOf('a', 3, { cpu: '1' }), groupOf('b', 2, { cpu: '1' })] }), NOW))).toBe(5);
  });
});
