import { ClusterNode, ClusterPod, PodBudget, runScenario, ScenarioName, ScenarioReport, workloadKey } from '../../../src/disruption';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { amounts, anyPool, ClusterMore, clusterOf, HOUR, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from '../builders';

const LABELS = { app: 'web' };
const WEB = workloadKey('default', { kind: 'Deployment', name: 'web' });
const TIMES = { nodeStart: 60, podStart: 20, podStop: 10 };

function web(name: string, more: Partial<ClusterPod> = {}, cpu = '1500m'): ClusterPod {
  return pod(name, { cpu }, { ...more, more: { labels: LABELS } });
}

function budget(more: Partial<PodBudget> = {}): PodBudget {
  return { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 1, ...more };
}

function play(name: ScenarioName, nodes: readonly ClusterNode[], more: ClusterMore = {}): ScenarioReport[] {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand', 'spot')] })];
  const count = nodes.flatMap(({ pods }) => pods).filter(({ shape }) => shape.labels?.app === 'web').length;
  return runScenario(name, clusterOf(nodes, { pools, replicas: new Map([[WEB, count]]), ...more }), { start: NOW, times: TIMES });
}

const story = (report: ScenarioReport) => report.workloads.find(({ workload }) => workload === WEB)!;
const single = (name: string, more: NodeMore = {}) => machine(name, 'm5.large', [web(`web-${name}`)], more);

describe('an interruption of spot nodes', () => {
  test('takes the one replica that there is until a node is up and the pod is ready', () => {
    const [report] = play('spot-interruption', [single('a', { capacityType: 'spot' })]);
    expect(story(report)).toEqual({ workload: WEB, replicas: 1, lowestReady: 0, evictions: 1 });
    expect(report.timeline.map(({ second, what }) => [second, what.replace(/\(.*\)/, '()')])).toEqual([
      [0, 'EC2 will take a in two minutes'], [0, 'a drains'], [0, 'default-new-0 is launched ()'], [0, `${WEB} has no pod ready`],
      [10, 'a is gone'], [60, 'default-new-0 is up'], [80, `${WEB} has 1 of 1 ready again`],
    ]);
    expect(report.seconds).toBe(80);
  });

  const onSpot = (zones: readonly string[]) => ({
    pools: [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'spot'), isIn(Label.ZONE, ...zones)] })],
  });
  const launchesOf = ({ timeline }: ScenarioReport) => timeline.filter(({ what }) => what.includes('is launched'));

  test('launches no spot of the type in the zone that it was taken in', () => {
    const [report] = play('spot-interruption', [single('a', { capacityType: 'spot' })], onSpot(['us-east-1a', 'us-east-1b']));
    expect(launchesOf(report)).toEqual([{ second: 0, what: 'default-new-0 is launched (m5.large, spot, us-east-1b)' }]);
    expect(report.before).toEqual(report.after);
  });

  test('leaves pods waiting for three minutes where there is nothing else to launch', () => {
    const [report] = play('spot-interruption', [single('a', { capacityType: 'spot' })], onSpot(['us-east-1a']));
    expect(launchesOf(report)).toEqual([{ second: 180, what: 'default-new-0 is launched (m5.large, spot, us-east-1a)' }]);
    expect(report).toMatchObject({ pending: [], seconds: 180 + 60 + 20 });
  });

  test('leaves a replica on a node on demand alone', () => {
    const [report, ...others] = play('spot-interruption', [single('a', { capacityType: 'spot' }), single('b')]);
    expect(others).toEqual([]);
    expect(story(report).lowestReady).toBe(1);
  });

  test('is told of each node, and of each instance pool of several', () => {
    const subjects = play('spot-interruption', [single('a', { capacityType: 'spot' }), single('b', { capacityType: 'spot' })]).map(({ subject }) => subject);
    expect(subjects).toEqual(['node a', 'node b', 'm5.large in us-east-1a']);
  });

  test('goes on against a PodDisruptionBudget when the two minutes are over', () => {
    const [report] = play('spot-interruption', [single('a', { capacityType: 'spot' })], { pdbs: [budget({ maxUnavailable: 0 })] });
    expect(story(report)).toMatchObject({ lowestReady: 0, secondsBelowBudget: 80 });
    expect(report.timeline).toContainEqual({ second: 120, what: 'a is taken away' });
  });

  test('never takes two replicas of three where the budget lets one go at a time, and there is time enough', () => {
    const nodes = [single('a', { capacityType: 'spot' }), single('b', { capacityType: 'spot' }), single('c')];
    const both = play('spot-interruption', nodes, { pdbs: [budget()] })[2];
    expect(story(both)).toMatchObject({ lowestReady: 2, evictions: 2, secondsBelowBudget: 0 });
  });

  test('loses a pod that nothing makes again', () => {
    const [report] = play('spot-interruption', [machine('a', 'm5.large', [pod('bare', undefined, { owner: undefined })], { capacityType: 'spot' })]);
    expect(report.lost).toEqual(['default/bare']);
  });
});

