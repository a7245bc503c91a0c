import { ClusterNode, DisruptionMethod, runScenario, ScenarioTimes, simulationOf, timesOf } from '../../../src/disruption';
import { Disruptor } from '../../../src/disruption/scenario/disruptor';
import { Happening, run } from '../../../src/disruption/scenario/run';
import { base } from '../../../src/disruption/scenario/stage';
import { Label } from '../../../src/model';
import { isIn, ofTypes, pods as groupOf } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../builders';

const DRIFTED = { createdAt: NOW - 60_000, initializedAt: NOW - 60_000, drifted: { reason: 'AMIDrift', since: NOW } };
const POOLS = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];

/** A node that nothing else has room for the pod of. */
const full = (name: string) => machine(name, 'm5.large', [pod(`p-${name}`, { cpu: '1500m' })], { claim: DRIFTED });
const stageOf = (nodes: readonly ClusterNode[], times: Partial<ScenarioTimes>) =>
  ({ cluster: clusterOf(nodes, { pools: POOLS }), start: NOW, times: timesOf('drift', { times }) });

/** When Karpenter decides to replace which node. */
function decisions(nodes: readonly ClusterNode[], times: Partial<ScenarioTimes>, happenings: readonly Happening[] = []) {
  const { timeline } = run({ ...base('drift', stageOf(nodes, times), happenings), disruptor: new Disruptor(NOW, ['StaticDrift', 'Drift']) });
  return timeline.flatMap(({ second, what }) => {
    const [, name] = /decides to \S+ (\S+)/.exec(what) ?? [];
    return name === undefined ? [] : [[second, name]];
  });
}

describe('a roll', () => {
  test('has the first node decided on after one simulation, and the next after another', () => {
    expect(decisions([full('a'), full('b'), full('c')], { simulation: 5 })).toEqual([[5, 'a'], [10, 'b'], [15, 'c']]);
  });

  test('decides on all at once where simulations take no time', () => {
    expect(decisions([full('a'), full('b'), full('c')], { simulation: 0 })).toEqual([[0, 'a'], [0, 'b'], [0, 'c']]);
  });

  /** Nothing can be launched for its pod. */
  const kept = (name: string) => ({ ...full(name), pods: [pod(`p-${name}`, { cpu: '1500m' }, { more: { nodeSelector: { absent: 'yes' } } })] });

  test('takes a simulation for each node that has to stay, too, and goes on from where it was when something happens', () => {
    const nothing = { at: NOW + 7_000, happen: () => undefined };
    expect(decisions([kept('a'), kept('b'), full('c')], { simulation: 5, horizon: 30 }, [nothing])[0]).toEqual([15, 'c']);
  });

  test('sees in each simulation what has happened by then', () => {
    const small = machine('b', 'm5.large', [pod('p-b', { cpu: '1' })], { claim: DRIFTED });
    const roomy = machine('roomy', 'm5.large', [], { initialized: false, claim: { createdAt: NOW } });
    const comesUp = (second: number): Happening => ({
      at: NOW + second * 1_000, happen: (world) => { world.nodes.get('roomy')!.node = { ...roomy, initialized: true }; },
    });
    // No pod is to go to a node that is not up yet.
    const decided = (second: number) => decisions([kept('a'), small, roomy], { simulation: 5, horizon: 12 }, [comesUp(second)]);
    expect(decided(4)).toEqual([[10, 'b']]);
    expect(decided(6)).toEqual([]);
  });

  test('counts pods that wait for a node that is not up yet: what they leave no room for is launched at once', () => {
    const coming = machine('coming', 'm5.large', [], { initialized: false, claim: { createdAt: NOW } });
    const small = machine('b', 'm5.large', [pod('p-b', { cpu: '1' })], { claim: DRIFTED });
    const waits: Happening = { at: NOW, happen: (world) => world.pods.addPending(pod('large', { cpu: '1500m' })) };
    expect(decisions([small, coming], { simulation: 5, horizon: 12 })).toEqual([]);
    expect(decisions([small, coming], { simulation: 5, horizon: 12 }, [waits])).toEqual([[5, 'b']]);
  });

  test('leaves out a node that goes while it is decided on, and waits for the one that is launched for its pod', () => {
    const taken: Happening = { at: NOW + 3_000, happen: (world) => world.remove('a', 'is taken away') };
    expect(decisions([full('a'), full('b')], { simulation: 5 }, [taken])).toEqual([[75, 'b']]);
  });
});

