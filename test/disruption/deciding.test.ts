import { anyPool, clusterOf, machine, NOW, pod } from './builders';
import { ClusterNode } from '../../src/disruption';
import { findCandidates, Scene, sceneOf, stillThere } from '../../src/disruption/candidates';
import { Outcome } from '../../src/disruption/command';
import { Deciding, View } from '../../src/disruption/deciding';
import { multiNodeConsolidation } from '../../src/disruption/multi-node';
import { singleNodeConsolidation } from '../../src/disruption/single-node';
import { Label } from '../../src/model';
import { isIn, ofTypes } from '../scheduling/builders';

const POOL = anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] });

/** What a method comes to where each of its simulations takes so many seconds, and what it then sees. */
function inTime(
  method: (view: View) => Deciding<Outcome>, scene: Scene, seconds: number, change: (scene: Scene, simulation: number) => Scene = (same) => same,
) {
  const view = { scene, now: scene.now, ahead: 1 };
  const deciding = method(view);
  for (let simulations = 0; ; simulations++) {
    const step = deciding.next();
    if (step.done) return { ...step.value, simulations };
    view.now += seconds * 1_000;
    view.scene = change(view.scene, simulations + 1);
  }
}

const full = (name: string) => machine(name, 'm5.large', [pod(`p-${name}`, { cpu: '1500m' })]);
const sceneWith = (nodes: readonly ClusterNode[]) => sceneOf(clusterOf(nodes, { pools: [POOL] }), NOW);

describe('consolidation of one node', () => {
  const scene = sceneWith(['a', 'b', 'c', 'd', 'e', 'f'].map(full));

  test('tries every node where three minutes are enough', () => {
    expect(inTime(singleNodeConsolidation, scene, 20)).toMatchObject({ commands: [], simulations: 6 });
  });

  test('gives up after three minutes, whatever nodes are left', () => {
    const { commands, refusals, simulations } = inTime(singleNodeConsolidation, scene, 60);
    expect({ commands, simulations }).toEqual({ commands: [], simulations: 4 });
    expect(refusals.map(({ nodes: [name] }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('sees what has become of the cluster meanwhile', () => {
    const roomy = machine('roomy', 'm5.large', [], { initialized: false });
    const withRoom = (before: Scene, simulation: number) => simulation < 2 ? before : sceneWith([...before.cluster.nodes, roomy].slice(0, 7)
      .map((node) => node.name === 'roomy' ? { ...node, initialized: true } : node));
    const { commands } = inTime(singleNodeConsolidation, scene, 1, withRoom);
    expect(commands.map(({ decision, candidates: [{ node: { name } }] }) => [decision, name])).toEqual([['delete', 'c']]);
  });

  test('passes over nodes that go or have gone by their turn', () => {
    const without = (before: Scene) => sceneWith(before.cluster.nodes.flatMap((node) => node.name === 'b' ? [] : [node.name === 'c' ? { ...node, deleting: true } : node]));
    const { refusals } = inTime(singleNodeConsolidation, scene, 1, without);
    expect(refusals.map(({ nodes: [name] }) => name)).toEqual(['a', 'd', 'e', 'f']);
  });
});

describe('consolidation of several nodes', () => {
  const light = (at: number) => machine(`n${at}`, 'm5.large', [pod(`p-${at}`, { cpu: '10m' })]);
  const scene = sceneWith([...Array.from({ length: 8 }, (_, at) => light(at)), machine('roomy', 'm5.large', [pod('kept', undefined, { daemon: false, owner: undefined })])]);
  const together = (seconds: number) => inTime(multiNodeConsolidation, scene, seconds).commands.map(({ candidates }) => candidates.length);

  test('makes do with what it has found within a minute', () => {
    expect([together(20), together(40), together(61)]).toEqual([[8], [5], []]);
  });

  test('refuses nodes together where one of them has gone meanwhile', () => {
    const without = (before: Scene) => sceneWith(before.cluster.nodes.filter(({ name }) => name !== 'n0'));
    const { commands } = inTime(multiNodeConsolidation, scene, 1, without);
    expect(commands.flatMap(({ candidates }) => candidates.map(({ node: { name } }) => name))).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  });
});

describe('a candidate some time later', () => {
  const [candidate] = findCandidates(sceneWith([full('a')]), 'graceful').candidates;

  test('is the same where nothing has changed', () => {
    expect(stillThere(candidate, sceneWith([candidate.node]))?.node).toBe(candidate.node);
  });

  test('is what its node is by now', () => {
    const changed = { ...candidate.node, pods: [] };
    expect(stillThere(candidate, sceneWith([changed]))).toMatchObject({ node: { name: 'a', pods: [] }, reschedulable: [] });
  });

  test.each([['goes', [{ ...candidate.node, deleting: true }]], ['has gone', []]])('is none where its node %s', (_, nodes) => {
    expect(stillThere(candidate, sceneWith(nodes))).toBeUndefined();
  });
});
