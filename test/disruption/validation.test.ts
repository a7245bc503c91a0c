import { anyPool, APART, ClusterMore, clusterOf, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from './builders';
import { ClusterBaseline, ClusterNode, ClusterPod, disruptionPass, timesOf } from '../../src/disruption';
import { DisruptionContext } from '../../src/disruption/context';
import { ScheduledEvent } from '../../src/disruption/scenario/cluster/event-queue';
import { SimulatedCluster } from '../../src/disruption/scenario/cluster/simulated-cluster';
import { simulateFrom } from '../../src/disruption/scenario/scenario-start';
import { validateCommand, VALIDATION_DELAY } from '../../src/disruption/validation';
import { Label } from '../../src/model';
import { isIn, ofTypes } from '../scheduling/builders';

const kept = pod('kept', undefined, { annotations: PROTECTED });
const LATER = NOW + VALIDATION_DELAY;

/** The nodes that are left of the first command if the cluster is another one 15 seconds later. */
function validated(
  before: readonly ClusterNode[],
  after: readonly ClusterNode[],
  more: ClusterMore = {},
  moreLater: ClusterMore = more,
): string[] | undefined {
  const [command] = disruptionPass(clusterOf(before, more), NOW).commands;
  return validateCommand(command, new DisruptionContext(clusterOf(after, moreLater), LATER))?.candidates.map(
    ({ node: { name } }) => name,
  );
}

const movable = (more: NodeMore = {}, pods: readonly ClusterPod[] = [pod('p')]) =>
  machine('a', 'm5.xlarge', pods, more);
const roomy = machine('b', 'm5.large', [kept]);

describe('validateCommand', () => {
  test('returns the command if nothing has changed', () => {
    expect(validated([movable(), roomy], [movable(), roomy])).toEqual(['a']);
  });

  test.each<[string, ClusterNode]>([
    [
      'consolidateAfter is not over because of a new pod',
      movable({ claim: { createdAt: NOW - MINUTE, initializedAt: NOW - MINUTE, lastPodEventAt: NOW + 5_000 } }),
    ],
    ['the node is nominated', movable({ nominatedUntil: LATER + 1 })],
    ['the node is deleting', movable({ deleting: true })],
    ['the node has a new protected pod', movable({}, [pod('p'), kept])],
    [
      'the node has new pods that fit on no other node',
      movable({}, [pod('p'), pod('q', { cpu: '1900m' }), pod('r', { cpu: '1900m' })]),
    ],
  ])('drops a consolidation command if %s', (_, node) => {
    expect(validated([movable(), roomy], [node, roomy], { disruption: { consolidateAfter: MINUTE } })).toBeUndefined();
  });

  test('drops a consolidation command if the budgets allow no node any more', () => {
    expect(
      validated([movable(), roomy], [movable(), roomy], {}, { disruption: { budgets: [{ nodes: '0' }] } }),
    ).toBeUndefined();
  });

  test('drops a consolidation command if its replacement is no longer needed, or has to be of another type', () => {
    const pool = anyPool({
      requirements: [
        ofTypes('m5.large', 'm5.xlarge', 'm5.2xlarge'),
        isIn(Label.CAPACITY_TYPE, 'on-demand'),
        isIn(Label.ZONE, 'us-east-1a'),
      ],
    });
    const pools = { pools: [pool] };
    const large = (...pods: ClusterPod[]) => machine('a', 'm5.2xlarge', pods);
    const [small, other] = [pod('p', { cpu: '1500m' }), pod('q', { cpu: '1500m' })];
    expect(validated([large(small)], [large(small)], pools)).toEqual(['a']);
    expect(validated([large(small)], [large(small), roomy], pools)).toBeUndefined();
    expect(validated([large(small)], [large(small, other)], pools)).toBeUndefined();
    expect(
      validated([large(pod('p', {}, APART))], [large(pod('p', {}, APART), pod('q', {}, APART))], pools),
    ).toBeUndefined();
  });

  test('keeps the nodes of an emptiness command that are still empty', () => {
    const empty = (name: string, pods: readonly ClusterPod[] = []) => machine(name, 'm5.large', pods);
    expect(validated([empty('a'), empty('b'), roomy], [empty('a', [pod('p')]), empty('b'), roomy])).toEqual(['b']);
    expect(validated([empty('a'), roomy], [empty('a', [pod('p')]), roomy])).toBeUndefined();
  });

  test('keeps empty nodes by name, not by savings, if budgets no longer allow all', () => {
    const nodes = [machine('a', 'm5.large'), machine('b', 'm5.xlarge')];
    expect(validated(nodes, nodes, {}, { disruption: { budgets: [{ nodes: '1' }] } })).toEqual(['a']);
  });
});

describe('validation in a simulated cluster', () => {
  const cluster = clusterOf([movable(), roomy], { disruption: { consolidateAfter: MINUTE } });
  const start = { start: NOW, times: timesOf('consolidation', {}), baseline: new ClusterBaseline(cluster) };
  const decisions = (...events: readonly ScheduledEvent[]) =>
    simulateFrom(start, {
      scenario: 'consolidation',
      events,
      methods: ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'],
    })
      .timeline.filter(({ what }) => what.includes('decides'))
      .map(({ second }) => second);

  test('executes a command 15 seconds after the decision', () => {
    expect(decisions()).toEqual([15]);
  });

  test('drops a command because of a new pod, and decides again when consolidateAfter is over', () => {
    const addPodEvent = (simulated: SimulatedCluster) => {
      simulated.recordPodEvent('a');
      simulated.decisionVersion++;
    };
    expect(decisions({ at: NOW + 5_000, apply: addPodEvent })).toEqual([65 + 15]);
  });
});
