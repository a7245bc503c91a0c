import { ClusterNode, ClusterPod, PoolDisruption, runScenario, ScenarioReport, timesOf } from '../../../src/disruption';
import { stuckDrains } from '../../../src/disruption/scenario/stuck';
import { World } from '../../../src/disruption/scenario/world';
import { ClusterMore, clusterOf, HOUR, machine, NOW, pod, PROTECTED } from '../builders';

const DAY = 24 * HOUR;
const LABELS = { app: 'web' };
const KEEPS_ALL = { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 0 };

function web(name: string, more: Partial<ClusterPod> = {}): ClusterPod {
  return pod(name, { cpu: '1500m' }, { ...more, more: { labels: LABELS } });
}

function drift(nodes: readonly ClusterNode[], more: ClusterMore = {}, horizon = 168 * 3600): ScenarioReport {
  return runScenario('drift', clusterOf(nodes, more), { start: NOW, times: { horizon } })[0];
}

function remedies(report: ScenarioReport): Array<readonly [string, string]> {
  return report.stuck.map(({ what, remedy }) => [what.replace('node ', ''), remedy]);
}

describe('the remedy for a node that budgets keep', () => {
  const held = (budgets: PoolDisruption['budgets'], nodes = [machine('a', 'm5.large', [web('x')])]) => drift(nodes, { disruption: { budgets } });

  test('is for the budget that allows none, where hours of others change nothing: there is nothing to wait for', () => {
    const report = held([{ nodes: '0' }, { nodes: '1', schedule: '0 0 * * *', duration: HOUR }]);
    expect(report).toMatchObject({ unfinished: false, seconds: 0 });
    expect(remedies(report)).toEqual([
      ['a', 'let a node go at some hour: the budget that allows none can have hours (schedule and duration), or reasons without Drifted'],
    ]);
  });

  test('is a longer horizon where hours come to their end after it', () => {
    const report = held([{ nodes: '0', schedule: '0 0 * * *', duration: 48 * HOUR }, { nodes: '0', schedule: '0 0 2 * *', duration: 25 * DAY }]);
    expect(report.unfinished).toBe(false);
    const once = held([{ nodes: '0', schedule: '0 0 1 * *', duration: 25 * DAY }]);
    expect(once.unfinished).toBe(true);
    expect(remedies(once)).toEqual([['a', 'look further, with a longer horizon: on 2026-08-26T00:00:00.000Z its budgets let a node go']]);
  });

  test('is for the nodes that count for the budget already', () => {
    const kept = machine('b', 'm5.large', [web('y', { annotations: PROTECTED })], { deleting: true });
    expect(remedies(held([{ nodes: '1' }], [machine('a', 'm5.large', [web('x')]), kept])))
      .toContainEqual(['a', 'see to node b: what goes already, or is not ready, counts for its budgets']);
  });

  test('is nothing of hours of other reasons', () => {
    const report = held([{ nodes: '0', reasons: ['Drifted'] }, { nodes: '1', reasons: ['Empty'], schedule: '0 0 * * *', duration: HOUR }]);
    expect(report.unfinished).toBe(false);
  });
});

