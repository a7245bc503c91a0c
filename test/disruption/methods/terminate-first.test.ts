import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../../src/catalog';
import {
  Cluster,
  ClusterNode,
  Command,
  disruptionPass,
  DisruptionSettings,
  PoolDisruption,
} from '../../../src/disruption';
import { Label } from '../../../src/model';
import { NodePoolSpec } from '../../../src/scheduling';
import { input, isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, APART, clusterOf, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from '../builders';

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
const DRIFTED = { reason: 'AMIDrift', since: NOW - MINUTE };
const FAULT = { since: NOW - 60 * MINUTE, tolerationDuration: 30 * MINUTE, drainBound: 10 * MINUTE };
const OPEN: DisruptionSettings = { nodeRepair: true, terminateFirstDrift: true, terminateFirstRepair: true };

interface ClusterOptions {
  readonly settings?: DisruptionSettings;
  readonly reservations?: readonly ReservationFacts[];
  readonly capacityTypes?: readonly string[];
  readonly pool?: Partial<NodePoolSpec>;
  readonly others?: readonly NodePoolSpec[];
  readonly disruption?: Partial<PoolDisruption>;
}

/** A drifted node in the capacity reservation, full with one pod. */
function node(name: string, more: NodeMore = {}, pods = [pod(`web-${name}`, { cpu: '1500m' })]): ClusterNode {
  const base = machine(name, 'm5.large', pods, {
    capacityType: 'reserved',
    ...more,
    labels: { [Label.CAPACITY_RESERVATION_ID]: ID, ...more.labels },
  });
  return { ...base, claim: { ...base.claim!, drifted: DRIFTED } };
}

function clusterWith(
  nodes: readonly ClusterNode[],
  {
    settings = OPEN,
    reservations = [RESERVED],
    capacityTypes = ['reserved'],
    pool,
    others = [],
    disruption,
  }: ClusterOptions = {},
): Cluster {
  const mainPool = anyPool({
    requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, ...capacityTypes)],
    ...pool,
  });
  const pools = [mainPool, ...others];
  const scheduling = input({ pools, pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }] });
  return clusterOf(nodes, { pools, scheduling, settings, disruption: { consolidateAfter: undefined, ...disruption } });
}

/** Pods that need a node each. */
const podApart = (nodeSelector: Readonly<Record<string, string>> = {}) => ({ more: { ...APART.more, nodeSelector } });

const FIRST = ['Drift', 'terminate-first', 'no-reserved-capacity', 'a', 0];
const summary = ({ method, decision, terminateFirst, candidates, replacements }: Command) => [
  method,
  decision,
  terminateFirst,
  candidates.map(({ node: { name } }) => name).join(),
  replacements.length,
];

function decided(nodes: readonly ClusterNode[], more: ClusterOptions = {}) {
  const { commands, refusals } = disruptionPass(clusterWith(nodes, more), NOW, ['StaticDrift', 'Drift']);
  return { commands: commands.map(summary), why: refusals.map(({ why }) => why) };
}