describe('the outage of a zone', () => {
  const nodes = [single('a'), single('b', { zone: 'us-east-1b' })];

  test('takes its pods at once, and has them made again elsewhere when Kubernetes takes them for lost', () => {
    const [report] = play('zone-outage', nodes);
    expect(report.subject).toBe('us-east-1a');
    expect(story(report)).toMatchObject({ replicas: 2, lowestReady: 1, evictions: 1 });
    expect(report.seconds).toBe(350 + 60 + 20);
    expect(report.unplaced).toEqual([]);
    expect(report.timeline.some(({ what }) => what.includes('launched') && what.includes('us-east-1a'))).toBe(false);
    expect(report.pending).toEqual([]);
  });

  test('has pods made again sooner where their tolerations say so', () => {
    const tolerations = [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }];
    const quick = machine('a', 'm5.large', [pod('a', { cpu: '1500m' }, { more: { labels: LABELS, tolerations } })]);
    const [report] = play('zone-outage', [quick, single('b', { zone: 'us-east-1b' })]);
    expect(report.timeline.find(({ what }) => what.includes('is launched'))?.second).toBe(60);
    expect(report.timeline).toContainEqual({ second: 350, what: 'a is lost' });
    expect(story(report)).toMatchObject({ lowestReady: 1, evictions: 1 });
  });

  test('has pods of one node after the other made again, ten seconds apart, up to when the nodes are not there', () => {
    const tolerations = [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 285 }];
    const quick = (name: string) => machine(name, 'm5.large', [pod(name, { cpu: '1500m' }, { more: { labels: LABELS, tolerations } })]);
    const [report] = play('zone-outage', [...['a', 'b', 'c', 'd'].map(quick), single('e', { zone: 'us-east-1b' })]);
    expect(report.timeline.filter(({ what }) => what.includes('is launched')).map(({ second }) => second)).toEqual([335, 345, 350, 350]);
  });

  test('lets a node go that drains already and has nothing left to wait for', () => {
    const [report] = play('zone-outage', [machine('a', 'm5.large', [], { deleting: true }), single('b'), single('c', { zone: 'us-east-1b' })]);
    expect(report.timeline.filter(({ what }) => /gone|lost/.test(what))).toEqual([{ second: 5, what: 'a is gone' }, { second: 350, what: 'b is lost' }]);
  });

  describe('with a hard spread over zones', () => {
    const topologySpread = [{ maxSkew: 1, topologyKey: Label.ZONE, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: LABELS } }];
    const spread = (name: string, zone: string) =>
      machine(name, 'm5.large', [pod(name, { cpu: '1500m' }, { more: { labels: LABELS, topologySpread } })], { zone });

    test('moves its pods to a zone that has none yet', () => {
      const [report] = play('zone-outage', [spread('a', 'us-east-1a'), spread('b', 'us-east-1b')]);
      expect(report.pending).toEqual([]);
      expect(report.timeline.filter(({ what }) => what.includes('launched')).map(({ what }) => what)).toEqual([expect.stringContaining('us-east-1c')]);
    });

    test('leaves them without a node where the pools have no zone that has none yet', () => {
      const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.ZONE, 'us-east-1a', 'us-east-1b')] })];
      const [report] = play('zone-outage', [spread('a', 'us-east-1a'), spread('b', 'us-east-1b')], { pools });
      expect(report.pending).toEqual(['default/web-new-0']);
      expect(report.unplaced[0].why).toBe('hard spread over zones still counts us-east-1a, and allows no more in the others');
    });

    test('puts them on nodes of the other zones that have room, once those of the zone are not there: Kubernetes counts zones with nodes only', () => {
      const roomy = (name: string, zone: string) => ({ ...spread(name, zone), ...machine(name, 'm5.xlarge', spread(name, zone).pods, { zone }) });
      const [report] = play('zone-outage', [spread('a', 'us-east-1a'), roomy('b', 'us-east-1b'), roomy('c', 'us-east-1c')]);
      expect(report.unplaced).toEqual([]);
      expect(report.seconds).toBe(350 + 20);
    });

    test('leaves them without a node where each other zone has one: Karpenter still counts the zone that failed', () => {
      const [report] = play('zone-outage', [spread('a', 'us-east-1a'), spread('b', 'us-east-1b'), spread('c', 'us-east-1c')]);
      expect(report.pending).toEqual(['default/web-new-0']);
      expect(report.unplaced).toEqual([
        { workload: WEB, pods: ['default/web-new-0'], why: 'hard spread over zones still counts us-east-1a, and allows no more in the others' },
      ]);
    });

    test('says of a pod whose volume is there as well that it is this: without the spread it would have no node either', () => {
      const volumeTopology = [[isIn(Label.ZONE, 'us-east-1a')]];
      const db = pod('db-0', { cpu: '1500m' }, { owner: { kind: 'StatefulSet', name: 'web' }, more: { labels: LABELS, topologySpread, volumeTopology } });
      const [report] = play('zone-outage', [machine('a', 'm5.large', [db]), spread('b', 'us-east-1b'), spread('c', 'us-east-1c')]);
      expect(report.unplaced).toEqual([{ workload: 'StatefulSet default/web', pods: ['default/db-0'], why: expect.stringContaining('incompatible volume requirements') }]);
    });
  });

  test('leaves a pod whose volume is there without a node', () => {
    const volumeTopology = [[isIn(Label.ZONE, 'us-east-1a')]];
    const db = pod('db-0', undefined, { owner: { kind: 'StatefulSet', name: 'db' }, more: { volumeTopology } });
    const [report] = play('zone-outage', [machine('a', 'm5.large', [db]), nodes[1]]);
    expect(report.pending).toEqual(['default/db-0']);
    expect(report.unplaced).toEqual([{
      workload: 'StatefulSet default/db',
      pods: ['default/db-0'],
      why: expect.stringMatching(/^incompatible volume requirements, key topology.kubernetes.io\/zone, .* In \[us-east-1a\]/),
    }]);
  });
});

