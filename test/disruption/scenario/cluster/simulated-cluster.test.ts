import { SimulatedCluster } from '../../../../src/disruption/scenario/cluster/simulated-cluster';
import { simulate } from '../../../../src/disruption/scenario/simulate';
import { clusterOf, HOUR, machine, NOW, pod } from '../../builders';
import { simulatedCluster } from '../builders';

describe('a launched node', () => {
  test('gets expireAfter and terminationGracePeriod of its NodePool, not those of older nodes', () => {
    const { name, ...facts } = machine('a', 'm5.large');
    const older = machine(name, 'm5.large', [], {
      claim: { createdAt: NOW - HOUR, expireAfter: 720 * HOUR, terminationGracePeriod: 48 * HOUR },
    });
    const cluster = simulatedCluster(
      clusterOf([older], { disruption: { expireAfter: 24 * HOUR, terminationGracePeriod: HOUR } }),
    );
    const launched = cluster.cloudProvider.launch('default', facts, undefined);
    expect(cluster.nodes.get(launched)!.node.claim).toEqual({
      createdAt: NOW,
      expireAfter: 24 * HOUR,
      terminationGracePeriod: HOUR,
    });
  });

  test('is numbered in launch order, independently of recreated pods', () => {
    const cluster = simulatedCluster(clusterOf([machine('a', 'm5.large', [pod('web', { cpu: '100m' })])]));
    const { name, ...facts } = machine('a', 'm5.large');
    const first = cluster.cloudProvider.launch('default', facts, undefined);
    cluster.removeNode(name, 'is taken away');
    expect([first, cluster.cloudProvider.launch('default', facts, undefined)]).toEqual([
      'default-new-0',
      'default-new-1',
    ]);
    expect(cluster.pods.pending().map((subject) => subject.pod.name)).toEqual(['web-new-0']);
  });

  test('gets its DaemonSet pods when it is initialized, and they need as long as other pods to become ready', () => {
    const agent = pod('agent', {}, { daemon: true, owner: { kind: 'DaemonSet', name: 'agent' } });
    const { name, ...facts } = machine('a', 'm5.large');
    const cluster = simulatedCluster(clusterOf([machine(name, 'm5.large')], { daemons: [agent] }));
    const seen: string[] = [];
    const look = (second: number) => ({
      at: NOW + second * 1_000,
      apply: ({ pods }: SimulatedCluster) =>
        seen.push(
          `${second} ${pods
            .onNode('default-new-0')
            .map(({ pod: { name: podName }, phase }) => `${podName} ${phase}`)
            .join()}`,
        ),
    });
    const launch = {
      at: NOW,
      apply: () => {
        cluster.cloudProvider.launch('default', facts, undefined);
      },
    };
    simulate(cluster, { scenario: 'launch', events: [launch, ...[59, 61, 79, 81].map(look)] });
    expect(seen).toEqual([
      '59 ',
      '61 agent-default-new-0 starting',
      '79 agent-default-new-0 starting',
      '81 agent-default-new-0 ready',
    ]);
  });
});

describe('PodLifecycle', () => {
  test.each([
    ['initialized', true],
    ['markedForDeletion', false],
    ['draining', false],
  ] as const)('sets needsProvisioning when a pod is deleted from a node that is %s: %s', (phase, expected) => {
    const cluster = simulatedCluster(clusterOf([machine('a', 'm5.large', [pod('p')])]));
    cluster.nodes.get('a')!.phase = phase;
    const [subject] = cluster.pods.onNode('a');
    cluster.podLifecycle.startTermination(subject);
    cluster.needsProvisioning = false;
    cluster.podLifecycle.delete(subject);
    expect(cluster.needsProvisioning).toBe(expected);
  });
});

describe('the last pod event of a node', () => {
  const cluster = () => simulatedCluster(clusterOf([machine('a', 'm5.large', [pod('p'), pod('q')])]));
  const lastEvent = ({ nodes }: SimulatedCluster) => nodes.get('a')!.node.claim!.lastPodEventAt;

  test('is the start of a termination, not the deletion of the pod', () => {
    const simulated = cluster();
    const [subject] = simulated.pods.onNode('a');
    simulated.podLifecycle.startTermination(subject);
    simulated.now += 60_000;
    simulated.podLifecycle.delete(subject);
    expect(lastEvent(simulated)).toBe(NOW);
  });

  test.each([
    [9, 0],
    [10, 10],
  ])('with another pod %d seconds later is after %d seconds', (second, event) => {
    const simulated = cluster();
    const [first, other] = simulated.pods.onNode('a');
    simulated.podLifecycle.startTermination(first);
    simulated.now += second * 1_000;
    simulated.podLifecycle.startTermination(other);
    expect(lastEvent(simulated)).toBe(NOW + event * 1_000);
  });
});
