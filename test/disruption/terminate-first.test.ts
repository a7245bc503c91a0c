import { anyPool, APART, clusterOf, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from './builders';
import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../src/catalog';
import { Cluster, ClusterNode, Command, disruptionPass, DisruptionSettings, PoolDisruption } from '../../src/disruption';
import { Label } from '../../src/model';
import { NodePoolSpec } from '../../src/scheduling';
import { input, isIn, ofTypes } from '../scheduling/builders';

const ID = 'cr-1';
const RESERVED: ReservationFacts = { id: ID, instanceType: 'm5.large', zone: 'us-east-1a', type: 'default', interruptible: false, expiring: false, free: 0 };
const DRIFTED = { reason: 'AMIDrift', since: NOW - MINUTE };
const FAULT = { since: NOW - 60 * MINUTE, tolerated: 30 * MINUTE, drainBound: 10 * MINUTE };
const OPEN: DisruptionSettings = { nodeRepair: true, terminateFirstDrift: true, terminateFirstRepair: true };

interface Scene {
  readonly settings?: DisruptionSettings;
  readonly reservations?: readonly ReservationFacts[];
  readonly capacityTypes?: readonly string[];
  readonly pool?: Partial<NodePoolSpec>;
  readonly others?: readonly NodePoolSpec[];
  readonly disruption?: Partial<PoolDisruption>;
}

/** In the reservation unless its labels say otherwise, and full with one pod. */
function node(name: string, more: NodeMore = {}, pods = [pod(`web-${name}`, { cpu: '1500m' })]): ClusterNode {
  const found = machine(name, 'm5.large', pods, { capacityType: 'reserved', ...more, labels: { [Label.CAPACITY_RESERVATION_ID]: ID, ...more.labels } });
  return { ...found, claim: { ...found.claim!, drifted: DRIFTED } };
}

function scene(nodes: readonly ClusterNode[], { settings = OPEN, reservations = [RESERVED], capacityTypes = ['reserved'], pool, others = [], disruption }: Scene = {}): Cluster {
  const own = anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, ...capacityTypes)], ...pool });
  const pools = [own, ...others];
  const scheduling = input({ pools, pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }] });
  return clusterOf(nodes, { pools, scheduling, settings, disruption: { consolidateAfter: undefined, ...disruption } });
}

/** A node for each. */
const podApart = (nodeSelector: Readonly<Record<string, string>> = {}) => ({ more: { ...APART.more, nodeSelector } });

const FIRST = ['Drift', 'terminate-first', 'no-reserved-capacity', 'a', 0];
const brief = ({ method, decision, terminateFirst, candidates, replacements }: Command) =>
  [method, decision, terminateFirst, candidates.map(({ node: { name } }) => name).join(), replacements.length];

function decided(nodes: readonly ClusterNode[], more: Scene = {}) {
  const { commands, refusals } = disruptionPass(scene(nodes, more), NOW, ['StaticDrift', 'Drift']);
  return { commands: commands.map(brief), why: refusals.map(({ why }) => why) };
}

describe('drift with the gate TerminateFirstDrift', () => {
  test('takes a node first that holds what its pods need of a full reservation', () => {
    expect(decided([node('a')]).commands).toEqual([FIRST]);
  });

  test('leaves it while the gate is closed', () => {
    const { commands, why } = decided([node('a')], { settings: {} });
    expect(commands).toEqual([]);
    expect(why).toEqual([expect.stringMatching(/^not all pods would schedule, default\/web-a => /)]);
  });

  test('launches another before it where there is room in the reservation, or anything else to launch', () => {
    const replaced = [['Drift', 'replace', undefined, 'a', 1]];
    expect(decided([node('a')], { reservations: [{ ...RESERVED, free: 1 }] }).commands).toEqual(replaced);
    expect(decided([node('a')], { capacityTypes: ['reserved', 'on-demand'] }).commands).toEqual(replaced);
    expect(decided([node('a')], { others: [anyPool({ name: 'other' })] }).commands).toEqual(replaced);
  });

  test('leaves a node that holds none of the reservation, as nothing is won by its end', () => {
    expect(decided([node('a', { capacityType: 'on-demand', labels: { [Label.CAPACITY_RESERVATION_ID]: '' } })]).commands).toEqual([]);
    expect(decided([node('a', { labels: { [Label.CAPACITY_RESERVATION_ID]: 'cr-other' } })]).commands).toEqual([]);
  });

  test('leaves a node whose pods need more than the one place that it leaves', () => {
    expect(decided([node('a', {}, [pod('p', undefined, podApart()), pod('q', undefined, podApart())])]).commands).toEqual([]);
  });

  test('leaves a node of a reservation that EC2 is about to take back', () => {
    expect(decided([node('a')], { reservations: [{ ...RESERVED, expiring: true }] }).commands).toEqual([]);
  });

  test('leaves a node where another pod would wait for its place as well, as provisioning puts none elsewhere meanwhile', () => {
    const others = [anyPool({ name: 'other' })];
    const pinned = pod('pinned', { cpu: '1500m' }, podApart({ [Label.CAPACITY_RESERVATION_ID]: ID }));
    expect(decided([node('a', {}, [pinned])], { others, pool: { weight: 10 } }).commands).toEqual([FIRST]);
    expect(decided([node('a', {}, [pinned, pod('open', { cpu: '1' }, podApart())])], { others, pool: { weight: 10 } }).commands).toEqual([]);
    expect(decided([node('a', {}, [pinned, pod('open', { cpu: '1' }, podApart())])], { others, pool: { weight: -1 } }).commands).toEqual([FIRST]);
  });

  test('says of a node that its pods have no place, foreseen or not, where they have none after its end either', () => {
    const coming = machine('new', 'm5.2xlarge', [], { initialized: false, claim: { createdAt: NOW } });
    const { commands, why } = decided([node('a'), node('b'), coming], { settings: OPEN, reservations: [{ ...RESERVED, expiring: true }] });
    expect(commands).toEqual([]);
    expect(why.filter((each) => each.includes('would schedule against uninitialized node/new'))).toHaveLength(2);
  });
});

