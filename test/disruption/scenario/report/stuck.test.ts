import { ClusterNode, ClusterPod, PoolDisruption, runScenario, ScenarioReport } from '../../../../src/disruption';
import { stuckDrains } from '../../../../src/disruption/scenario/report/stuck';
import { ClusterMore, clusterOf, HOUR, machine, NOW, pod, PROTECTED } from '../../builders';
import { simulatedCluster } from '../builders';

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

describe('the remedy for a node that disruption budgets refuse', () => {
  const refused = (budgets: PoolDisruption['budgets'], nodes = [machine('a', 'm5.large', [web('x')])]) =>
    drift(nodes, { disruption: { budgets } });

  test('is for the budget that never allows a disruption, even if others have schedules', () => {
    const report = refused([{ nodes: '0' }, { nodes: '1', schedule: '0 0 * * *', duration: HOUR }]);
    expect(report).toMatchObject({ unfinished: false, seconds: 0 });
    expect(remedies(report)).toEqual([
      [
        'a',
        'allow disruptions at some time: give the budget that allows none a schedule and a duration, or reasons without Drifted',
      ],
    ]);
  });

  test('is a longer horizon if a schedule ends after the horizon', () => {
    const report = refused([
      { nodes: '0', schedule: '0 0 * * *', duration: 48 * HOUR },
      { nodes: '0', schedule: '0 0 2 * *', duration: 25 * DAY },
    ]);
    expect(report.unfinished).toBe(false);
    const once = refused([{ nodes: '0', schedule: '0 0 1 * *', duration: 25 * DAY }]);
    expect(once.unfinished).toBe(true);
    expect(remedies(once)).toEqual([
      ['a', 'use a longer horizon: on 2026-08-26T00:00:00.000Z its disruption budgets allow a disruption'],
    ]);
  });

  test('names the nodes that use up the budget', () => {
    const kept = machine('b', 'm5.large', [web('y', { annotations: PROTECTED })], { deleting: true });
    expect(remedies(refused([{ nodes: '1' }], [machine('a', 'm5.large', [web('x')]), kept]))).toContainEqual([
      'a',
      'resolve node b: nodes that are deleting or not ready use up the disruption budgets',
    ]);
  });

  test('ignores the schedules of budgets for other reasons', () => {
    const report = refused([
      { nodes: '0', reasons: ['Drifted'] },
      { nodes: '1', reasons: ['Empty'], schedule: '0 0 * * *', duration: HOUR },
    ]);
    expect(report.unfinished).toBe(false);
  });
});

describe('the remedy for a node that an annotation protects', () => {
  test('is for the annotation of an existing node', () => {
    const there = machine('a', 'm5.large', [web('x')], {
      annotations: PROTECTED,
      claim: { name: 'default-a', createdAt: NOW },
    });
    expect(remedies(drift([there]))).toEqual([['a', 'remove the annotation from the node']]);
  });

  test('is for the NodePool if a planned node gets the annotation from it, as launched nodes do', () => {
    const disruption = { annotations: PROTECTED };
    const planned = machine('a', 'm5.large', [web('x')], { annotations: PROTECTED });
    expect(remedies(drift([planned], { disruption }))).toEqual([
      ['a', 'remove the annotation from spec.template.metadata of the NodePool'],
    ]);
    const cluster = simulatedCluster(clusterOf([planned], { disruption }));
    expect(cluster.nodes.get(cluster.cloudProvider.launch('default', planned, undefined))!.node.annotations).toEqual(
      PROTECTED,
    );
  });

  test('is for the pod of an existing node, whose NodeClaim does not change; a DaemonSet would recreate the pod on the same node', () => {
    const there = (kept: ClusterPod) =>
      drift([machine('a', 'm5.large', [kept], { claim: { name: 'default-a', createdAt: NOW } })]);
    expect(
      [web('x', { annotations: PROTECTED }), web('y', { annotations: PROTECTED, daemon: true })].map(
        (kept) => remedies(there(kept))[0][1],
      ),
    ).toEqual([
      'cordon the node and delete the pod (terminationGracePeriod in the NodePool applies only to new nodes), or set the annotation to a duration instead of true',
      'set the annotation of the DaemonSet to a duration instead of true',
    ]);
  });

  test('is a longer horizon if the annotation of a pod expires', () => {
    const report = drift([
      machine('a', 'm5.large', [web('x', { annotations: { 'karpenter.sh/do-not-disrupt': '240h' } })]),
    ]);
    expect(remedies(report)).toEqual([
      ['a', 'use a longer horizon: on 2026-08-11T11:00:00.000Z the annotation expires'],
    ]);
  });
});

describe('the remedy for a drain', () => {
  const deletion = (claim: Partial<NonNullable<ClusterNode['claim']>>, more: Partial<ClusterPod> = {}) => {
    const node = machine('a', 'm5.large', [web('x', more)], { claim: { createdAt: NOW - HOUR, ...claim } });
    return runScenario('deletion', clusterOf([node], { pdbs: [KEEPS_ALL] }), {
      start: NOW,
      of: { kind: 'node', name: 'a' },
    })[0];
  };

  test('is for the pod that never terminates, if others terminate after the horizon', () => {
    const kept = [
      web('until', { annotations: { 'karpenter.sh/do-not-disrupt': '240h' } }),
      web('ever', { annotations: PROTECTED }),
    ];
    const [{ stuck }] = runScenario('deletion', clusterOf([machine('a', 'm5.2xlarge', kept)]), {
      start: NOW,
      of: { kind: 'node', name: 'a' },
    });
    expect(stuck).toEqual([
      {
        what: 'node a',
        why: 'pod default/ever has the annotation karpenter.sh/do-not-disrupt',
        remedy: 'set terminationGracePeriod in the NodePool, or set the annotation to a duration instead of true',
      },
    ]);
  });

  test.each<[string, Parameters<typeof deletion>, string]>([
    [
      'a longer horizon if its terminationGracePeriod ends after the horizon',
      [{ terminationGracePeriod: 20 * DAY }],
      'use a longer horizon: on 2026-08-21T12:00:00.000Z its terminationGracePeriod ends',
    ],
    [
      'the NodePool of a planned node',
      [{}],
      'allow one eviction at a time (maxUnavailable: 1, and at least two replicas), or set terminationGracePeriod in the NodePool',
    ],
    [
      'the pod of an existing node, whose NodeClaim does not change',
      [{ name: 'default-a' }],
      'allow one eviction at a time (maxUnavailable: 1, and at least two replicas), or delete the pod (terminationGracePeriod in the NodePool applies only to new nodes)',
    ],
  ])('is %s', (_, given, remedy) => {
    expect(remedies(deletion(...given))).toEqual([['a', remedy]]);
  });
});

test('a scenario may start before 1970', () => {
  expect(
    runScenario('drift', clusterOf([machine('a', 'm5.large', [web('x')])]), { start: Date.UTC(1960, 0) })[0],
  ).toMatchObject({ stuck: [], unfinished: false });
});

test('if the simulation is cut off, only nodes with blocked pods are stuck', () => {
  const nodes = [
    machine('a', 'm5.large', [web('x')], { deleting: true }),
    machine('b', 'm5.large', [web('y', { annotations: PROTECTED })], { deleting: true }),
  ];
  const cluster = simulatedCluster(clusterOf(nodes));
  for (const name of ['a', 'b']) cluster.nodes.get(name)!.phase = 'draining';
  expect(stuckDrains(cluster, true)).toEqual([expect.objectContaining({ what: 'node b' })]);
});
