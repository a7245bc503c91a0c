import { DEFAULT_REPAIR } from '../../../../src/contract';
import {
  ClusterNode,
  ClusterPod,
  PodDisruptionBudget,
  runScenario,
  ScenarioReport,
  workloadKey,
} from '../../../../src/disruption';
import { Label, Toleration } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, ClusterMore, clusterOf, HOUR, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from '../../builders';

const LABELS = { app: 'web' };
const WEB = workloadKey('default', { kind: 'Deployment', name: 'web' });
const KEPT: PodDisruptionBudget = {
  namespace: 'default',
  name: 'web',
  selector: { matchLabels: LABELS },
  maxUnavailable: 0,
};
const OPEN = { settings: { nodeRepair: true } };

const web = (name: string, more: Partial<ClusterPod> = {}) =>
  pod(name, { cpu: '1500m' }, { ...more, more: { labels: LABELS } });
const single = (name: string, more: NodeMore = {}) => machine(name, 'm5.large', [web(`web-${name}`)], more);

function failNodes(nodes: readonly ClusterNode[], more: ClusterMore = {}, replicas?: number): ScenarioReport[] {
  const pools = [
    anyPool({
      requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')],
      ...(replicas === undefined ? {} : { replicas }),
    }),
  ];
  return runScenario('node-repair', clusterOf(nodes, { pools, replicas: new Map([[WEB, nodes.length]]), ...more }), {
    start: NOW,
  });
}

