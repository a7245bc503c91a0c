import { anyPool, APART, ClusterMore, clusterOf, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from './builders';
import { ClusterNode, ClusterPod, disruptionPass, timesOf } from '../../src/disruption';
import { Disruptor } from '../../src/disruption/scenario/disruptor';
import { run } from '../../src/disruption/scenario/run';
import { base } from '../../src/disruption/scenario/stage';
import { World } from '../../src/disruption/scenario/world';
import { confirmed, SECOND_LOOK } from '../../src/disruption/second-look';
import { Label } from '../../src/model';
import { isIn, ofTypes } from '../scheduling/builders';

const kept = pod('kept', undefined, { annotations: PROTECTED });
const LATER = NOW + SECOND_LOOK;

/** The nodes that are left of what is decided, where the cluster is another 15 seconds later. */
function left(
  before: readonly ClusterNode[], after: readonly ClusterNode[], more: ClusterMore = {}, moreLater: ClusterMore = more,
): string[] | undefined {
  const [command] = disruptionPass(clusterOf(before, more), NOW).commands;
  return confirmed(command, clusterOf(after, moreLater), LATER)?.candidates.map(({ node: { name } }) => name);
}

const loose = (more: NodeMore = {}, pods: readonly ClusterPod[] = [pod('p')]) => machine('a', 'm5.xlarge', pods, more);
const roomy = machine('b', 'm5.large', [kept]);

describe('a decision of consolidation', () => {
  test('holds where nothing has changed', () => {
    expect(left([loose(), roomy], [loose(), roomy])).toEqual(['a']);
  });

  test.each<[string, ClusterNode]>([
    ['a pod has come to its node not long ago', loose({ claim: { createdAt: NOW - MINUTE, initializedAt: NOW - MINUTE, lastPodEventAt: NOW + 5_000 } })],
    ['its node is kept for a pod that waits', loose({ nominatedUntil: LATER + 1 })],
    ['its node is going already', loose({ deleting: true })],
    ['a pod has come that is not to be disrupted', loose({}, [pod('p'), kept])],
    ['pods have come that no other node has room for', loose({}, [pod('p'), pod('q', { cpu: '1900m' }), pod('r', { cpu: '1900m' })])],
  ])('is given up where %s', (_, node) => {
    expect(left([loose(), roomy], [node, roomy], { disruption: { consolidateAfter: MINUTE } })).toBeUndefined();
  });

  test('is given up where the budgets of its pool have closed', () => {
    expect(left([loose(), roomy], [loose(), roomy], {}, { disruption: { budgets: [{ nodes: '0' }] } })).toBeUndefined();
  });

  test('is given up where the node is not needed any more that was to come, or is not such a one', () => {
    const pool = anyPool({ requirements: [ofTypes('m5.large', 'm5.xlarge', 'm5.2xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand'), isIn(Label.ZONE, 'us-east-1a')] });
    const pools = { pools: [pool] };
    const large = (...pods: ClusterPod[]) => machine('a', 'm5.2xlarge', pods);
    const [small, other] = [pod('p', { cpu: '1500m' }), pod('q', { cpu: '1500m' })];
    expect(left([large(small)], [large(small)], pools)).toEqual(['a']);
    expect(left([large(small)], [large(small), roomy], pools)).toBeUndefined();
    expect(left([large(small)], [large(small, other)], pools)).toBeUndefined();
    expect(left([large(pod('p', {}, APART))], [large(pod('p', {}, APART), pod('q', {}, APART))], pools)).toBeUndefined();
  });
});

test('a decision on empty nodes holds for those that still are', () => {
  const empty = (name: string, pods: readonly ClusterPod[] = []) => machine(name, 'm5.large', pods);
  expect(left([empty('a'), empty('b'), roomy], [empty('a', [pod('p')]), empty('b'), roomy])).toEqual(['b']);
  expect(left([empty('a'), roomy], [empty('a', [pod('p')]), roomy])).toBeUndefined();
});

test('of empty nodes that budgets have not room for all of any more those are left whose names come first, not those that save most', () => {
  const nodes = [machine('a', 'm5.large'), machine('b', 'm5.xlarge')];
  expect(left(nodes, nodes, {}, { disruption: { budgets: [{ nodes: '1' }] } })).toEqual(['a']);
});

describe('in time', () => {
  const stage = { start: NOW, times: timesOf('consolidation', {}), cluster: clusterOf([loose(), roomy], { disruption: { consolidateAfter: MINUTE } }) };
  const decisions = (...happenings: Parameters<typeof base>[2] & object) =>
    run({ ...base('consolidation', stage, happenings), disruptor: new Disruptor(NOW, ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation']) })
      .timeline.filter(({ what }) => what.includes('decides')).map(({ second }) => second);

  test('Karpenter acts 15 seconds after it has decided', () => {
    expect(decisions()).toEqual([15]);
  });

  test('it gives up what a pod has come in between for, and decides it anew when consolidateAfter is over', () => {
    const come = (world: World) => {
      world.touch('a');
      world.version++;
    };
    expect(decisions({ at: NOW + 5_000, happen: come })).toEqual([65 + 15]);
  });
});