describe('the remedy for a node that an annotation keeps', () => {
  test('is for the node where the annotation is its own', () => {
    const there = machine('a', 'm5.large', [web('x')], { annotations: PROTECTED, claim: { name: 'default-a', createdAt: NOW } });
    expect(remedies(drift([there]))).toEqual([['a', 'take the annotation off the node']]);
  });

  test('is for the NodePool where nodes have it from there, also those that are launched', () => {
    const disruption = { annotations: PROTECTED };
    const planned = machine('a', 'm5.large', [web('x')], { annotations: PROTECTED });
    expect(remedies(drift([planned], { disruption }))).toEqual([['a', 'leave the annotation out of spec.template.metadata of the NodePool']]);
    const world = new World(clusterOf([planned], { disruption }), NOW, timesOf('drift', {}));
    expect(world.nodes.get(world.launch('default', planned, undefined))!.node.annotations).toEqual(PROTECTED);
  });

  test('is for the pod of a node that is there: its NodeClaim keeps what it has, and a DaemonSet makes the next pod on the same node', () => {
    const there = (kept: ClusterPod) => drift([machine('a', 'm5.large', [kept], { claim: { name: 'default-a', createdAt: NOW } })]);
    expect([web('x', { annotations: PROTECTED }), web('y', { annotations: PROTECTED, daemon: true })].map((kept) => remedies(there(kept))[0][1])).toEqual([
      'cordon the node and delete the pod (terminationGracePeriod in the NodePool is for new nodes alone), or give the annotation a duration in place of true',
      'give the annotation of the DaemonSet a duration in place of true',
    ]);
  });

  test('is a longer horizon where the annotation of a pod has an end', () => {
    const report = drift([machine('a', 'm5.large', [web('x', { annotations: { 'karpenter.sh/do-not-disrupt': '240h' } })])]);
    expect(remedies(report)).toEqual([['a', 'look further, with a longer horizon: on 2026-08-11T11:00:00.000Z the annotation holds no more']]);
  });
});

describe('the remedy for a drain', () => {
  const deletion = (claim: Partial<NonNullable<ClusterNode['claim']>>, more: Partial<ClusterPod> = {}) => {
    const node = machine('a', 'm5.large', [web('x', more)], { claim: { createdAt: NOW - HOUR, ...claim } });
    return runScenario('deletion', clusterOf([node], { pdbs: [KEEPS_ALL] }), { start: NOW, of: { kind: 'node', name: 'a' } })[0];
  };

  test('is for the pod that never goes, where others go after the horizon', () => {
    const kept = [web('until', { annotations: { 'karpenter.sh/do-not-disrupt': '240h' } }), web('ever', { annotations: PROTECTED })];
    const [{ stuck }] = runScenario('deletion', clusterOf([machine('a', 'm5.2xlarge', kept)]), { start: NOW, of: { kind: 'node', name: 'a' } });
    expect(stuck).toEqual([{
      what: 'node a',
      why: 'pod default/ever has the annotation karpenter.sh/do-not-disrupt',
      remedy: 'set terminationGracePeriod in the NodePool, or give the annotation a duration in place of true',
    }]);
  });

  test.each<[string, Parameters<typeof deletion>, string]>([
    ['a longer horizon where its terminationGracePeriod is over after it', [{ terminationGracePeriod: 20 * DAY }],
      'look further, with a longer horizon: on 2026-08-21T12:00:00.000Z its terminationGracePeriod is over'],
    ['the NodePool of a node that is planned', [{}],
      'let one pod go at a time (maxUnavailable: 1, and two replicas at least), or set terminationGracePeriod in the NodePool'],
    ['the pod of a node that is there: its NodeClaim keeps what it has', [{ name: 'default-a' }],
      'let one pod go at a time (maxUnavailable: 1, and two replicas at least), or delete the pod (terminationGracePeriod in the NodePool is for new nodes alone)'],
  ])('is %s', (_, given, remedy) => {
    expect(remedies(deletion(...given))).toEqual([['a', remedy]]);
  });
});

test('a scenario may begin before 1970', () => {
  expect(runScenario('drift', clusterOf([machine('a', 'm5.large', [web('x')])]), { start: Date.UTC(1960, 0) })[0]).toMatchObject({ stuck: [], unfinished: false });
});

test('where time is stopped in the midst of it only nodes are stuck whose pods something keeps', () => {
  const nodes = [machine('a', 'm5.large', [web('x')], { deleting: true }), machine('b', 'm5.large', [web('y', { annotations: PROTECTED })], { deleting: true })];
  const world = new World(clusterOf(nodes), NOW, timesOf('drift', {}));
  for (const name of ['a', 'b']) world.nodes.get(name)!.phase = 'draining';
  expect(stuckDrains(world, true)).toEqual([expect.objectContaining({ what: 'node b' })]);
});
