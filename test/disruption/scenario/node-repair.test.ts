import { DEFAULT_REPAIR } from '../../../src/contract';
import { ClusterNode, ClusterPod, PodBudget, runScenario, ScenarioReport, workloadKey } from '../../../src/disruption';
import { Label, Toleration } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, ClusterMore, clusterOf, HOUR, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from '../builders';

const LABELS = { app: 'web' };
const WEB = workloadKey('default', { kind: 'Deployment', name: 'web' });
const KEPT: PodBudget = { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 0 };
const OPEN = { settings: { nodeRepair: true } };

const web = (name: string, more: Partial<ClusterPod> = {}) => pod(name, { cpu: '1500m' }, { ...more, more: { labels: LABELS } });
const single = (name: string, more: NodeMore = {}) => machine(name, 'm5.large', [web(`web-${name}`)], more);

function fall(nodes: readonly ClusterNode[], more: ClusterMore = {}, replicas?: number): ScenarioReport[] {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')], ...(replicas === undefined ? {} : { replicas }) })];
  return runScenario('node-repair', clusterOf(nodes, { pools, replicas: new Map([[WEB, nodes.length]]), ...more }), { start: NOW });
}

const told = ({ timeline }: ScenarioReport) => timeline.filter(({ what }) => !what.startsWith('Deployment'))
  .map(({ second, what }) => [second, what.replace(/ \(.*/, '')]);

describe('a node that is no longer heard of', () => {
  test('has its pods made anew elsewhere when Kubernetes takes them for lost, and stays where nobody repairs it', () => {
    const [report] = fall([single('a')]);
    expect(told(report)).toEqual([[0, 'a is no longer heard of'], [350, 'default-new-0 is launched'], [410, 'default-new-0 is up']]);
    expect(report.stuck).toEqual([{
      what: 'node a',
      why: 'it is not ready, and the feature gate NodeRepair is off',
      remedy: 'open the gate: settings.featureGates.nodeRepair: true',
    }]);
    expect(report.workloads[0]).toMatchObject({ lowestReady: 0, evictions: 1 });
  });

  describe('has its pods taken for lost when their tolerations say', () => {
    const tolerating = (...tolerations: readonly Toleration[]) =>
      machine('a', 'm5.large', [pod('web', { cpu: '1500m' }, { more: { labels: LABELS, tolerations } })]);
    const launched = (...tolerations: readonly Toleration[]) =>
      fall([tolerating(...tolerations)])[0].timeline.find(({ what }) => what.includes('is launched'))?.second;
    const some = (tolerationSeconds?: number): Toleration => ({ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds });

    test.each<[string, readonly Toleration[], number | undefined]>([
      ['without one, after those that Kubernetes gives them', [], 350],
      ['soon', [some(20)], 70],
      ['at once', [some(0)], 50],
      ['late', [some(900)], 950],
      ['never', [some()], undefined],
      ['never, by one that tolerates everything', [{ operator: 'Exists' }], undefined],
      ['by the first of several, though another one is shorter', [some(60), some(20), some()], 110],
      ['never, by one that tolerates everything and comes before one of an end', [{ operator: 'Exists' }, some(20)], undefined],
      ['without one of this taint', [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 }], 350],
    ])('%s', (_, tolerations, seconds) => {
      expect(launched(...tolerations)).toBe(seconds);
    });
  });

  test('is replaced after half an hour where Karpenter repairs nodes', () => {
    const [report] = fall([single('a')], OPEN);
    expect(told(report).slice(3)).toEqual([[1800, 'Repair decides to delete a'], [1800, 'a drains'], [1805, 'a is gone']]);
    expect(report).toMatchObject({ stuck: [], pending: [], after: { nodes: 1 } });
  });

  test('is replaced whatever its own annotation and those of its pods say, and a PodDisruptionBudget', () => {
    const nodes = [single('a', { annotations: PROTECTED }), machine('b', 'm5.large', [web('kept', { annotations: PROTECTED })])];
    for (const report of fall(nodes, { ...OPEN, pdbs: [KEPT] })) expect(report.stuck).toEqual([]);
  });

  test('waits for the disruption budgets of the reason Unhealthy, in which it does not count itself', () => {
    const [report] = fall([single('a')], { ...OPEN, disruption: { budgets: [{ nodes: '1' }] } });
    expect(report.stuck).toEqual([]);
    const [held] = fall([single('a')], { ...OPEN, disruption: { budgets: [{ nodes: '0', reasons: ['Unhealthy'] }] } });
    expect(held.stuck[0].why).toBe('the disruption budgets of NodePool "default" allow no more at this time');
    const [other] = fall([single('a')], { ...OPEN, disruption: { budgets: [{ nodes: '0', reasons: ['Drifted'] }] } });
    expect(other.stuck).toEqual([]);
  });

  test('is left alone with the annotation do-not-repair', () => {
    const [report] = fall([single('a', { annotations: { 'karpenter.sh/do-not-repair': 'true' } })], OPEN);
    expect(report.stuck[0].why).toBe('repair is blocked through the "karpenter.sh/do-not-repair" annotation');
  });

  test('is left alone where more than a fifth of the nodes of its pool are not well', () => {
    const sick = (name: string) => single(name, { ready: false, faults: [{ since: NOW - MINUTE, ...DEFAULT_REPAIR }] });
    const [report] = fall([single('a'), sick('b'), sick('c')], OPEN);
    expect(report.stuck.map(({ why }) => why)).toContain('more than 20% of nodes in nodepool "default" are unhealthy');
  });

  test('keeps the pods of a StatefulSet and of a DaemonSet until it is gone', () => {
    const set = web('db-0', { owner: { kind: 'StatefulSet', name: 'db' } });
    const agent = pod('agent', { cpu: '50m' }, { daemon: true, owner: { kind: 'DaemonSet', name: 'agent' } });
    const [report] = fall([machine('a', 'm5.large', [set, agent])], OPEN);
    // The DaemonSet's pod is told to end, and when 30 seconds of grace and a minute are over nobody waits for it.
    expect(told(report)).toContainEqual([1800 + 60 + 91, 'a is gone']);
    expect(report.pending).toEqual([]);
    expect(report.lost).toEqual([]);
  });

  test('of a static pool is replaced one for one', () => {
    const [report] = fall([single('a')], OPEN, 1);
    expect(told(report).slice(1)).toEqual([
      [1800, 'Repair decides to replace a'], [1800, 'default-new-0 is launched'], [1860, 'default-new-0 is up'], [1860, 'a drains'], [1865, 'a is gone'],
    ]);
    expect(report).toMatchObject({ pending: [], after: { nodes: 1 } });
  });

  test('that is not Karpenter\'s is none of its business', () => {
    expect(fall([{ ...single('a'), claim: undefined }], OPEN)).toEqual([]);
  });
});