describe('drift with the feature gate TerminateFirstDrift', () => {
  test('terminates a node first that holds the place its pods need in a full reservation', () => {
    expect(decided([node('a')]).commands).toEqual([FIRST]);
  });

  test('keeps the node without the feature gate', () => {
    const { commands, why } = decided([node('a')], { settings: {} });
    expect(commands).toEqual([]);
    expect(why).toEqual([expect.stringMatching(/^not all pods would schedule, default\/web-a => /)]);
  });

  test('launches the replacement first if the reservation has room, or other capacity is allowed', () => {
    const replaced = [['Drift', 'replace', undefined, 'a', 1]];
    expect(decided([node('a')], { reservations: [{ ...RESERVED, free: 1 }] }).commands).toEqual(replaced);
    expect(decided([node('a')], { capacityTypes: ['reserved', 'on-demand'] }).commands).toEqual(replaced);
    expect(decided([node('a')], { others: [anyPool({ name: 'other' })] }).commands).toEqual(replaced);
  });

  test('keeps a node outside the reservation, because its termination frees no place in it', () => {
    expect(
      decided([node('a', { capacityType: 'on-demand', labels: { [Label.CAPACITY_RESERVATION_ID]: '' } })]).commands,
    ).toEqual([]);
    expect(decided([node('a', { labels: { [Label.CAPACITY_RESERVATION_ID]: 'cr-other' } })]).commands).toEqual([]);
  });

  test('keeps a node whose pods need more than the place that it frees', () => {
    expect(
      decided([node('a', {}, [pod('p', undefined, podApart()), pod('q', undefined, podApart())])]).commands,
    ).toEqual([]);
  });

  test('keeps a node in an expiring reservation', () => {
    expect(decided([node('a')], { reservations: [{ ...RESERVED, expiring: true }] }).commands).toEqual([]);
  });

  test('keeps a node if another pod would also wait for its place, because provisioning does not fall back to other capacity', () => {
    const others = [anyPool({ name: 'other' })];
    const pinned = pod('pinned', { cpu: '1500m' }, podApart({ [Label.CAPACITY_RESERVATION_ID]: ID }));
    expect(decided([node('a', {}, [pinned])], { others, pool: { weight: 10 } }).commands).toEqual([FIRST]);
    expect(
      decided([node('a', {}, [pinned, pod('open', { cpu: '1' }, podApart())])], { others, pool: { weight: 10 } })
        .commands,
    ).toEqual([]);
    expect(
      decided([node('a', {}, [pinned, pod('open', { cpu: '1' }, podApart())])], { others, pool: { weight: -1 } })
        .commands,
    ).toEqual([FIRST]);
  });

  test('reports why the pods of nodes cannot be scheduled, also if UnreadyNodeFilter has rejected the nodes', () => {
    const uninitialized = machine('new', 'm5.2xlarge', [], { initialized: false, claim: { createdAt: NOW } });
    const { commands, why } = decided([node('a'), node('b'), uninitialized], {
      settings: OPEN,
      reservations: [{ ...RESERVED, expiring: true }],
    });
    expect(commands).toEqual([]);
    expect(why.filter((reason) => reason.includes('would schedule against uninitialized node/new'))).toHaveLength(2);
  });
});

describe('static drift with the feature gate TerminateFirstDrift', () => {
  const fixed = (replicas: number, limit?: bigint) => ({
    replicas,
    limits: new Map(limit === undefined ? [] : [['nodes', limit]]),
  });
  const first = (name: string, reason: string) => ['StaticDrift', 'terminate-first', reason, name, 0];

  test('terminates as many nodes first as the budgets allow, at the node limit', () => {
    const more = { pool: fixed(3, 3n), capacityTypes: ['on-demand'], disruption: { budgets: [{ nodes: '2' }] } };
    expect(decided([node('a'), node('b'), node('c')], more).commands).toEqual([
      first('a', 'static-at-limit'),
      first('b', 'static-at-limit'),
    ]);
  });

  test('keeps nodes at the node limit without the feature gate', () => {
    expect(decided([node('a')], { pool: fixed(1, 1n), capacityTypes: ['on-demand'], settings: {} })).toEqual({
      commands: [],
      why: ['static NodePool is at its node limit and cannot stage a replacement'],
    });
  });

  test('launches the replacement first below the node limit', () => {
    expect(decided([node('a')], { pool: fixed(1, 2n), capacityTypes: ['on-demand'] }).commands).toEqual([
      ['StaticDrift', 'replace', undefined, 'a', 1],
    ]);
  });

  test('terminates nodes first that hold a full reservation, and keeps the others', () => {
    const { commands, why } = decided([node('a', { capacityType: 'on-demand' }), node('b')], { pool: fixed(2) });
    expect(commands).toEqual([first('b', 'no-reserved-capacity')]);
    expect(why).toEqual(["static NodePool's capacity reservations are full and cannot stage a replacement"]);
  });

  test('spends the budget on nodes that hold a reservation', () => {
    const { commands, why } = decided([node('a', { capacityType: 'on-demand' }), node('b')], {
      pool: fixed(2),
      disruption: { budgets: [{ nodes: '1' }] },
    });
    expect(commands).toEqual([first('b', 'no-reserved-capacity')]);
    expect(why).toEqual(['the disruption budgets of NodePool "default" allow no more at this time']);
  });

  test('launches the replacement first if a reservation has room, or other capacity is allowed, even if it is unavailable', () => {
    const replaced = [['StaticDrift', 'replace', undefined, 'a', 1]];
    const roomy = [RESERVED, { ...RESERVED, id: 'cr-2', zone: 'us-east-1b', free: 1 }];
    expect(decided([node('a')], { pool: fixed(1), reservations: roomy }).commands).toEqual(replaced);
    expect(decided([node('a')], { pool: fixed(1), capacityTypes: ['reserved', 'spot'] }).commands).toEqual(replaced);
  });

  test('keeps nodes in a reservation that has expired', () => {
    const { commands, why } = decided([node('a')], { pool: fixed(1), reservations: [{ ...RESERVED, expiring: true }] });
    expect(commands).toEqual([]);
    expect(why).toEqual(["static NodePool's capacity reservations are full and cannot stage a replacement"]);
  });
});

