import { machine, NOW, pod } from './builders';
import { daemonPods } from '../../src/disruption';
import { PodShape } from '../../src/scheduling';

const TAINT = { key: 'team', value: 'ml', effect: 'NoSchedule' } as const;
const agent = (more: Partial<PodShape> = {}) => pod('agent', {}, { daemon: true, owner: { kind: 'DaemonSet', name: 'agent' }, more });
const terms = (...zones: string[]): Partial<PodShape> => ({
  requiredNodeAffinity: zones.map((zone) => ({ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }] })),
});

test('a pod of a DaemonSet is called by its node, and begins with it', () => {
  expect(daemonPods(machine('a', 'm5.large'), [agent()], NOW)).toEqual([{ ...agent(), name: 'agent-a', startedAt: NOW }]);
});

test.each<[string, Partial<PodShape>, object, number]>([
  ['a taint that it does not tolerate', {}, { taints: [TAINT] }, 0],
  ['a taint that it tolerates', { tolerations: [{ operator: 'Exists' }] }, { taints: [TAINT] }, 1],
  ['a taint that only puts others first', {}, { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] }, 1],
  ['no label that it selects', { nodeSelector: { team: 'ml' } }, {}, 0],
  ['a label that it selects', { nodeSelector: { team: 'ml' } }, { labels: { team: 'ml' } }, 1],
  ['what the second of its terms asks for', terms('us-east-1b', 'us-east-1a'), {}, 1],
  ['what none of its terms asks for', terms('us-east-1b', 'us-east-1c'), {}, 0],
])('on a node with %s there is as Kubernetes has it', (_, shape, node, count) => {
  expect(daemonPods(machine('a', 'm5.large', [], node), [agent(shape)], NOW)).toHaveLength(count);
});

test('one that is there is not made again, that of a namesake is', () => {
  const there = { ...agent(), name: 'agent-x7k2p' };
  expect(daemonPods(machine('a', 'm5.large', [there]), [agent()], NOW)).toEqual([]);
  expect(daemonPods(machine('a', 'm5.large', [{ ...there, namespace: 'other' }]), [agent()], NOW)).toHaveLength(1);
  expect(daemonPods(machine('a', 'm5.large', [pod('agent')]), [agent()], NOW)).toHaveLength(1);
});
