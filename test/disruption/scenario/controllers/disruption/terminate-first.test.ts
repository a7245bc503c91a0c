import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../../../../src/catalog';
import {
  ClusterNode,
  DisruptionSettings,
  PodDisruptionBudget,
  PoolDisruption,
  runScenario,
  ScenarioName,
  ScenarioReport,
} from '../../../../../src/disruption';
import { Label } from '../../../../../src/model';
import { NodePoolSpec } from '../../../../../src/scheduling';
import { input, isIn, ofTypes } from '../../../../scheduling/builders';
import { anyPool, APART, clusterOf, machine, NOW, pod } from '../../../builders';

const ID = 'cr-1';
const RESERVED: ReservationFacts = {
  id: ID,
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  type: 'default',
  interruptible: false,
  expiring: false,
  free: 0,
};
const OPEN: DisruptionSettings = { nodeRepair: true, terminateFirstDrift: true, terminateFirstRepair: true };
const LABELS = { app: 'web' };

function reserved(
  name: string,
  pods = [pod(`web-${name}`, { cpu: '1500m' }, { more: { labels: LABELS } })],
): ClusterNode {
  return machine(name, 'm5.large', pods, { capacityType: 'reserved', labels: { [Label.CAPACITY_RESERVATION_ID]: ID } });
}

interface Setup {
  readonly settings?: DisruptionSettings;
  readonly free?: number;
  readonly capacityTypes?: readonly string[];
  readonly pool?: Partial<NodePoolSpec>;
  readonly pdbs?: readonly PodDisruptionBudget[];
  readonly disruption?: Partial<PoolDisruption>;
}

function simulated(
  name: ScenarioName,
  nodes: readonly ClusterNode[],
  { settings = OPEN, free = 0, capacityTypes = ['reserved'], pool, ...more }: Setup = {},
): ScenarioReport {
  const pools = [
    anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, ...capacityTypes)], ...pool }),
  ];
  const scheduling = input({
    pools,
    pods: [],
    nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations: [{ ...RESERVED, free }] }],
  });
  return runScenario(name, clusterOf(nodes, { pools, scheduling, settings, ...more }), { start: NOW })[0];
}

const events = ({ timeline }: ScenarioReport) =>
  timeline.filter(({ what }) => !/^(Deployment|StatefulSet)/.test(what)).map(({ second, what }) => [second, what]);

