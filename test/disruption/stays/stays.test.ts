import { ClusterNode, NodeStay, PoolDisruption, runScenario, StayReason, Stays } from '../../../src/disruption';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, ClusterMore, clusterOf, HOUR, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from '../builders';
import { budget, web } from '../scenario/web-workload';

const POOL = anyPool({ requirements: [ofTypes('m5.large', 'm5.2xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] });
const OTHER = { owner: { kind: 'Deployment', name: 'other' } };
/** Takes the pods of the other nodes. It stays, because its own pod fits on no other node. */
const FULL = machine('z-full', 'm5.2xlarge', [pod('big', { cpu: '5' }, OTHER)]);
const small = (name: string, more: NodeMore = {}, podMore: Parameters<typeof pod>[2] = {}) =>
  machine(name, 'm5.large', [pod(`pod-${name}`, { cpu: '200m' }, podMore)], more);

function staysOf(nodes: readonly ClusterNode[], more: ClusterMore = {}): Stays {
  const cluster = clusterOf(nodes, { pools: [POOL], ...more });
  const [{ stays }] = runScenario('consolidation', cluster, { start: NOW, explainsStays: true });
  return stays!;
}

const stayOf = ({ nodes }: Stays, name: string): NodeStay => nodes.find(({ node }) => node === name)!;

describe('a node that stays', () => {
  test.each<[string, readonly ClusterNode[], ClusterMore, StayReason, string | undefined, string]>([
    [
      'with a do-not-disrupt pod is freed without the annotation of its workload',
      [small('a', {}, { annotations: PROTECTED }), FULL],
      {},
      'protected-pod',
      'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/pod-a)',
      'remove the annotation karpenter.sh/do-not-disrupt from Deployment default/web',
    ],
    [
      'with the annotation on the node is freed without it',
      [
        small('a', { annotations: PROTECTED, claim: { name: 'a', createdAt: NOW - HOUR, initializedAt: NOW - HOUR } }),
        FULL,
      ],
      {},
      'node-annotation',
      'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
      'remove the annotation karpenter.sh/do-not-disrupt from node a',
    ],
    [
      'behind a PodDisruptionBudget is freed by one eviction at a time',
      [machine('a', 'm5.large', [web('w', {}, '200m')]), FULL],
      { pdbs: [budget({ maxUnavailable: 0 })] },
      'pod-disruption-budget',
      'Pdb prevents pod evictions (PodDisruptionBudget=[default/web])',
      'write maxUnavailable: 1 in PodDisruptionBudget default/web',
    ],
    [
      'with two PodDisruptionBudgets is freed by one of them',
      [machine('a', 'm5.large', [web('w', {}, '200m')]), FULL],
      { pdbs: [budget(), budget({ name: 'other' })] },
      'pod-disruption-budget',
      'Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/web default/other])',
      'keep only PodDisruptionBudget default/web for its pods, not default/other',
    ],
    [
      'in a NodePool without consolidation is freed by consolidateAfter',
      [small('a'), FULL],
      { disruption: { consolidateAfter: undefined } },
      'consolidation-disabled',
      'NodePool "default" has consolidation disabled',
      'set consolidateAfter: 1m in NodePool default',
    ],
    [
      'in a NodePool with WhenEmpty is freed by WhenEmptyOrUnderutilized',
      [small('a'), FULL],
      { disruption: { consolidationPolicy: 'WhenEmpty' } },
      'when-empty',
      'NodePool "default" has consolidation policy WhenEmpty, but node is not empty',
      'set consolidationPolicy: WhenEmptyOrUnderutilized in NodePool default',
    ],
    [
      'because of a budget is freed by a budget of one node',
      [small('a'), FULL],
      { disruption: { budgets: [{ nodes: '0' }] } },
      'budget',
      'No allowed disruptions for disruption reason Underutilized due to blocking budget',
      'write nodes: "1" instead of "0" in the disruption budgets of NodePool default',
    ],
    [
      'without pods because of a budget for empty nodes is freed the same way',
      [machine('a', 'm5.large'), FULL],
      { disruption: { budgets: [{ nodes: '0', reasons: ['Empty'] }] } },
      'budget',
      'No allowed disruptions for disruption reason Empty due to blocking budget',
      'write nodes: "1" instead of "0" in the disruption budgets of NodePool default',
    ],
    [
      'because consolidateAfter is longer than the simulation is freed by a shorter one',
      [small('a'), FULL],
      { disruption: { consolidateAfter: 1_000 * HOUR } },
      'consolidate-after',
      undefined,
      'lower consolidateAfter to 1m in NodePool default',
    ],
    [
      'without a cheaper type is freed by a smaller type of its family',
      [machine('a', 'm5.2xlarge', [pod('x', { cpu: '2500m' })])],
      {},
      'not-cheaper',
      "Can't replace with a cheaper node",
      'allow instance type m5.xlarge in NodePool default',
    ],
  ])('%s', (_, nodes, more, reason, message, change) => {
    const stays = staysOf(nodes, more);
    const stay = stayOf(stays, 'a');
    expect([stay.reason, stay.event?.message, stay.change]).toEqual([reason, message, change]);
    expect(stay.savesUsdPerHour).toBeGreaterThan(0);
    expect(stays.changes).toMatchObject([{ change, nodes: expect.arrayContaining(['a']) }]);
  });

  test('is scored by the policy Balanced', () => {
    const crowd = Array.from({ length: 12 }, (_, index) => pod(`crowd-${index}`, { cpu: '20m' }));
    const nodes = [
      machine('a', 'm5.large', crowd),
      ...['b', 'c', 'd'].map((name) => machine(name, 'm5.2xlarge', [pod(`pod-${name}`, { cpu: '5' })])),
    ];
    const stay = stayOf(staysOf(nodes, { disruption: { consolidationPolicy: 'Balanced' } }), 'a');
    expect(stay).toMatchObject({
      reason: 'balanced-score',
      change: 'set consolidationPolicy: WhenEmptyOrUnderutilized in NodePool default',
    });
    expect(stay.event).toBeUndefined();
    expect(stay.why).toMatch(/scores the removal 0\.\d\d, and asks for 0\.50/);
  });

  test('is not freed by a change that uncovers another obstacle, and says which', () => {
    const full = machine('a', 'm5.2xlarge', [web('w', {}, '7')]);
    const stay = stayOf(staysOf([full], { pdbs: [budget({ maxUnavailable: 0 })] }), 'a');
    expect(stay.change).toBeUndefined();
    expect(stay.changesTried).toEqual(['write maxUnavailable: 1 in PodDisruptionBudget default/web']);
    expect(stay.stillThen).toContain('no other node has room for the pods');
  });

  test('is freed by two changes if two obstacles keep it', () => {
    const node = machine('a', 'm5.large', [
      web('w', {}, '200m'),
      pod('p', { cpu: '100m' }, { ...OTHER, annotations: PROTECTED }),
    ]);
    const [{ change }] = staysOf([node, FULL], { pdbs: [budget({ maxUnavailable: 0 })] }).changes;
    expect(change).toBe(
      'remove the annotation karpenter.sh/do-not-disrupt from Deployment default/other, and write maxUnavailable: 1 in PodDisruptionBudget default/web',
    );
  });

  test('has the time at which its protection ends', () => {
    const until = { annotations: { 'karpenter.sh/do-not-disrupt': '1000h' }, startedAt: NOW };
    const stay = stayOf(staysOf([small('a', {}, until), FULL]), 'a');
    expect(stay.until).toBe(new Date(NOW + 1_000 * HOUR).toISOString());
  });

  test('has the time at which its budgets open', () => {
    const yearly = { nodes: '0', schedule: '0 0 1 1 *', duration: 8_759 * HOUR };
    const stay = stayOf(staysOf([small('a'), FULL], { disruption: { budgets: [yearly] } }), 'a');
    expect([stay.reason, stay.until]).toEqual(['budget', '2026-12-31T23:00:00.000Z']);
  });

  test('of a static NodePool has no change', () => {
    const pools = [{ ...POOL, replicas: 1 }];
    const stay = stayOf(staysOf([small('a')], { pools }), 'a');
    expect([stay.reason, stay.event, stay.changesTried]).toEqual(['static-pool', undefined, []]);
  });

  test('in use has no change that saves money', () => {
    const { nodes, changes, savesUsdPerHour } = staysOf([machine('a', 'm5.2xlarge', [pod('x', { cpu: '7' })])]);
    expect(nodes).toMatchObject([{ node: 'a', reason: 'not-cheaper', savesUsdPerHour: 0, changesTried: [] }]);
    expect([changes, savesUsdPerHour]).toEqual([[], 0]);
  });
});

describe('the sum of all changes', () => {
  test('is less than its parts if the pods of one freed node need the other one', () => {
    const nodes = [small('a', {}, { annotations: PROTECTED }), machine('b', 'm5.large', [web('w', {}, '200m')])];
    const alone = { owner: { kind: 'Deployment', name: 'alone' } };
    const stays = staysOf([{ ...nodes[0], pods: [{ ...nodes[0].pods[0], ...alone }] }, nodes[1]], {
      pdbs: [budget({ maxUnavailable: 0 })],
    });
    expect(stays.changes).toHaveLength(2);
    const parts = stays.changes.reduce((sum, { savesUsdPerHour }) => sum + savesUsdPerHour, 0);
    expect(stays.savesUsdPerHour).toBeLessThan(parts);
    expect(stays.savesUsdPerHour).toBeGreaterThan(0);
  });

  test('counts one change of several nodes once', () => {
    const settings: Partial<PoolDisruption> = { consolidationPolicy: 'WhenEmpty' };
    const stays = staysOf([small('a'), small('b'), FULL], { disruption: settings });
    expect(stays.changes).toMatchObject([{ nodes: ['a', 'b'] }]);
    const shares = stays.nodes.reduce((sum, { savesUsdPerHour }) => sum + savesUsdPerHour, 0);
    expect(shares).toBeCloseTo(stays.savesUsdPerHour);
  });
});

test('a change that deletes a pod without a controller says so', () => {
  const bare = small('a', {}, { owner: undefined, annotations: PROTECTED });
  expect(staysOf([bare, FULL]).changes).toMatchObject([
    {
      change: 'remove the annotation karpenter.sh/do-not-disrupt from Pod default/pod-a',
      loses: ['default/pod-a'],
    },
  ]);
});

test('without the option, no reasons are computed', () => {
  const [report] = runScenario('consolidation', clusterOf([small('a')], { pools: [POOL] }), { start: NOW + MINUTE });
  expect(report.stays).toBeUndefined();
});
