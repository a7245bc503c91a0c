import { ClusterNode } from '../../../src/disruption';
import { ClusterView, DisruptionContext, PassGenerator } from '../../../src/disruption/context';
import { multiNodeConsolidation } from '../../../src/disruption/methods/multi-node-consolidation';
import { singleNodeConsolidation } from '../../../src/disruption/methods/single-node-consolidation';
import { MethodOutcome } from '../../../src/disruption/types';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../builders';

const POOL = anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] });

/**
 * Runs a method whose simulations take some time.
 *
 * @param seconds for each simulation
 * @param change returns the state of the cluster after a simulation, counted from 1
 */
function runWithDelays(
  method: (view: ClusterView) => PassGenerator<MethodOutcome>,
  context: DisruptionContext,
  seconds: number,
  change: (context: DisruptionContext, simulation: number) => DisruptionContext = (unchanged) => unchanged,
) {
  const view = { context, now: context.now, simulationsAhead: 1 };
  const steps = method(view);
  for (let simulations = 0; ; simulations++) {
    const step = steps.next();
    if (step.done) return { ...step.value, simulations };
    view.now += seconds * 1_000;
    view.context = change(view.context, simulations + 1);
  }
}

const fullNode = (name: string) => machine(name, 'm5.large', [pod(`p-${name}`, { cpu: '1500m' })]);
const contextWith = (nodes: readonly ClusterNode[]) => new DisruptionContext(clusterOf(nodes, { pools: [POOL] }), NOW);

describe('singleNodeConsolidation while time passes', () => {
  const context = contextWith(['a', 'b', 'c', 'd', 'e', 'f'].map(fullNode));

  test('tries every node within three minutes', () => {
    expect(runWithDelays(singleNodeConsolidation, context, 20)).toMatchObject({ commands: [], simulations: 6 });
  });

  test('stops after three minutes, even if nodes remain', () => {
    const { commands, refusals, simulations } = runWithDelays(singleNodeConsolidation, context, 60);
    expect({ commands, simulations }).toEqual({ commands: [], simulations: 4 });
    expect(refusals.map(({ nodes: [name] }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('uses a node that was initialized after the method began', () => {
    const empty = machine('empty', 'm5.large', [], { initialized: false });
    const withEmpty = (before: DisruptionContext, simulation: number) =>
      simulation < 2
        ? before
        : contextWith(
            [...before.cluster.nodes, empty]
              .slice(0, 7)
              .map((node) => (node.name === 'empty' ? { ...node, initialized: true } : node)),
          );
    const { commands } = runWithDelays(singleNodeConsolidation, context, 1, withEmpty);
    expect(
      commands.map(
        ({
          decision,
          candidates: [
            {
              node: { name },
            },
          ],
        }) => [decision, name],
      ),
    ).toEqual([['delete', 'c']]);
  });

  test('skips nodes that are deleting or gone when their turn comes', () => {
    const withoutB = (before: DisruptionContext) =>
      contextWith(
        before.cluster.nodes.flatMap((node) =>
          node.name === 'b' ? [] : [node.name === 'c' ? { ...node, deleting: true } : node],
        ),
      );
    const { refusals } = runWithDelays(singleNodeConsolidation, context, 1, withoutB);
    expect(refusals.map(({ nodes: [name] }) => name)).toEqual(['a', 'd', 'e', 'f']);
  });
});

describe('multiNodeConsolidation while time passes', () => {
  const lightNode = (index: number) => machine(`n${index}`, 'm5.large', [pod(`p-${index}`, { cpu: '10m' })]);
  const bare = machine('roomy', 'm5.large', [pod('kept', undefined, { daemon: false, owner: undefined })]);
  const context = contextWith([...Array.from({ length: 8 }, (_, index) => lightNode(index)), bare]);
  const candidateCounts = (seconds: number) =>
    runWithDelays(multiNodeConsolidation, context, seconds).commands.map(({ candidates }) => candidates.length);

  test('returns the largest command found within one minute', () => {
    expect([candidateCounts(20), candidateCounts(40), candidateCounts(61)]).toEqual([[8], [5], []]);
  });

  test('drops the first candidates if one of them has gone', () => {
    const withoutFirst = (before: DisruptionContext) =>
      contextWith(before.cluster.nodes.filter(({ name }) => name !== 'n0'));
    const { commands } = runWithDelays(multiNodeConsolidation, context, 1, withoutFirst);
    expect(commands.flatMap(({ candidates }) => candidates.map(({ node: { name } }) => name))).toEqual([
      'n0',
      'n1',
      'n2',
      'n3',
      'n4',
    ]);
  });
});
