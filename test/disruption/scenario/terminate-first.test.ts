import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../../src/catalog';
import { ClusterNode, DisruptionSettings, PodBudget, PoolDisruption, runScenario, ScenarioName, ScenarioReport } from '../../../src/disruption';
import { Label } from '../../../src/model';
import { NodePoolSpec } from '../../../src/scheduling';
import { input, isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, APART, clusterOf, machine, NOW, pod } from '../builders';

const ID = 'cr-1';
const RESERVED: ReservationFacts = { id: ID, instanceType: 'm5.large', zone: 'us-east-1a', type: 'default', interruptible: false, expiring: false, free: 0 };
const OPEN: DisruptionSettings = { nodeRepair: true, terminateFirstDrift: true, terminateFirstRepair: true };
const LABELS = { app: 'web' };

function reserved(name: string, pods = [pod(`web-${name}`, { cpu: '1500m' }, { more: { labels: LABELS } })]): ClusterNode {
  return machine(name, 'm5.large', pods, { capacityType: 'reserved', labels: { [Label.CAPACITY_RESERVATION_ID]: ID } });
}

interface Scene {
  readonly settings?: DisruptionSettings;
  readonly free?: number;
  readonly capacityTypes?: readonly string[];
  readonly pool?: Partial<NodePoolSpec>;
  readonly pdbs?: readonly PodBudget[];
  readonly disruption?: Partial<PoolDisruption>;
}

function play(name: ScenarioName, nodes: readonly ClusterNode[], { settings = OPEN, free = 0, capacityTypes = ['reserved'], pool, ...more }: Scene = {}): ScenarioReport {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, ...capacityTypes)], ...pool })];
  const scheduling = input({ pools, pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations: [{ ...RESERVED, free }] }] });
  return runScenario(name, clusterOf(nodes, { pools, scheduling, settings, ...more }), { start: NOW })[0];
}

const told = ({ timeline }: ScenarioReport) => timeline.filter(({ what }) => !/^(Deployment|StatefulSet)/.test(what)).map(({ second, what }) => [second, what]);

