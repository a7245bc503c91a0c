import {
  ClusterNode,
  DisruptionMethod,
  runScenario,
  ScenarioTimes,
  simulationOf,
  timesOf,
} from '../../../../../src/disruption';
import { ScheduledEvent } from '../../../../../src/disruption/scenario/cluster/event-queue';
import { simulateFrom } from '../../../../../src/disruption/scenario/scenario-start';
import { Label } from '../../../../../src/model';
import { isIn, ofTypes, pods as groupOf } from '../../../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../../../builders';
import { scenarioStart } from '../../builders';

const DRIFTED = { createdAt: NOW - 60_000, initializedAt: NOW - 60_000, drifted: { reason: 'AMIDrift', since: NOW } };
const POOLS = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];

/** A node whose pod fits on no other node. */
const full = (name: string) => machine(name, 'm5.large', [pod(`p-${name}`, { cpu: '1500m' })], { claim: DRIFTED });

/** The second of each decision, and the name of its node. */
function decisions(
  nodes: readonly ClusterNode[],
  times: Partial<ScenarioTimes>,
  events: readonly ScheduledEvent[] = [],
) {
  const start = scenarioStart(clusterOf(nodes, { pools: POOLS }), times, 'drift');
  const { timeline } = simulateFrom(start, { scenario: 'drift', events, methods: ['StaticDrift', 'Drift'] });
  return timeline.flatMap(({ second, what }) => {
    const [, name] = /decides to \S+ (\S+)/.exec(what) ?? [];
    return name === undefined ? [] : [[second, name]];
  });
}

describe('a timed pass', () => {
  test('decides on each node after one more simulation', () => {
    expect(decisions([full('a'), full('b'), full('c')], { simulation: 5 })).toEqual([
      [5, 'a'],
      [10, 'b'],
      [15, 'c'],
    ]);
  });

  test('decides on all nodes at once if simulations take no time', () => {
    expect(decisions([full('a'), full('b'), full('c')], { simulation: 0 })).toEqual([
      [0, 'a'],
      [0, 'b'],
      [0, 'c'],
    ]);
  });

  /** A node whose pod no NodePool can schedule. */
  const kept = (name: string) => ({
    ...full(name),
    pods: [pod(`p-${name}`, { cpu: '1500m' }, { more: { nodeSelector: { absent: 'yes' } } })],
  });

  test('needs a simulation for each refused node too, and continues after an event', () => {
    const nothing = { at: NOW + 7_000, apply: () => undefined };
    expect(decisions([kept('a'), kept('b'), full('c')], { simulation: 5, horizon: 30 }, [nothing])[0]).toEqual([
      15,
      'c',
    ]);
  });

  test('sees the current cluster in each simulation', () => {
    const small = machine('b', 'm5.large', [pod('p-b', { cpu: '1' })], { claim: DRIFTED });
    const roomy = machine('roomy', 'm5.large', [], { initialized: false, claim: { createdAt: NOW } });
    const initializes = (second: number): ScheduledEvent => ({
      at: NOW + second * 1_000,
      apply: (cluster) => {
        cluster.nodes.get('roomy')!.node = { ...roomy, initialized: true };
      },
    });
    // No decision may depend on an uninitialized node.
    const decided = (second: number) =>
      decisions([kept('a'), small, roomy], { simulation: 5, horizon: 12 }, [initializes(second)]);
    expect(decided(4)).toEqual([[10, 'b']]);
    expect(decided(6)).toEqual([]);
  });

  test('counts pods that are pending for an uninitialized node, so that a replacement is launched for the remaining pods', () => {
    const coming = machine('coming', 'm5.large', [], { initialized: false, claim: { createdAt: NOW } });
    const small = machine('b', 'm5.large', [pod('p-b', { cpu: '1' })], { claim: DRIFTED });
    const waits: ScheduledEvent = {
      at: NOW,
      apply: (cluster) => cluster.pods.addPending(pod('large', { cpu: '1500m' })),
    };
    expect(decisions([small, coming], { simulation: 5, horizon: 12 })).toEqual([]);
    expect(decisions([small, coming], { simulation: 5, horizon: 12 }, [waits])).toEqual([[5, 'b']]);
  });

  test('skips a node that is removed during its simulation, and waits for the node that is launched for its pod', () => {
    const taken: ScheduledEvent = { at: NOW + 3_000, apply: (cluster) => cluster.removeNode('a', 'is taken away') };
    expect(decisions([full('a'), full('b')], { simulation: 5 }, [taken])).toEqual([[75, 'b']]);
  });
});