describe('a roll of all nodes', () => {
  const three = [single('a'), single('b'), single('c')];

  test('decides again at once after a command, as far as the budget goes', () => {
    const four = [...three, single('d')];
    const [report] = play('drift', four, { disruption: { budgets: [{ nodes: '3' }] } });
    const decided = report.timeline.filter(({ what }) => what.startsWith('Drift decides')).map(({ second }) => second);
    expect(decided.slice(0, 3)).toEqual([0, 0, 0]);
    expect(decided[3]).toBeGreaterThan(0);
  });

  test('leaves a node alone that pods of another move to, and for twenty seconds after', () => {
    const nodes = [machine('a', 'm5.2xlarge', [web('x', {}, '400m')]), machine('b', 'm5.2xlarge', [web('y', {}, '400m')])];
    const [report] = play('drift', nodes, { disruption: { budgets: [{ nodes: '2' }] } });
    const decided = report.timeline.filter(({ what }) => what.startsWith('Drift decides'));
    expect(decided).toEqual([{ second: 0, what: 'Drift decides to delete a' }, { second: 20, what: 'Drift decides to replace b' }]);
    expect(story(report)).toMatchObject({ evictions: 3, lowestReady: 0 });
  });

  test('replaces one after the other, under the budget, with the new node up before the old one goes', () => {
    const [report] = play('drift', three, { pdbs: [budget()], disruption: { budgets: [{ nodes: '1' }] } });
    expect(story(report)).toMatchObject({ lowestReady: 2, evictions: 3, secondsBelowBudget: 0 });
    expect(report.timeline.filter(({ what }) => what.endsWith('drains'))).toHaveLength(3);
    expect(report.after.nodes).toBe(3);
    expect(report.stuck).toEqual([]);
  });

  test('is over when the last pod is ready, however long nodes are left alone by consolidation', () => {
    const [report] = play('drift', [single('a')], { disruption: { consolidateAfter: 240 * HOUR } });
    expect(report).toMatchObject({ seconds: 60 + 20, unfinished: false });
  });

  test('is no faster than budgets allow', () => {
    const seconds = (nodes: string) => play('drift', three, { disruption: { budgets: [{ nodes }] } })[0].seconds;
    expect(seconds('1')).toBeGreaterThan(2 * seconds('3'));
  });

  test('says what keeps a node for ever, and what would help', () => {
    const [report] = play('drift', [single('a')], { pdbs: [budget({ maxUnavailable: 0 })] });
    expect(report.stuck).toEqual([{
      what: 'node a',
      why: 'pdb prevents pod evictions (PodDisruptionBudget=[default/web])',
      remedy: 'let one pod go at a time (maxUnavailable: 1, and two replicas at least), or set terminationGracePeriod in the NodePool',
    }]);
  });

  test('says of a drain that a budget holds up which of its pods has to have a node first', () => {
    const pools = [anyPool({ requirements: [ofTypes('m5.large')], limits: amounts({ cpu: '0' }) })];
    const [report] = play('deletion', [single('a'), single('b')], { pools, pdbs: [budget()] });
    expect(report.stuck).toEqual([{
      what: 'node b',
      why: 'PodDisruptionBudget default/web lets pod default/web-b not go',
      remedy: 'see to it that pod default/web-new-0 has a node: before it is ready the PodDisruptionBudget lets no other go',
    }]);
  });

  test('ends what a budget keeps in time for the terminationGracePeriod of the node', () => {
    const node = single('a');
    const [report] = play('drift', [{ ...node, claim: { ...node.claim!, terminationGracePeriod: HOUR } }], { pdbs: [budget({ maxUnavailable: 0 })] });
    expect(report.stuck).toEqual([]);
    // Every ten seconds its eviction is tried, from 12.7 on; from 3570 on it is ended.
    expect(report.timeline).toContainEqual({ second: Math.ceil(3572.7 + 10), what: 'a is gone' });
  });

  test('leaves a pod that ends slowly no longer than the terminationGracePeriod of the node', () => {
    const node = machine('a', 'm5.large', [web('slow', { terminationGraceSeconds: 3600 })]);
    const cluster = clusterOf([{ ...node, claim: { ...node.claim!, terminationGracePeriod: 5 * MINUTE } }]);
    const [report] = runScenario('drift', cluster, { start: NOW, times: { ...TIMES, podStop: 1800 } });
    expect(report.drains).toEqual([{ node: 'a', nodePool: 'default', pods: 1, seconds: 300 }]);
  });

  test('tells how long each drain takes that comes to an end, and of how many pods', () => {
    const [daemon] = [pod('logs', undefined, { daemon: true, owner: { kind: 'DaemonSet', name: 'logs' } })];
    const node = single('a');
    const [report] = play('drift', [{ ...node, pods: [...node.pods, daemon] }]);
    const seconds = (end: string) => report.timeline.find(({ what }) => what === `a ${end}`)!.second;
    expect(report.drains).toEqual([{ node: 'a', nodePool: 'default', pods: 1, seconds: seconds('is gone') - seconds('drains') }]);
    expect(play('drift', [node], { pdbs: [budget({ maxUnavailable: 0 })] })[0].drains).toEqual([]);
  });

  test('waits for the hours of a budget', () => {
    const closed = { nodes: '0', schedule: '0 9 * * *', duration: 8 * HOUR };
    const [report] = play('drift', [single('a')], { disruption: { budgets: [closed] } });
    expect(report.timeline[0].second).toBe(5 * 3600);
  });

  test('is begun in the few minutes of the day in which no budget holds, as soon as they begin', () => {
    const closed = { nodes: '0', schedule: '57 11 * * *', duration: 24 * HOUR - 2 * MINUTE };
    const [report] = play('drift', [single('a')], { disruption: { budgets: [closed] } });
    expect(report.timeline[0].second).toBe(24 * 3600 - 5 * 60);
    expect(report.stuck).toEqual([]);
  });

  test('never gets to a node that no budget lets go', () => {
    const [report] = play('drift', [single('a')], { disruption: { budgets: [{ nodes: '0' }] } });
    expect(report.timeline).toEqual([]);
    expect(report.stuck[0].why).toBe('the disruption budgets of NodePool "default" allow no more at this time');
  });
});