describe('drift with the feature gate TerminateFirstDrift', () => {
  test('drains a node of a full reservation, and launches its replacement after the node is removed', () => {
    const report = simulated('drift', [reserved('a')]);
    expect(events(report)).toEqual([
      [0, 'Drift decides to terminate-first a (no-reserved-capacity)'],
      [0, 'a drains'],
      [10, 'a is terminated'],
      [10, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [70, 'default-new-0 is up'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 1 }, seconds: 90 });
    expect(report.workloads[0]).toMatchObject({ lowestReady: 0, evictions: 1 });
  });

  test('continues with the next node when the replacement is initialized', () => {
    const report = simulated('drift', [reserved('a'), reserved('b')], { disruption: { budgets: [{ nodes: '1' }] } });
    expect(events(report).filter(([, what]) => /decides|launched/.test(String(what)))).toEqual([
      [0, 'Drift decides to terminate-first a (no-reserved-capacity)'],
      [10, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [70, 'Drift decides to terminate-first b (no-reserved-capacity)'],
      [80, 'default-new-1 is launched (m5.large, reserved, us-east-1a)'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 2 } });
  });

  test('launches replacements first while the reservation has room', () => {
    const report = simulated('drift', [reserved('a'), reserved('b')], {
      free: 1,
      disruption: { budgets: [{ nodes: '2' }] },
    });
    expect(events(report).slice(0, 4)).toEqual([
      [0, 'Drift decides to replace a'],
      [0, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [0, 'Drift decides to terminate-first b (no-reserved-capacity)'],
      [0, 'b drains'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 2 } });
  });

  const apart = () => ['p', 'q'].map((name) => pod(name, { cpu: '1' }, APART));

  test('launches one replacement in the reservation and one on demand, if the reservation has room for one', () => {
    const report = simulated('drift', [reserved('a', apart())], {
      settings: {},
      free: 1,
      capacityTypes: ['reserved', 'on-demand'],
    });
    expect(events(report).slice(0, 3)).toEqual([
      [0, 'Drift decides to replace a'],
      [0, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [0, expect.stringMatching(/^default-new-1 is launched \(m5.large, on-demand/)],
    ]);
  });

  test('keeps a node whose pods need two replacements, if only one can be launched', () => {
    const report = simulated('drift', [reserved('a', apart())], { settings: {}, free: 1 });
    expect(events(report)).toEqual([
      [0, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [0, 'Drift decides to replace a, and not everything can be launched in its place'],
      [60, 'default-new-0 is up'],
    ]);
    expect(report.stuck).toEqual([expect.objectContaining({ what: 'node a' })]);
  });

  test('reports a stuck node and the gate if the gate is closed', () => {
    const report = simulated('drift', [reserved('a')], { settings: {} });
    expect(report.stuck).toEqual([
      {
        what: 'node a',
        why: expect.stringContaining('reserved offering'),
        remedy:
          'set settings.featureGates.terminateFirstDrift: true, which terminates the node before its replacement is launched',
      },
    ]);
  });

  test('launches the replacement of a static pool at its limit after the node is removed', () => {
    const pool = { replicas: 1, limits: new Map([['nodes', 1n]]) };
    expect(events(simulated('drift', [reserved('a')], { pool, capacityTypes: ['on-demand'] }))).toEqual([
      [0, 'StaticDrift decides to terminate-first a (static-at-limit)'],
      [0, 'a drains'],
      [10, 'a is terminated'],
      [10, expect.stringMatching(/^default-new-0 is launched \(m5.large, on-demand/)],
      [70, 'default-new-0 is up'],
    ]);
  });

  test('launches the replacement of an empty static node as soon as that is removed', () => {
    const pool = { replicas: 1, limits: new Map([['nodes', 1n]]) };
    expect(
      events(simulated('drift', [reserved('a', [])], { pool, capacityTypes: ['on-demand'] })).map(([second]) => second),
    ).toEqual([0, 0, 5, 5, 65]);
  });

  test('launches the replacement of a static pool in a full reservation after the node is removed', () => {
    expect(events(simulated('drift', [reserved('a')], { pool: { replicas: 1 } }))).toEqual([
      [0, 'StaticDrift decides to terminate-first a (no-reserved-capacity)'],
      [0, 'a drains'],
      [10, 'a is terminated'],
      [10, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [70, 'default-new-0 is up'],
    ]);
  });

  test('keeps the node of a static pool in a full reservation if the gate is closed', () => {
    const report = simulated('drift', [reserved('a')], { pool: { replicas: 1 }, settings: {} });
    expect(events(report)).toEqual([[0, 'StaticDrift decides to replace a, and nothing can be launched in its place']]);
    expect(report).toMatchObject({ after: { nodes: 1 }, unfinished: false });
    expect(report.stuck).toEqual([
      {
        what: 'node a',
        why: 'EC2 has no capacity for any instance type that its NodePool allows',
        remedy: expect.stringContaining('settings.featureGates.terminateFirstDrift: true'),
      },
    ]);
  });

  test('replaces static nodes one after the other if the reservation has room for one', () => {
    const report = simulated('drift', [reserved('a'), reserved('b')], { pool: { replicas: 2 }, settings: {}, free: 1 });
    expect(events(report).filter(([, what]) => /decides/.test(String(what)))).toEqual([
      [0, 'StaticDrift decides to replace a'],
      [0, 'StaticDrift decides to replace b, and nothing can be launched in its place'],
      [70, 'StaticDrift decides to replace b'],
    ]);
    expect(report).toMatchObject({ stuck: [], after: { nodes: 2 } });
  });

  test('does not override a PodDisruptionBudget', () => {
    const pdb: PodDisruptionBudget = {
      namespace: 'default',
      name: 'web',
      selector: { matchLabels: LABELS },
      maxUnavailable: 0,
    };
    const report = simulated('drift', [reserved('a')], { pdbs: [pdb] });
    expect(report.stuck).toEqual([
      expect.objectContaining({ what: 'node a', why: expect.stringContaining('PodDisruptionBudget') }),
    ]);
    expect(report.after.nodes).toBe(1);
  });
});

/** Its replacement is created when it is deleted, which happens with its node. */
const STATEFUL = pod('db-0', { cpu: '1500m' }, { owner: { kind: 'StatefulSet', name: 'db' } });

describe('node repair with the feature gate TerminateFirstRepair', () => {
  test('terminates a node of a full reservation first', () => {
    const report = simulated('node-repair', [reserved('a', [STATEFUL])]);
    const [decided, drains] = events(report).slice(1);
    expect(decided).toEqual([1800, 'Repair decides to terminate-first a (no-reserved-capacity)']);
    expect(drains).toEqual([1800, 'a drains']);
    expect(report).toMatchObject({ pending: [], after: { nodes: 1 } });
  });

  test('reports a stuck node and the gate if the gate is closed', () => {
    const [stuck] = simulated('node-repair', [reserved('a', [STATEFUL])], { settings: { nodeRepair: true } }).stuck;
    expect(stuck.remedy).toContain('settings.featureGates.terminateFirstRepair: true');
  });
});