test('a change between two polls is noticed at the next poll, ten seconds after the last one', () => {
  const drifts: ScheduledEvent = {
    at: NOW + 13_000,
    apply: (cluster) => {
      const state = cluster.nodes.get('a')!;
      state.node = { ...state.node, claim: DRIFTED };
      cluster.decisionVersion++;
    },
  };
  const fresh = { ...full('a'), claim: { createdAt: NOW - 60_000, initializedAt: NOW - 60_000 } };
  expect(decisions([fresh], { simulation: 0 }, [drifts])).toEqual([[20, 'a']]);
});

describe('the time of a scheduling simulation', () => {
  test.each([
    [3, 0, 0.003],
    [60, 0, 0.06],
    [100, 0, 0.07],
    [200, 0, 0.08],
    [488, 0, 0.109],
    [3, 20, 0.003],
    [100, 80, 0.074],
    [400, 400, 0.18],
  ])('is, with %d nodes and %d pods to schedule, %d seconds', (nodes, pods, seconds) => {
    expect(simulationOf(nodes, pods)).toBe(seconds);
  });

  test('is at most a minute', () => {
    expect(simulationOf(1_000_000, 0)).toBe(60);
    expect(simulationOf(3, 1_000_000)).toBe(1.503);
    expect(simulationOf(300, 1_000_000)).toBe(60);
  });

  test('is the given value, and otherwise estimated during the simulation', () => {
    expect(timesOf('drift', { times: { simulation: 2 } }).simulation).toBe(2);
    expect(timesOf('drift', {}).simulation).toBeUndefined();
    expect(timesOf('drift', { times: { simulation: undefined } }).simulation).toBeUndefined();
  });

  /** The seconds of the decisions while this many pods are pending that fit nowhere. */
  const seconds = (
    nodes: readonly ClusterNode[],
    count: number,
    times: Partial<ScenarioTimes>,
    method: DisruptionMethod = 'Drift',
  ) => {
    const cluster = clusterOf(nodes, { pools: POOLS });
    const scheduling = { ...cluster.scheduling, pods: [groupOf('large', count, { cpu: '1000' })] };
    const { timeline } = simulateFrom(scenarioStart({ ...cluster, scheduling }, times, 'drift'), {
      scenario: 'drift',
      methods: [method],
    });
    return timeline.flatMap(({ second, what }) => (what.includes('decides') ? [second] : []));
  };

  test('increases with the number of pending pods, unless it is given', () => {
    const nodes = [full('a'), full('b')];
    expect(seconds(nodes, 1, { horizon: 20 })).toEqual([0, 0]);
    // After the first decision, two simulations are needed.
    expect(seconds(nodes, 3_000_000, { horizon: 20 })).toEqual([3, 8]);
    expect(seconds(nodes, 3_000_000, { simulation: 1, horizon: 20 })).toEqual([1, 2]);
  });

  test('lets consolidation time out earlier with more pending pods', () => {
    // The last node is tried last, because its pods make it the most costly to disrupt.
    const nodes = [
      ...['a', 'b', 'c', 'd', 'e'].map(full),
      machine(
        'last',
        'm5.large',
        ['p', 'q', 'r'].map((name) => pod(name, { cpu: '200m' })),
      ),
    ];
    const decided = (count: number) => seconds(nodes, count, { horizon: 600 }, 'SingleNodeConsolidation');
    expect(decided(14_000_000)).toEqual([]);
    expect(decided(10_000_000)).toEqual([195]);
  });

  test.each([-1, NaN, 61])('is rejected if it is %d seconds', (simulation) => {
    expect(() => runScenario('drift', clusterOf([full('a')]), { times: { simulation } })).toThrow(
      `times.simulation must be a number of seconds from 0 to 60, got ${simulation}; write for example 0.25`,
    );
  });
});
