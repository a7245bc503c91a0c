import { inDeletionOrder } from '../../../src/disruption/day/workload-scaler';
import { SimulatedPod } from '../../../src/disruption/scenario/cluster/simulated-pod';
import { MINUTE, NOW, pod } from '../builders';

const subject = (name: string, more: Partial<SimulatedPod> = {}, minutes = 60): SimulatedPod => ({
  pod: pod(name, undefined, { startedAt: NOW - minutes * MINUTE }),
  phase: 'ready',
  node: name,
  ...more,
});
const order = (...pods: readonly SimulatedPod[]) => inDeletionOrder(pods, NOW).map(({ pod: { name } }) => name);

describe('inDeletionOrder', () => {
  test('begins with pending pods, then with pods that are not ready', () => {
    const pods = [subject('ready'), subject('starting', { phase: 'starting' })];
    expect(order(...pods, subject('pending', { phase: 'pending', node: undefined }))).toEqual([
      'pending',
      'starting',
      'ready',
    ]);
  });

  test('prefers pods that share their node with others of the workload, then the youngest', () => {
    expect(order(subject('old', {}, 600), subject('young', {}, 5))).toEqual(['young', 'old']);
    expect(order(subject('young', {}, 5), subject('a', { node: 'n' }, 600), subject('b', { node: 'n' }, 600))[2]).toBe(
      'young',
    );
  });

  test('prefers a lower deletion cost to the number of pods on a node', () => {
    const cheap = subject('cheap');
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': '-1' };
    expect(
      order(subject('a', { node: 'n' }), subject('b', { node: 'n' }), {
        ...cheap,
        pod: { ...cheap.pod, annotations },
      })[0],
    ).toBe('cheap');
  });
});