describe('a roll with the gate TerminateFirstDrift', () => {
  test('of nodes in a full reservation drains one, and launches the next into its place once it has gone', () => {
    const report = play('drift', [reserved('a')]);
    expect(told(report)).toEqual([
      [0, 'Drift decides to terminate-first a (no-reserved-capacity)'],
      [0, 'a drains'],
      [10, 'a is gone'],
      [10, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [70, 'default-new-0 is up'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 1 }, seconds: 90 });
    expect(report.workloads[0]).toMatchObject({ lowestReady: 0, evictions: 1 });
  });

  test('goes on to the next node when another has taken the place of the one before', () => {
    const report = play('drift', [reserved('a'), reserved('b')], { disruption: { budgets: [{ nodes: '1' }] } });
    expect(told(report).filter(([, what]) => /decides|launched/.test(String(what)))).toEqual([
      [0, 'Drift decides to terminate-first a (no-reserved-capacity)'],
      [10, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [70, 'Drift decides to terminate-first b (no-reserved-capacity)'],
      [80, 'default-new-1 is launched (m5.large, reserved, us-east-1a)'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 2 } });
  });

  test('launches into the room that a reservation has, and of it no more than that', () => {
    const report = play('drift', [reserved('a'), reserved('b')], { free: 1, disruption: { budgets: [{ nodes: '2' }] } });
    expect(told(report).slice(0, 4)).toEqual([
      [0, 'Drift decides to replace a'],
      [0, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [0, 'Drift decides to terminate-first b (no-reserved-capacity)'],
      [0, 'b drains'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 2 } });
  });

  const apart = () => ['p', 'q'].map((name) => pod(name, { cpu: '1' }, APART));

  test('launches two nodes for one of which a reservation has room, the other as something else', () => {
    const report = play('drift', [reserved('a', apart())], { settings: {}, free: 1, capacityTypes: ['reserved', 'on-demand'] });
    expect(told(report).slice(0, 3)).toEqual([
      [0, 'Drift decides to replace a'],
      [0, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [0, expect.stringMatching(/^default-new-1 is launched \(m5.large, on-demand/)],
    ]);
  });

  test('launches the one node that the reservation has room for, and leaves a node whose pods need two', () => {
    const report = play('drift', [reserved('a', apart())], { settings: {}, free: 1 });
    expect(told(report)).toEqual([
      [0, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [0, 'Drift decides to replace a, and not everything can be launched in its place'],
      [60, 'default-new-0 is up'],
    ]);
    expect(report.stuck).toEqual([expect.objectContaining({ what: 'node a' })]);
  });

  test('is stuck while the gate is closed, and names it', () => {
    const report = play('drift', [reserved('a')], { settings: {} });
    expect(report.stuck).toEqual([{
      what: 'node a',
      why: expect.stringContaining('reserved offering'),
      remedy: 'open the gate, with which the node goes before there is another: settings.featureGates.terminateFirstDrift: true',
    }]);
  });

  test('of a static pool at its limit launches the next node when the one before has gone', () => {
    const pool = { replicas: 1, limits: new Map([['nodes', 1n]]) };
    expect(told(play('drift', [reserved('a')], { pool, capacityTypes: ['on-demand'] }))).toEqual([
      [0, 'StaticDrift decides to terminate-first a (static-at-limit)'],
      [0, 'a drains'],
      [10, 'a is gone'],
      [10, expect.stringMatching(/^default-new-0 is launched \(m5.large, on-demand/)],
      [70, 'default-new-0 is up'],
    ]);
  });

  test('of a static pool at its limit launches the next as soon as the one before may go, where that was empty', () => {
    const pool = { replicas: 1, limits: new Map([['nodes', 1n]]) };
    expect(told(play('drift', [reserved('a', [])], { pool, capacityTypes: ['on-demand'] })).map(([second]) => second)).toEqual([0, 0, 5, 5, 65]);
  });

  test('of a static pool in a full reservation launches the next into its place', () => {
    expect(told(play('drift', [reserved('a')], { pool: { replicas: 1 } }))).toEqual([
      [0, 'StaticDrift decides to terminate-first a (no-reserved-capacity)'],
      [0, 'a drains'],
      [10, 'a is gone'],
      [10, 'default-new-0 is launched (m5.large, reserved, us-east-1a)'],
      [70, 'default-new-0 is up'],
    ]);
  });

  test('of a static pool in a full reservation never comes to a node while the gate is closed, as nothing can be launched for it', () => {
    const report = play('drift', [reserved('a')], { pool: { replicas: 1 }, settings: {} });
    expect(told(report)).toEqual([[0, 'StaticDrift decides to replace a, and nothing can be launched in its place']]);
    expect(report).toMatchObject({ after: { nodes: 1 }, unfinished: false });
    expect(report.stuck).toEqual([{
      what: 'node a',
      why: 'of what its NodePool may launch EC2 has nothing left',
      remedy: expect.stringContaining('settings.featureGates.terminateFirstDrift: true'),
    }]);
  });

  test('of a static pool rolls as many nodes as a reservation has room for, one after the other', () => {
    const report = play('drift', [reserved('a'), reserved('b')], { pool: { replicas: 2 }, settings: {}, free: 1 });
    expect(told(report).filter(([, what]) => /decides/.test(String(what)))).toEqual([
      [0, 'StaticDrift decides to replace a'], [0, 'StaticDrift decides to replace b, and nothing can be launched in its place'], [70, 'StaticDrift decides to replace b'],
    ]);
    expect(report).toMatchObject({ stuck: [], after: { nodes: 2 } });
  });

  test('never ends what a PodDisruptionBudget keeps', () => {
    const pdb: PodBudget = { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 0 };
    const report = play('drift', [reserved('a')], { pdbs: [pdb] });
    expect(report.stuck).toEqual([expect.objectContaining({ what: 'node a', why: expect.stringContaining('PodDisruptionBudget') })]);
    expect(report.after.nodes).toBe(1);
  });
});

/** The next one comes when it is gone, which it is with its node. */
const STATEFUL = pod('db-0', { cpu: '1500m' }, { owner: { kind: 'StatefulSet', name: 'db' } });

describe('node repair with the gate TerminateFirstRepair', () => {
  test('takes the node first that holds the place of a full reservation', () => {
    const report = play('node-repair', [reserved('a', [STATEFUL])]);
    const [decided, drains] = told(report).slice(1);
    expect(decided).toEqual([1800, 'Repair decides to terminate-first a (no-reserved-capacity)']);
    expect(drains).toEqual([1800, 'a drains']);
    expect(report).toMatchObject({ pending: [], after: { nodes: 1 } });
  });

  test('is stuck while the gate is closed, and names it', () => {
    const [stuck] = play('node-repair', [reserved('a', [STATEFUL])], { settings: { nodeRepair: true } }).stuck;
    expect(stuck.remedy).toContain('settings.featureGates.terminateFirstRepair: true');
  });
});