test('what happens between two looks is seen at the next of them: every ten seconds', () => {
  const drifts: Happening = {
    at: NOW + 13_000,
    happen: (world) => {
      const state = world.nodes.get('a')!;
      state.node = { ...state.node, claim: DRIFTED };
      world.version++;
    },
  };
  const fresh = { ...full('a'), claim: { createdAt: NOW - 60_000, initializedAt: NOW - 60_000 } };
  expect(decisions([fresh], { simulation: 0 }, [drifts])).toEqual([[20, 'a']]);
});

describe('the time of a simulation', () => {
  test.each([
    [3, 0, 0.003], [60, 0, 0.06], [100, 0, 0.07], [200, 0, 0.08], [488, 0, 0.109], [3, 20, 0.003], [100, 80, 0.074], [400, 400, 0.18],
  ])('is in a cluster of %d nodes with %d pods on their way %d seconds', (nodes, pods, seconds) => {
    expect(simulationOf(nodes, pods)).toBe(seconds);
  });

  test('is a minute at most', () => {
    expect(simulationOf(1_000_000, 0)).toBe(60);
    expect(simulationOf(3, 1_000_000)).toBe(1.503);
    expect(simulationOf(300, 1_000_000)).toBe(60);
  });

  test('is what is said, and otherwise not known before', () => {
    expect(timesOf('drift', { times: { simulation: 2 } }).simulation).toBe(2);
    expect(timesOf('drift', {}).simulation).toBeUndefined();
    expect(timesOf('drift', { times: { simulation: undefined } }).simulation).toBeUndefined();
  });

  /** When nodes go while so many pods wait that fit nowhere. */
  const seconds = (nodes: readonly ClusterNode[], count: number, times: Partial<ScenarioTimes>, method: DisruptionMethod = 'Drift') => {
    const { cluster, ...stage } = stageOf(nodes, times);
    const scheduling = { ...cluster.scheduling, pods: [groupOf('large', count, { cpu: '1000' })] };
    const { timeline } = run({ ...base('drift', { ...stage, cluster: { ...cluster, scheduling } }), disruptor: new Disruptor(NOW, [method]) });
    return timeline.flatMap(({ second, what }) => what.includes('decides') ? [second] : []);
  };

  test('is longer the more pods wait, unless it is said', () => {
    const nodes = [full('a'), full('b')];
    expect(seconds(nodes, 1, { horizon: 20 })).toEqual([0, 0]);
    // The first goes by the second one, and another comes in its place.
    expect(seconds(nodes, 3_000_000, { horizon: 20 })).toEqual([3, 8]);
    expect(seconds(nodes, 3_000_000, { simulation: 1, horizon: 20 })).toEqual([1, 2]);
  });

  test('has consolidation give up sooner the more pods wait', () => {
    // The last is the one to go: with more pods it is worth less to move them.
    const nodes = [...['a', 'b', 'c', 'd', 'e'].map(full), machine('last', 'm5.large', ['p', 'q', 'r'].map((name) => pod(name, { cpu: '200m' })))];
    const decided = (count: number) => seconds(nodes, count, { horizon: 600 }, 'SingleNodeConsolidation');
    expect(decided(14_000_000)).toEqual([]);
    expect(decided(10_000_000)).toEqual([195]);
  });

  test.each([-1, NaN, 61])('cannot be %d seconds', (simulation) => {
    expect(() => runScenario('drift', clusterOf([full('a')]), { times: { simulation } }))
      .toThrow(`times.simulation: not a number of seconds from 0 to 60, got ${simulation}; write for example 0.25`);
  });
});
