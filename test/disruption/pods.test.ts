import { machine, NOW, pod } from './builders';
import { daemonPods } from '../../src/disruption';
import { PodShape } from '../../src/scheduling';

const TAINT = { key: 'team', value: 'ml', effect: 'NoSchedule' } as const;
const agent = (more: Partial<PodShape> = {}) =>
  pod('agent', {}, { daemon: true, owner: { kind: 'DaemonSet', name: 'agent' }, more });
const terms = (...zones: string[]): Partial<PodShape> => ({
  requiredNodeAffinity: zones.map((zone) => ({
    matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }],
  })),
});

describe('daemonPods', () => {
  test('names the pod after its node, and starts it with the node', () => {
    expect(daemonPods(machine('a', 'm5.large'), [agent()], NOW)).toEqual([
      { ...agent(), name: 'agent-a', startedAt: NOW },
    ]);
  });

  test.each<[string, Partial<PodShape>, object, number]>([
    ['a taint that it does not tolerate', {}, { taints: [TAINT] }, 0],
    ['a taint that it tolerates', { tolerations: [{ operator: 'Exists' }] }, { taints: [TAINT] }, 1],
    ['a taint with the effect PreferNoSchedule', {}, { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] }, 1],
    ['no label that its nodeSelector selects', { nodeSelector: { team: 'ml' } }, {}, 0],
    ['a label that its nodeSelector selects', { nodeSelector: { team: 'ml' } }, { labels: { team: 'ml' } }, 1],
    ['labels that its second affinity term selects', terms('us-east-1b', 'us-east-1a'), {}, 1],
    ['labels that no affinity term selects', terms('us-east-1b', 'us-east-1c'), {}, 0],
  ])('on a node with %s returns the pods that Kubernetes creates', (_, shape, node, count) => {
    expect(daemonPods(machine('a', 'm5.large', [], node), [agent(shape)], NOW)).toHaveLength(count);
  });

  test('returns no pod that the node has already, but one of a DaemonSet in another namespace', () => {
    const present = { ...agent(), name: 'agent-x7k2p' };
    expect(daemonPods(machine('a', 'm5.large', [present]), [agent()], NOW)).toEqual([]);
    expect(daemonPods(machine('a', 'm5.large', [{ ...present, namespace: 'other' }]), [agent()], NOW)).toHaveLength(1);
    expect(daemonPods(machine('a', 'm5.large', [pod('agent')]), [agent()], NOW)).toHaveLength(1);
  });
});