const events = ({ timeline }: ScenarioReport) =>
  timeline
    .filter(({ what }) => !what.startsWith('Deployment'))
    .map(({ second, what }) => [second, what.replace(/ \(.*/, '')]);

describe('an unreachable node', () => {
  test('stays without node repair, and its pods are recreated when Kubernetes marks them as lost', () => {
    const [report] = failNodes([single('a')]);
    expect(events(report)).toEqual([
      [0, 'a is no longer heard of'],
      [350, 'default-new-0 is launched'],
      [410, 'default-new-0 is up'],
    ]);
    expect(report.stuck).toEqual([
      {
        what: 'node a',
        why: 'it is not ready, and the feature gate NodeRepair is off',
        remedy: 'set settings.featureGates.nodeRepair: true',
      },
    ]);
    expect(report.workloads[0]).toMatchObject({ lowestReady: 0, evictions: 1 });
  });

  describe('loses its pods when their tolerations end', () => {
    const tolerating = (...tolerations: readonly Toleration[]) =>
      machine('a', 'm5.large', [pod('web', { cpu: '1500m' }, { more: { labels: LABELS, tolerations } })]);
    const launched = (...tolerations: readonly Toleration[]) =>
      failNodes([tolerating(...tolerations)])[0].timeline.find(({ what }) => what.includes('is launched'))?.second;
    const some = (tolerationSeconds?: number): Toleration => ({
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds,
    });

    test.each<[string, readonly Toleration[], number | undefined]>([
      ['without a toleration, after the default one', [], 350],
      ['after a short toleration', [some(20)], 70],
      ['at once, with zero seconds', [some(0)], 50],
      ['after a long toleration', [some(900)], 950],
      ['never, without tolerationSeconds', [some()], undefined],
      ['never, if a toleration matches every taint', [{ operator: 'Exists' }], undefined],
      ['after the first of several tolerations, even if another one is shorter', [some(60), some(20), some()], 110],
      [
        'never, if a toleration of every taint comes before one with an end',
        [{ operator: 'Exists' }, some(20)],
        undefined,
      ],
      [
        'without a toleration of this taint',
        [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 }],
        350,
      ],
    ])('%s', (_, tolerations, seconds) => {
      expect(launched(...tolerations)).toBe(seconds);
    });
  });

  test('is repaired after half an hour if the feature gate is open', () => {
    const [report] = failNodes([single('a')], OPEN);
    expect(events(report).slice(3)).toEqual([
      [1800, 'Repair decides to delete a'],
      [1800, 'a drains'],
      [1805, 'a is terminated'],
    ]);
    expect(report).toMatchObject({ stuck: [], pending: [], after: { nodes: 1 } });
  });

  test('is repaired despite do-not-disrupt annotations and PodDisruptionBudgets', () => {
    const nodes = [
      single('a', { annotations: PROTECTED }),
      machine('b', 'm5.large', [web('kept', { annotations: PROTECTED })]),
    ];
    for (const report of failNodes(nodes, { ...OPEN, pdbs: [KEPT] })) expect(report.stuck).toEqual([]);
  });

  test('waits for disruption budgets of the reason Unhealthy, and does not count itself', () => {
    const [report] = failNodes([single('a')], { ...OPEN, disruption: { budgets: [{ nodes: '1' }] } });
    expect(report.stuck).toEqual([]);
    const [held] = failNodes([single('a')], {
      ...OPEN,
      disruption: { budgets: [{ nodes: '0', reasons: ['Unhealthy'] }] },
    });
    expect(held.stuck[0].why).toBe('the disruption budgets of NodePool "default" allow no more at this time');
    const [other] = failNodes([single('a')], {
      ...OPEN,
      disruption: { budgets: [{ nodes: '0', reasons: ['Drifted'] }] },
    });
    expect(other.stuck).toEqual([]);
  });

  test('is not repaired with the annotation do-not-repair', () => {
    const [report] = failNodes([single('a', { annotations: { 'karpenter.sh/do-not-repair': 'true' } })], OPEN);
    expect(report.stuck[0].why).toBe('repair is blocked through the "karpenter.sh/do-not-repair" annotation');
  });

  test('is not repaired if more than a fifth of the nodes of its NodePool are unhealthy', () => {
    const sick = (name: string) => single(name, { ready: false, faults: [{ since: NOW - MINUTE, ...DEFAULT_REPAIR }] });
    const [report] = failNodes([single('a'), sick('b'), sick('c')], OPEN);
    expect(report.stuck.map(({ why }) => why)).toContain('more than 20% of nodes in nodepool "default" are unhealthy');
  });

  test('keeps pods of StatefulSets and DaemonSets until it is removed', () => {
    const set = web('db-0', { owner: { kind: 'StatefulSet', name: 'db' } });
    const agent = pod('agent', { cpu: '50m' }, { daemon: true, owner: { kind: 'DaemonSet', name: 'agent' } });
    const [report] = failNodes([machine('a', 'm5.large', [set, agent])], OPEN);
    // Karpenter evicts the DaemonSet pod, and stops waiting for it after 30 seconds of grace and a minute.
    expect(events(report)).toContainEqual([1800 + 60 + 91, 'a is terminated']);
    expect(report.pending).toEqual([]);
    expect(report.lost).toEqual([]);
  });

  test('is replaced by one node if its NodePool is static', () => {
    const [report] = failNodes([single('a')], OPEN, 1);
    expect(events(report).slice(1)).toEqual([
      [1800, 'Repair decides to replace a'],
      [1800, 'default-new-0 is launched'],
      [1860, 'default-new-0 is up'],
      [1860, 'a drains'],
      [1865, 'a is terminated'],
    ]);
    expect(report).toMatchObject({ pending: [], after: { nodes: 1 } });
  });

  test('that Karpenter does not manage has no report', () => {
    expect(failNodes([{ ...single('a'), claim: undefined }], OPEN)).toEqual([]);
  });
});

describe('the drain of a repaired node', () => {
  test('takes at most ten minutes, or a shorter terminationGracePeriod', () => {
    const ready = (name: string, terminationGracePeriod?: number) => {
      const node = machine(name, 'm5.large', [web(`web-${name}`, { terminationGraceSeconds: 0 })], {
        faults: [{ since: NOW - HOUR, ...DEFAULT_REPAIR }],
      });
      return {
        ...node,
        claim: { ...node.claim!, ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }) },
      };
    };
    // Node a has been unhealthy for an hour, and its kubelet responds. It is repaired while another node fails.
    const goneAt = (bound?: number) => {
      const nodes = [
        ...['x', 'y', 'z'].map((name) => single(name)),
        ...['v', 'w'].map((name) => single(name)),
        ready('a', bound),
      ];
      const [report] = failNodes(nodes, { ...OPEN, pdbs: [KEPT] });
      return (
        report.timeline.find(({ what }) => what === 'a is terminated')!.second -
        report.timeline.find(({ what }) => what === 'a drains')!.second
      );
    };
    // Its eviction is tried every ten seconds, and it has one second to terminate.
    expect(goneAt()).toBe(Math.ceil(602.7 + 1));
    expect(goneAt(5 * MINUTE)).toBe(Math.ceil(302.7 + 1));
    expect(goneAt(HOUR)).toBe(Math.ceil(602.7 + 1));
  });
});