describe('repair with the feature gate TerminateFirstRepair', () => {
  const unhealthy = (name: string, pods?: ClusterNode['pods']) => ({
    ...node(name, {}, pods && [...pods]),
    faults: [FAULT],
  });
  function repaired(nodes: readonly ClusterNode[], more: ClusterOptions = {}) {
    const { commands, refusals } = disruptionPass(clusterWith(nodes, more), NOW, ['Repair']);
    return { commands: commands.map(summary), why: refusals.map(({ why }) => why), bound: commands[0]?.drainBound };
  }
  const terminatesFirst = [['Repair', 'terminate-first', 'no-reserved-capacity', 'a', 0]];

  test('terminates a node first that holds the place its pods need in a full reservation, within the drain bound', () => {
    expect(repaired([unhealthy('a')])).toEqual({ commands: terminatesFirst, why: [], bound: 10 * MINUTE });
  });

  test('keeps the node without the feature gate, even with that of drift', () => {
    expect(repaired([unhealthy('a')], { settings: { nodeRepair: true, terminateFirstDrift: true } }).commands).toEqual(
      [],
    );
  });

  test('schedules pods that can never be evicted too', () => {
    const kept = pod('kept', { cpu: '1500m' }, { annotations: PROTECTED });
    expect(repaired([unhealthy('a', [kept])]).commands).toEqual(terminatesFirst);
    const unplaceable = pod(
      'kept',
      { cpu: '1500m' },
      { annotations: PROTECTED, more: { nodeSelector: { 'no-such': 'label' } } },
    );
    expect(repaired([unhealthy('a', [unplaceable])]).commands).toEqual([]);
  });

  test('terminates a node of a static pool first at the node limit, or if its reservations are full', () => {
    const limits = new Map([['nodes', 1n]]);
    expect(
      repaired([unhealthy('a')], { pool: { replicas: 1, limits }, capacityTypes: ['on-demand'] }).commands,
    ).toEqual([['Repair', 'terminate-first', 'static-at-limit', 'a', 0]]);
    expect(repaired([unhealthy('a')], { pool: { replicas: 1 } }).commands).toEqual(terminatesFirst);
  });

  test('keeps a node of a static pool that holds none of the full reservations', () => {
    const other = { ...unhealthy('a'), labels: { ...node('a').labels, [Label.CAPACITY_TYPE]: 'on-demand' } };
    expect(repaired([other], { pool: { replicas: 1 } })).toMatchObject({
      commands: [],
      why: ["static NodePool's capacity reservations are full and cannot stage a replacement"],
    });
  });
});