describe('a drain that is bounded', () => {
  test('by Karpenter\'s ten minutes is shorter where the terminationGracePeriod is', () => {
    const ready = (name: string, terminationGracePeriod?: number) => {
      const node = machine(name, 'm5.large', [web(`web-${name}`, { terminationGraceSeconds: 0 })], { faults: [{ since: NOW - HOUR, ...DEFAULT_REPAIR }] });
      return { ...node, claim: { ...node.claim!, ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }) } };
    };
    // Not well for an hour, though its kubelet answers: another node falls, and this one is repaired meanwhile.
    const goneAt = (bound?: number) => {
      const nodes = [...['x', 'y', 'z'].map((name) => single(name)), ...['v', 'w'].map((name) => single(name)), ready('a', bound)];
      const [report] = fall(nodes, { ...OPEN, pdbs: [KEPT] });
      return report.timeline.find(({ what }) => what === 'a is gone')!.second - report.timeline.find(({ what }) => what === 'a drains')!.second;
    };
    // Its eviction is tried every ten seconds, and it has a second to end.
    expect(goneAt()).toBe(Math.ceil(602.7 + 1));
    expect(goneAt(5 * MINUTE)).toBe(Math.ceil(302.7 + 1));
    expect(goneAt(HOUR)).toBe(Math.ceil(602.7 + 1));
  });
});
