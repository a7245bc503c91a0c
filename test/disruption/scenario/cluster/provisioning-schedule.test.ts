import { runScenario } from '../../../../src/disruption';
import { ProvisioningSchedule } from '../../../../src/disruption/scenario/cluster/provisioning-schedule';
import { SimulatedPod } from '../../../../src/disruption/scenario/cluster/simulated-pod';
import { Provisioner } from '../../../../src/disruption/scenario/controllers/provisioning/provisioner';
import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, clusterOf, HOUR, machine, NOW, pod } from '../../builders';
import { simulatedCluster } from '../builders';

describe('ProvisioningSchedule.nextRun', () => {
  const [first, second] = [pod('p', {}), pod('q', {})].map(
    (subject): SimulatedPod => ({ pod: subject, phase: 'pending' }),
  );
  const afterRun = () => {
    const schedule = new ProvisioningSchedule(NOW);
    schedule.recordRun(NOW, false, 0);
    return schedule;
  };

  test('is every ten seconds', () => {
    expect(afterRun().nextRun(NOW + 12_000)).toBe(NOW + 20_000);
  });

  test('is now for a pod that has become pending', () => {
    const schedule = afterRun();
    schedule.triggerForNewPods([first, second]);
    expect(schedule.nextRun(NOW + 12_000)).toBe(NOW + 12_000);
  });

  test('is not triggered twice by a pod', () => {
    const schedule = afterRun();
    schedule.triggerForNewPods([first]);
    schedule.recordRun(NOW + 12_000, false, 0);
    schedule.triggerForNewPods([first]);
    expect(schedule.nextRun(NOW + 13_000)).toBe(NOW + 22_000);
  });

  test('is not triggered by pods that Kubernetes binds at once', () => {
    const claim = { createdAt: NOW - HOUR, initializedAt: NOW - HOUR };
    const web = { owner: { kind: 'Deployment', name: 'web' } };
    const [left, right] = ['p', 'q'].map((name) => pod(name, { cpu: '1500m' }, web));
    const nodes = [machine('a', 'm5.large', [left], { claim }), machine('b', 'm5.xlarge', [right], { claim })];
    const cluster = simulatedCluster(clusterOf(nodes), { simulation: 0 });
    cluster.now = NOW + 1_000;
    cluster.podLifecycle.startTermination(cluster.pods.onNode('a')[0]);
    new Provisioner(cluster).reconcile();
    expect(cluster.pods.onNode('b').map(({ phase }) => phase)).toEqual(['ready', 'starting']);
    expect(cluster.provisioningSchedule.nextRun(cluster.now)).toBe(NOW + 10_000);
  });
});

describe('ProvisioningSchedule.followUpAt', () => {
  /** Milliseconds from each run to its follow-up, by the pods that each run leaves unscheduled. */
  const followUps = (...unscheduled: readonly number[]) => {
    const schedule = new ProvisioningSchedule(NOW);
    return unscheduled.map((pods, index) => {
      const now = NOW + index * 10_000;
      schedule.startFollowUp(now);
      schedule.recordRun(now, true, pods);
      return schedule.followUpAt - now;
    });
  };

  test('is ten seconds after a run that launched nodes', () => {
    expect(followUps(3, 2, 1, 0)).toEqual([10_000, 10_000, 10_000, 10_000]);
  });

  test('is never after three follow-ups that scheduled no further pod', () => {
    expect(followUps(3, 3, 3, 3, 3)).toEqual([10_000, 10_000, 10_000, Infinity, 10_000]);
  });

  test('is never after a run that launched nothing', () => {
    const schedule = new ProvisioningSchedule(NOW);
    schedule.recordRun(NOW, false, 3);
    expect(schedule.followUpAt).toBe(Infinity);
  });

  test('lets pods get a node that a NodePool limit first refused, because it counts new nodes as their largest possible type', () => {
    const pools = [
      anyPool({
        requirements: [ofTypes('r5.large', 'm5.xlarge', 'c5.2xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')],
        limits: new Map([['cpu', 16_000n]]),
      }),
    ];
    const nodes = ['a', 'b', 'c', 'd'].map((name) => {
      const node = machine(name, 'r5.large', [pod(`web-${name}`, { cpu: '1500m', memory: '9Gi' })]);
      return { ...node, claim: { ...node.claim!, createdAt: NOW, expireAfter: HOUR } };
    });
    const times = { nodeStart: 60, podStart: 20, podStop: 30 };
    const [{ timeline, pending }] = runScenario('expiration', clusterOf(nodes, { pools }), { start: NOW, times });
    const launches = timeline.filter(({ what }) => what.includes('is launched'));
    expect(launches.map(({ second }) => second - launches[0].second)).toEqual([0, 0, 10, 10]);
    expect(pending).toEqual([]);
  });
});
