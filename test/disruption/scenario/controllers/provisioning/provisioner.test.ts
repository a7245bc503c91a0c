import { runScenario } from '../../../../../src/disruption';
import { ScheduledEvent } from '../../../../../src/disruption/scenario/cluster/event-queue';
import { simulateFrom } from '../../../../../src/disruption/scenario/scenario-start';
import { isIn, ofTypes } from '../../../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../../../builders';
import { scenarioStart } from '../../builders';

test('a launching node adds no domain to a topology spread: pods stay pending until it is initialized', () => {
  const labels = { app: 'spread' };
  const topologySpread = [
    {
      maxSkew: 1,
      topologyKey: 'team',
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: labels },
    },
  ];
  const pods = [
    pod('plain', { cpu: '1500m' }),
    pod(
      'spread',
      { cpu: '1500m' },
      { owner: { kind: 'Deployment', name: 'spread' }, more: { labels, topologySpread } },
    ),
  ];
  const pools = [
    anyPool({
      requirements: [
        ofTypes('m5.large'),
        { key: 'team', operator: 'Exists' },
        isIn('karpenter.sh/capacity-type', 'on-demand'),
      ],
    }),
  ];
  const nodes = [machine('a', 'm5.xlarge', pods, { labels: { team: 'blue' } })];
  const [report] = runScenario('deletion', clusterOf(nodes, { pools }), {
    start: NOW,
    of: { kind: 'node', name: 'a' },
  });
  expect(report.timeline.filter(({ what }) => what.includes('is launched')).map(({ second }) => second)).toEqual([
    0, 60,
  ]);
  expect(report.pending).toEqual([]);
});

test.each([
  ['Honor', 80],
  ['Ignore', 20],
] as const)(
  'a node marked for deletion is tainted: with nodeTaintsPolicy %s all pods of a spread are ready after %d seconds',
  (nodeTaintsPolicy, second) => {
    const labels = { app: 'spread' };
    const topologySpread = [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule' as const,
        labelSelector: { matchLabels: labels },
        nodeTaintsPolicy,
      },
    ];
    const more = { owner: { kind: 'Deployment', name: 'spread' }, more: { labels, topologySpread } };
    const spread = (name: string) => pod(name, { cpu: '100m' }, more);
    const nodes = [
      machine('a', 'm5.xlarge', [], { zone: 'us-east-1a' }),
      machine('b', 'm5.xlarge', [], { zone: 'us-east-1b' }),
      machine('c', 'm5.xlarge', ['p', 'q'].map(spread), { zone: 'us-east-1c' }),
      machine('d', 'm5.xlarge', ['r', 's', 't'].map(spread), { zone: 'us-east-1a' }),
    ];
    const events: ScheduledEvent[] = [
      {
        at: NOW,
        apply: ({ nodes: simulatedNodes }) => {
          simulatedNodes.get('c')!.phase = 'markedForDeletion';
        },
      },
      { at: NOW, apply: (cluster) => cluster.removeNode('d', 'is taken away') },
    ];
    const { timeSeries } = simulateFrom(scenarioStart(clusterOf(nodes)), { scenario: 'taken', events });
    expect(timeSeries.find(({ second: at, readyPods }) => at > 0 && readyPods === 5)?.second).toBe(second);
  },
);

test('the provisioner sees pods on the nodes that Kubernetes has just bound them to, which changes what other pods prefer', () => {
  const term = (topologyKey: string, app: string) => ({ topologyKey, labelSelector: { matchLabels: { app } } });
  const podAntiAffinity = {
    required: [],
    preferred: [
      { weight: 20, term: term('kubernetes.io/hostname', 'kept') },
      { weight: 1, term: term('karpenter.sh/capacity-type', 'web') },
    ],
  };
  const kept = pod('kept', { cpu: '100m' }, { more: { labels: { app: 'kept' } } });
  const apart = pod(
    'apart',
    { cpu: '500m' },
    { owner: { kind: 'Deployment', name: 'apart' }, more: { podAntiAffinity } },
  );
  const web = pod('web', { cpu: '100m' }, { more: { labels: { app: 'web' } } });
  const cluster = clusterOf([machine('a', 'm5.xlarge', [kept]), machine('b', 'm5.large', [apart, web])]);
  const event: ScheduledEvent = { at: NOW, apply: (simulated) => simulated.removeNode('b', 'is taken away') };
  const { timeline } = simulateFrom(scenarioStart(cluster), { scenario: 'taken', events: [event] });
  expect(timeline.filter(({ what }) => what.includes('is launched'))).toEqual([]);
});

test('in a zone outage, pods that a full reservation refuses are scheduled ten seconds later', () => {
  const nodes = [
    machine(
      'a',
      'm5.xlarge',
      ['p', 'q'].map((name) => pod(name, { cpu: '1500m' })),
    ),
  ];
  const pools = [
    anyPool({
      requirements: [ofTypes('m5.large', 'c5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')],
    }),
  ];
  const reservation = {
    id: 'cr-1',
    instanceType: 'm5.large',
    zone: 'us-east-1b',
    type: 'default',
    interruptible: false,
    expiring: false,
    free: 1,
  } as const;
  const cluster = clusterOf(nodes, { pools });
  const nodeClasses = new Map(
    [...cluster.scheduling.nodeClasses].map(([name, facts]) => [name, { ...facts, reservations: [reservation] }]),
  );
  const [report] = runScenario(
    'zone-outage',
    { ...cluster, scheduling: { ...cluster.scheduling, nodeClasses } },
    { start: NOW },
  );
  expect(report.timeline.filter(({ what }) => what.includes('is launched')).map(({ second }) => second)).toEqual([
    350, 360,
  ]);
});

test('in a zone outage, no more nodes are launched at once than the pods need; a pod that prefers another node is scheduled ten seconds later', () => {
  const labels = { app: 'web' };
  const podAntiAffinity = {
    required: [],
    preferred: [
      { weight: 1, term: { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: labels } } },
    ],
  };
  const web = (name: string) => pod(name, { cpu: '1500m' }, { more: { labels, podAntiAffinity } });
  const nodes = [machine('a', 'm5.2xlarge', ['p', 'q', 'r', 's'].map(web))];
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'on-demand')] })];
  const [report] = runScenario('zone-outage', clusterOf(nodes, { pools }), { start: NOW });
  expect(report.timeline.filter(({ what }) => what.includes('is launched')).map(({ second }) => second)).toEqual([
    350, 350, 350, 350, 360,
  ]);
});
