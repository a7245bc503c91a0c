import { HOUR, NOW, pod } from './builders';
import { ClusterPod } from '../../src/disruption';
import { disruptionCost, evictionCost, lifetimeRemaining, rescheduleCost, trackedCost } from '../../src/disruption/costs';

describe('the cost of evicting a pod', () => {
  test.each<[string, Partial<ClusterPod>, number]>([
    ['is one', {}, 1],
    ['is two with the pod deletion cost of one pod', { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(2 ** 27) } }, 2],
    ['is none with the opposite', { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(-(2 ** 27)) } }, 0],
    ['goes by the annotation of Karpenter before that of Kubernetes',
      { annotations: { 'karpenter.sh/disruption-cost': '0', 'controller.kubernetes.io/pod-deletion-cost': String(2 ** 27) } }, 1],
    ['goes by neither where the first cannot be read',
      { annotations: { 'karpenter.sh/disruption-cost': 'high', 'controller.kubernetes.io/pod-deletion-cost': String(2 ** 27) } }, 1],
    ['knows nothing of numbers beyond 32 bits', { annotations: { 'karpenter.sh/disruption-cost': String(2 ** 31) } }, 1],
    ['nor of those below them', { annotations: { 'karpenter.sh/disruption-cost': String(-(2 ** 31) - 1) } }, 1],
    ['goes up with the priority', { priority: 2 ** 25 }, 2],
    ['is none with a priority of -33554432', { priority: -33554432 }, 0],
    ['is ten at most', { priority: 2_000_000_000 }, 10],
    ['is minus ten at least', { priority: -2_000_000_000 }, -10],
  ])('%s', (_, more, cost) => {
    expect(evictionCost(pod('a', undefined, more))).toBe(cost);
  });
});

describe('the cost of moving the pods of a node', () => {
  test('is one without pods', () => {
    expect(rescheduleCost({ pods: [] })).toBe(1);
  });

  test('is one more for each pod that moves, and no less for those that cost less than nothing', () => {
    expect(rescheduleCost({ pods: [pod('a'), pod('b', undefined, { priority: 2 ** 25 }), pod('c', undefined, { priority: -2_000_000_000 })] })).toBe(4);
  });

  test('leaves out what does not move', () => {
    const stays = [
      pod('agent', undefined, { daemon: true }), pod('mirror', undefined, { owner: { kind: 'Node', name: 'a' } }),
      pod('over', undefined, { ended: true }), pod('ends', undefined, { terminating: true }),
    ];
    expect(rescheduleCost({ pods: stays })).toBe(1);
  });

  test('counts a pod of a StatefulSet that ends, since the next one comes after it', () => {
    expect(rescheduleCost({ pods: [pod('db-0', undefined, { terminating: true, owner: { kind: 'StatefulSet', name: 'db' } })] })).toBe(2);
  });
});

describe('the cost of moving the pods of a node that is no candidate', () => {
  test('has in it mirror pods and pods that end, and no DaemonSet', () => {
    const pods = [
      pod('agent', undefined, { daemon: true }), pod('mirror', undefined, { owner: { kind: 'Node', name: 'a' } }),
      pod('over', undefined, { ended: true }), pod('ends', undefined, { terminating: true }), pod('cheap', undefined, { priority: -2_000_000_000 }),
    ];
    expect(trackedCost({ pods })).toBe(3);
  });
});

describe('what is left of the life of a node', () => {
  test.each([[0, 1], [6, 0.75], [24, 0], [30, 0]])('after %d of 24 hours is %d', (hours, share) => {
    expect(lifetimeRemaining({ createdAt: NOW - hours * HOUR, expireAfter: 24 * HOUR }, NOW)).toBe(share);
  });

  test('is all of it where it never expires', () => {
    expect(lifetimeRemaining({ createdAt: 0 }, NOW)).toBe(1);
  });

  test('makes disrupting it cheaper', () => {
    expect(disruptionCost({ pods: [pod('a'), pod('b')], claim: { createdAt: NOW - 6 * HOUR, expireAfter: 24 * HOUR } }, NOW)).toBe(1.5);
  });
});