describe('drift of a static pool with the gate TerminateFirstDrift', () => {
  const fixed = (replicas: number, limit?: bigint) => ({ replicas, limits: new Map(limit === undefined ? [] : [['nodes', limit]]) });
  const first = (name: string, reason: string) => ['StaticDrift', 'terminate-first', reason, name, 0];

  test('takes as many nodes first at the limit on nodes as budgets allow', () => {
    const more = { pool: fixed(3, 3n), capacityTypes: ['on-demand'], disruption: { budgets: [{ nodes: '2' }] } };
    expect(decided([node('a'), node('b'), node('c')], more).commands).toEqual([first('a', 'static-at-limit'), first('b', 'static-at-limit')]);
  });

  test('leaves them at the limit while the gate is closed', () => {
    expect(decided([node('a')], { pool: fixed(1, 1n), capacityTypes: ['on-demand'], settings: {} })).toEqual({
      commands: [], why: ['static NodePool is at its node limit and cannot stage a replacement'],
    });
  });

  test('launches another before where the limit leaves room', () => {
    expect(decided([node('a')], { pool: fixed(1, 2n), capacityTypes: ['on-demand'] }).commands).toEqual([['StaticDrift', 'replace', undefined, 'a', 1]]);
  });

  test('takes those first that hold a full reservation, and leaves the others', () => {
    const { commands, why } = decided([node('a', { capacityType: 'on-demand' }), node('b')], { pool: fixed(2) });
    expect(commands).toEqual([first('b', 'no-reserved-capacity')]);
    expect(why).toEqual(["static NodePool's capacity reservations are full and cannot stage a replacement"]);
  });

  test('counts those that hold a reservation first where budgets let few go', () => {
    const { commands, why } = decided([node('a', { capacityType: 'on-demand' }), node('b')], { pool: fixed(2), disruption: { budgets: [{ nodes: '1' }] } });
    expect(commands).toEqual([first('b', 'no-reserved-capacity')]);
    expect(why).toEqual(['the disruption budgets of NodePool "default" allow no more at this time']);
  });

  test('launches another before where one of its reservations has room, or it may have something else, available or not', () => {
    const replaced = [['StaticDrift', 'replace', undefined, 'a', 1]];
    const roomy = [RESERVED, { ...RESERVED, id: 'cr-2', zone: 'us-east-1b', free: 1 }];
    expect(decided([node('a')], { pool: fixed(1), reservations: roomy }).commands).toEqual(replaced);
    expect(decided([node('a')], { pool: fixed(1), capacityTypes: ['reserved', 'spot'] }).commands).toEqual(replaced);
  });

  test('leaves nodes of a reservation that is there no more', () => {
    const { commands, why } = decided([node('a')], { pool: fixed(1), reservations: [{ ...RESERVED, expiring: true }] });
    expect(commands).toEqual([]);
    expect(why).toEqual(["static NodePool's capacity reservations are full and cannot stage a replacement"]);
  });
});

describe('repair with the gate TerminateFirstRepair', () => {
  const sick = (name: string, pods?: ClusterNode['pods']) => ({ ...node(name, {}, pods && [...pods]), faults: [FAULT] });
  function repaired(nodes: readonly ClusterNode[], more: Scene = {}) {
    const { commands, refusals } = disruptionPass(scene(nodes, more), NOW, ['Repair']);
    return { commands: commands.map(brief), why: refusals.map(({ why }) => why), bound: commands[0]?.drainBound };
  }
  const goesFirst = [['Repair', 'terminate-first', 'no-reserved-capacity', 'a', 0]];

  test('takes a node first that holds what its pods need of a full reservation, within the time that repair gives it', () => {
    expect(repaired([sick('a')])).toEqual({ commands: goesFirst, why: [], bound: 10 * MINUTE });
  });

  test('leaves it while the gate is closed, whatever that of drift is', () => {
    expect(repaired([sick('a')], { settings: { nodeRepair: true, terminateFirstDrift: true } }).commands).toEqual([]);
  });

  test('looks after pods that nothing can evict', () => {
    const kept = pod('kept', { cpu: '1500m' }, { annotations: PROTECTED });
    expect(repaired([sick('a', [kept])]).commands).toEqual(goesFirst);
    const unplaceable = pod('kept', { cpu: '1500m' }, { annotations: PROTECTED, more: { nodeSelector: { 'no-such': 'label' } } });
    expect(repaired([sick('a', [unplaceable])]).commands).toEqual([]);
  });

  test('takes a node of a static pool first at its limit on nodes, or where its reservations are full', () => {
    const limits = new Map([['nodes', 1n]]);
    expect(repaired([sick('a')], { pool: { replicas: 1, limits }, capacityTypes: ['on-demand'] }).commands).toEqual([['Repair', 'terminate-first', 'static-at-limit', 'a', 0]]);
    expect(repaired([sick('a')], { pool: { replicas: 1 } }).commands).toEqual(goesFirst);
  });

  test('leaves a node of a static pool that holds none of its full reservations', () => {
    const other = { ...sick('a'), labels: { ...node('a').labels, [Label.CAPACITY_TYPE]: 'on-demand' } };
    expect(repaired([other], { pool: { replicas: 1 } })).toMatchObject({
      commands: [], why: ["static NodePool's capacity reservations are full and cannot stage a replacement"],
    });
  });
});