describe('consolidation', () => {
  test('of an unprotected workload takes all replicas from one node at once', () => {
    const nodes = [machine('a', 'm5.2xlarge', [web('x', {}, '400m'), web('y', {}, '400m')])];
    const [report] = play('consolidation', nodes);
    expect(story(report)).toMatchObject({ replicas: 2, lowestReady: 0, evictions: 2 });
    expect(report.after.usdPerHour).toBeLessThan(report.before.usdPerHour);
  });

  test('of a protected one takes one after the other', () => {
    const nodes = [machine('a', 'm5.2xlarge', [web('x', {}, '400m'), web('y', {}, '400m')])];
    const [report] = play('consolidation', nodes, { pdbs: [budget()] });
    expect(story(report)).toMatchObject({ lowestReady: 1, evictions: 2, secondsBelowBudget: 0 });
    expect(report.timeline.filter(({ what }) => what.startsWith(WEB))).toEqual([]);
  });
});

test('what consolidation has decided is looked at once more fifteen seconds later, whatever happens meanwhile', () => {
  const kept = machine('kept', 'm5.large', [web('y', { annotations: PROTECTED }, '500m')]);
  const [{ timeline }] = play('consolidation', [machine('a', 'm5.large'), machine('goes', 'm5.large', [web('x', {}, '100m')], { deleting: true }), kept]);
  const at = (text: string) => timeline.find(({ what }) => what.includes(text))?.second;
  expect([at('goes is gone'), at('decides to delete')]).toEqual([10, 15]);
});

