import { ClusterPod } from '../../../src/disruption';
import {
  disruptionCost,
  evictionCost,
  lifetimeRemaining,
  rescheduleCost,
  trackedRescheduleCost,
} from '../../../src/disruption/candidates/costs';
import { HOUR, NOW, pod } from '../builders';

describe('evictionCost', () => {
  test.each<[string, Partial<ClusterPod>, number]>([
    ['returns 1 by default', {}, 1],
    [
      'returns 2 with a pod-deletion-cost of one unit',
      { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(2 ** 27) } },
      2,
    ],
    [
      'returns 0 with a pod-deletion-cost of minus one unit',
      { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(-(2 ** 27)) } },
      0,
    ],
    [
      'prefers the annotation of Karpenter to that of Kubernetes',
      {
        annotations: {
          'karpenter.sh/disruption-cost': '0',
          'controller.kubernetes.io/pod-deletion-cost': String(2 ** 27),
        },
      },
      1,
    ],
    [
      'ignores both annotations if that of Karpenter is not a number',
      {
        annotations: {
          'karpenter.sh/disruption-cost': 'high',
          'controller.kubernetes.io/pod-deletion-cost': String(2 ** 27),
        },
      },
      1,
    ],
    ['ignores a number above 32 bits', { annotations: { 'karpenter.sh/disruption-cost': String(2 ** 31) } }, 1],
    ['ignores a number below 32 bits', { annotations: { 'karpenter.sh/disruption-cost': String(-(2 ** 31) - 1) } }, 1],
    ['increases with the priority', { priority: 2 ** 25 }, 2],
    ['returns 0 with a priority of -33554432', { priority: -33554432 }, 0],
    ['returns at most 10', { priority: 2_000_000_000 }, 10],
    ['returns at least -10', { priority: -2_000_000_000 }, -10],
  ])('%s', (_, more, cost) => {
    expect(evictionCost(pod('a', undefined, more))).toBe(cost);
  });
});

describe('rescheduleCost', () => {
  test('returns 1 without pods', () => {
    expect(rescheduleCost({ pods: [] })).toBe(1);
  });

  test('adds the cost of each pod, and nothing for a pod with a negative cost', () => {
    expect(
      rescheduleCost({
        pods: [pod('a'), pod('b', undefined, { priority: 2 ** 25 }), pod('c', undefined, { priority: -2_000_000_000 })],
      }),
    ).toBe(4);
  });

  test('ignores pods that are not rescheduled', () => {
    const stays = [
      pod('agent', undefined, { daemon: true }),
      pod('mirror', undefined, { owner: { kind: 'Node', name: 'a' } }),
      pod('over', undefined, { ended: true }),
      pod('ends', undefined, { terminating: true }),
    ];
    expect(rescheduleCost({ pods: stays })).toBe(1);
  });

  test('counts a terminating pod of a StatefulSet, because its replacement is created afterwards', () => {
    expect(
      rescheduleCost({
        pods: [pod('db-0', undefined, { terminating: true, owner: { kind: 'StatefulSet', name: 'db' } })],
      }),
    ).toBe(2);
  });
});

describe('trackedRescheduleCost', () => {
  test('counts mirror pods and terminating pods, but no DaemonSet pods', () => {
    const pods = [
      pod('agent', undefined, { daemon: true }),
      pod('mirror', undefined, { owner: { kind: 'Node', name: 'a' } }),
      pod('over', undefined, { ended: true }),
      pod('ends', undefined, { terminating: true }),
      pod('cheap', undefined, { priority: -2_000_000_000 }),
    ];
    expect(trackedRescheduleCost({ pods })).toBe(3);
  });
});

describe('lifetimeRemaining', () => {
  test.each([
    [0, 1],
    [6, 0.75],
    [24, 0],
    [30, 0],
  ])('after %d of 24 hours returns %d', (hours, share) => {
    expect(lifetimeRemaining({ createdAt: NOW - hours * HOUR, expireAfter: 24 * HOUR }, NOW)).toBe(share);
  });

  test('returns 1 if the node never expires', () => {
    expect(lifetimeRemaining({ createdAt: 0 }, NOW)).toBe(1);
  });

  test('scales the disruption cost', () => {
    expect(
      disruptionCost({ pods: [pod('a'), pod('b')], claim: { createdAt: NOW - 6 * HOUR, expireAfter: 24 * HOUR } }, NOW),
    ).toBe(1.5);
  });
});