describe('expiration', () => {
  const expiring = (name: string, hours: number, pods = [web(`web-${name}`)]) => {
    const node = machine(name, 'm5.large', pods);
    return { ...node, claim: { ...node.claim!, createdAt: NOW - HOUR, expireAfter: hours * HOUR } };
  };

  test('takes nodes of one age at once, whatever budgets say', () => {
    const [report] = play('expiration', [expiring('a', 2), expiring('b', 2)], { disruption: { budgets: [{ nodes: '0' }] } });
    expect(report.timeline.slice(0, 4)).toEqual([
      { second: 3600, what: 'a expires' }, { second: 3600, what: 'a drains' }, { second: 3600, what: 'b expires' }, { second: 3600, what: 'b drains' },
    ]);
    expect(story(report).lowestReady).toBe(0);
  });

  test('launches nothing before the pods have to go', () => {
    const [report] = play('expiration', [expiring('a', 2)]);
    expect(report.timeline.map(({ what }) => what.replace(/ \(.*/, ''))).toEqual(
      ['a expires', 'a drains', 'default-new-0 is launched', `${WEB} has no pod ready`, 'a is gone', 'default-new-0 is up', `${WEB} has 1 of 1 ready again`]);
  });

  describe('launches together', () => {
    const pools = [anyPool({ requirements: [ofTypes('m5.large', 'm5.xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
    const launches = ({ timeline }: ScenarioReport) => timeline.filter(({ what }) => what.includes('is launched')).map(({ second, what }) => [second, what]);
    const old = (pods: ClusterPod[]) => ({ ...expiring('a', 2, pods), labels: machine('a', 'm5.xlarge').labels });
    const db = (ordinal: number) => ({ ...web(`db-${ordinal}`), owner: { kind: 'StatefulSet', name: 'db' } });

    test('for pods that have been evicted, and for those that a PodDisruptionBudget still keeps', () => {
      const [report] = play('expiration', [old([web('x'), web('y')])], { pools, pdbs: [budget()] });
      expect(launches(report)).toEqual([[3600, 'default-new-0 is launched (m5.xlarge, on-demand, us-east-1a)']]);
      expect(report).toMatchObject({ seconds: Math.round(3600 + 82.7 + 20), after: { nodes: 1 } });
      expect(story(report)).toMatchObject({ lowestReady: 1, evictions: 2 });
    });

    test('for those of a StatefulSet, whose next ones are made only when they are gone', () => {
      const [report] = play('expiration', [old([db(0), db(1)])], { pools });
      expect(launches(report)).toEqual([[3600, 'default-new-0 is launched (m5.xlarge, on-demand, us-east-1a)']]);
      expect(report.seconds).toBe(3600 + 60 + 20 + 20);
    });

    test('for none that can never be evicted', () => {
      const kept = pod('kept', { cpu: '1500m' }, { annotations: PROTECTED });
      const [report] = play('expiration', [old([web('x'), kept])], { pools });
      expect(launches(report)).toEqual([[3600, 'default-new-0 is launched (m5.large, on-demand, us-east-1a)']]);
    });
  });

  test('waits for ever for a protected pod', () => {
    const [report] = play('expiration', [expiring('a', 2, [web('kept', { annotations: PROTECTED })])]);
    expect(report.stuck).toEqual([{
      what: 'node a',
      why: 'pod default/kept has the annotation karpenter.sh/do-not-disrupt',
      remedy: 'set terminationGracePeriod in the NodePool, or give the annotation a duration in place of true',
    }]);
  });

  test('waits for ever for a pod of two PodDisruptionBudgets, whatever these allow', () => {
    const [report] = play('expiration', [expiring('a', 2)], { pdbs: [budget({ maxUnavailable: 1 }), budget({ name: 'all', maxUnavailable: 1 })] });
    expect(report.stuck).toEqual([{
      what: 'node a',
      why: 'pod default/web-a has 2 PodDisruptionBudgets, default/web and default/all: then no eviction is granted',
      remedy: 'leave each pod one PodDisruptionBudget, or set terminationGracePeriod in the NodePool',
    }]);
  });

  test('has nothing to tell where nothing expires', () => {
    expect(play('expiration', [single('a')])).toEqual([]);
  });
});

describe('pods of a StatefulSet that go together', () => {
  const db = (ordinal: number, more: Partial<ClusterPod> = {}) => pod(`db-${ordinal}`, { cpu: '200m' }, { owner: { kind: 'StatefulSet', name: 'db' }, ...more });
  const downAt = ({ timeline }: ScenarioReport) => timeline.find(({ what }) => what.endsWith('has no pod ready'))!.second;
  const roll = (pods: ClusterPod[]) => runScenario('drift', clusterOf([machine('a', 'm5.large', pods)]), { start: NOW, times: TIMES })[0];

  test('are made again one after the other, each when those before it are ready', () => {
    const report = roll([db(0), db(1), db(2)]);
    expect(downAt(report)).toBe(60);
    expect(report).toMatchObject({ seconds: 60 + 10 + 3 * 20, pending: [] });
  });

  test('are made again by their ordinals, in whichever order they went', () => {
    expect(roll([db(10), db(2), db(0)])).toMatchObject({ seconds: 60 + 10 + 3 * 20, pending: [] });
  });

  test('are all made at once where it says so', () => {
    expect(roll([db(0, { madeAtOnce: true }), db(1, { madeAtOnce: true })]).seconds).toBe(60 + 10 + 20);
  });

  test('are not made at all behind one that has no node', () => {
    const there = { shape: { ...db(0).shape, volumeTopology: [[isIn(Label.ZONE, 'us-east-1a')]] } };
    const [report] = play('zone-outage', [machine('a', 'm5.large', [db(0, there), db(1)]), single('b', { zone: 'us-east-1b' })]);
    expect(report.pending).toEqual(['default/db-0', 'default/db-1']);
    expect(report.unplaced[1]).toEqual({
      workload: 'StatefulSet default/db', pods: ['default/db-1'], why: 'its StatefulSet makes it only when those before it are ready',
    });
  });
});

describe('the times of a scenario', () => {
  test.each([['nodeStart', 0], ['podStart', 1.5], ['horizon', NaN]])('are refused where %s is %s', (name, seconds) => {
    expect(() => runScenario('drift', clusterOf([]), { times: { [name]: seconds } }))
      .toThrow(`times.${name}: not a whole number of seconds from 1 on, got ${seconds}; write for example`);
  });

  test('cut a scenario off at the horizon, also where nodes expire', () => {
    const node = single('a');
    const expiring = { ...node, claim: { ...node.claim!, createdAt: NOW, expireAfter: 2 * HOUR } };
    const cluster = clusterOf([expiring]);
    expect(runScenario('expiration', cluster, { start: NOW, times: { horizon: 3600 } })[0]).toMatchObject({ unfinished: true, timeline: [], seconds: 3600 });
    expect(runScenario('expiration', cluster, { start: NOW })[0].unfinished).toBe(false);
  });
});
