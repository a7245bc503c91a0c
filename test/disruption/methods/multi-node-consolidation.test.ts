import { DEFAULT_NODE_CLASS, NodeClassFacts } from '../../../src/catalog';
import { Cluster, ClusterNode, ClusterPod } from '../../../src/disruption';
import { DisruptionContext, runToCompletion } from '../../../src/disruption/context';
import { multiNodeConsolidation } from '../../../src/disruption/methods/multi-node-consolidation';
import { Label } from '../../../src/model';
import { input, isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod, PROTECTED } from '../builders';

function command(cluster: Cluster) {
  const { commands } = runToCompletion(multiNodeConsolidation, new DisruptionContext(cluster, NOW));
  return commands.map(({ decision, candidates, replacements }) => ({
    decision,
    nodes: candidates.map(({ node: { name } }) => name),
    types: replacements.map(({ instanceTypes }) => instanceTypes),
  }));
}

function poolOf(...types: string[]) {
  return anyPool({ requirements: [ofTypes(...types), isIn(Label.CAPACITY_TYPE, 'on-demand')] });
}

/** A node with one pod that leaves no room for a second one. */
function single(name: string, type: string, cpu: string): ClusterNode {
  return machine(name, type, [pod(`p-${name}`, { cpu })]);
}

/** Nodes in the order of their savings ratio if the cost of the pods increases. */
function row(count: number, podOf: (index: number) => ClusterPod): ClusterNode[] {
  return Array.from({ length: count }, (_, index) =>
    machine(`n${String(index).padStart(3, '0')}`, 'm5.large', [podOf(index)]),
  );
}

const GROUP = { id: 'pg-1', strategy: 'partition', partitions: 3 } as const;

describe('multiNodeConsolidation', () => {
  test('replaces two nodes by a cheaper one', () => {
    const nodes = [single('a', 'm5.xlarge', '600m'), single('b', 'm5.xlarge', '600m')].map((node) => ({
      ...node,
      allocatable: new Map([...node.allocatable, ['cpu', 700n]]),
    }));
    expect(command(clusterOf(nodes, { pools: [poolOf('m5.large', 'm5.xlarge', 'm5.2xlarge')] }))).toEqual([
      { decision: 'replace', nodes: ['a', 'b'], types: [['m5.large']] },
    ]);
  });

  test('does not replace nodes by one of the same type as a candidate, which could stay instead', () => {
    const nodes = [
      single('a', 'm5.2xlarge', '600m'),
      single('b', 'm5.2xlarge', '600m'),
      single('c', 'm5.large', '600m'),
    ].map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 700n]]) }));
    const [replace] = command(clusterOf(nodes, { pools: [poolOf('m5.large', 'm5.xlarge', 'm5.2xlarge')] }));
    expect(replace).toEqual({ decision: 'replace', nodes: ['a', 'b'], types: [['m5.large', 'm5.xlarge']] });
  });

  test('replaces nodes by one that is cheaper than all candidates of its type', () => {
    const nodes = [
      single('a', 'm5.2xlarge', '600m'),
      single('b', 'm5.2xlarge', '600m'),
      single('c', 'm5.large', '600m'),
    ].map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 700n]]) }));
    const [replace] = command(clusterOf(nodes, { pools: [poolOf('c5.large', 'm5.large', 'm5.xlarge', 'm5.2xlarge')] }));
    expect(replace).toEqual({ decision: 'replace', nodes: ['a', 'b', 'c'], types: [['c5.large']] });
  });

  test.each<[string, Record<string, string>, Partial<NodeClassFacts>, number]>([
    [
      'in a partition of the placement group of its class',
      { [Label.PLACEMENT_GROUP_PARTITION]: '2' },
      { placementGroup: GROUP },
      1,
    ],
    [
      'in a partition that the placement group of its class lacks',
      { [Label.PLACEMENT_GROUP_PARTITION]: '6' },
      { placementGroup: GROUP },
      0,
    ],
    ['older than the placement group of its class', {}, { placementGroup: GROUP }, 1],
    ['on demand, with the label of a reservation', { [Label.CAPACITY_RESERVATION_ID]: 'cr-1' }, {}, 0],
  ])('replaces nodes only if they match an offering of their class: a node %s', (_, labels, facts, commandCount) => {
    const nodes = ['a', 'b']
      .map((name) => machine(name, 'm5.xlarge', [pod(`p-${name}`, { cpu: '600m' })], { labels }))
      .map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 700n]]) }));
    const pools = [poolOf('m5.large', 'm5.xlarge')];
    const scheduling = input({ pools, pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, ...facts }] });
    expect(command(clusterOf(nodes, { pools, scheduling }))).toHaveLength(commandCount);
  });

  test('does nothing with a single candidate', () => {
    expect(command(clusterOf([single('a', 'm5.4xlarge', '100m')]))).toEqual([]);
  });

  test('deletes at most 101 nodes at once, where Karpenter intends 100', () => {
    const home = machine('home', 'm5.24xlarge', [pod('kept', undefined, { annotations: PROTECTED })]);
    const nodes = [...row(150, (index) => pod(`p${index}`, { cpu: '10m' })), home];
    const [{ decision, nodes: deleted }] = command(clusterOf(nodes));
    expect([decision, deleted.length]).toEqual(['delete', 101]);
    expect(deleted).toEqual(nodes.slice(0, 101).map(({ name }) => name));
  });

  test('disrupts no more nodes than the budgets allow', () => {
    const home = machine('home', 'm5.24xlarge', [pod('kept', undefined, { annotations: PROTECTED })]);
    const nodes = [...row(19, (index) => pod(`p${index}`, { cpu: '10m' })), home];
    expect(command(clusterOf(nodes, { disruption: { budgets: [{ nodes: '15%' }] } }))[0].nodes).toHaveLength(3);
  });

  test('finds the largest number of first candidates that fit elsewhere by binary search', () => {
    const home = machine('home', 'm5.large', [pod('kept', { cpu: '100m' }, { annotations: PROTECTED })]);
    const room = Number(home.allocatable.get('cpu')!) - 100;
    const nodes = [
      ...row(10, (index) => pod(`p${index}`, { cpu: '1500m', memory: '10Mi' }, { priority: index * 1_000 })),
      home,
    ];
    const sized = nodes.map((node) =>
      node === home
        ? { ...node, allocatable: new Map([...node.allocatable, ['cpu', BigInt(room + 100 + 3000)]]) }
        : node,
    );
    const commands = command(clusterOf(sized, { pools: [poolOf('m5.large')] }));
    expect(commands[0]).toEqual({ decision: 'delete', nodes: ['n000', 'n001', 'n002'], types: [] });
  });
});

describe('multiNodeConsolidation with the policy Balanced', () => {
  const tenNodes = (cost: number) =>
    Array.from({ length: 10 }, (_, index) =>
      machine(`n${index}`, 'm5.xlarge', [
        pod(`p${index}`, { cpu: '1500m' }, index === 0 ? { priority: cost * 2 ** 25 } : {}),
      ]),
    );
  const pass = (cost: number, consolidationPolicy: 'Balanced' | 'WhenEmptyOrUnderutilized') =>
    command(
      clusterOf(tenNodes(cost), { pools: [poolOf('m5.large', 'm5.xlarge')], disruption: { consolidationPolicy } }),
    );

  test('approves two nodes whose share of the savings equals their share of the disruption', () => {
    expect(pass(0, 'Balanced')[0].nodes.length).toBeGreaterThanOrEqual(2);
    expect(pass(0, 'Balanced')).toEqual(pass(0, 'WhenEmptyOrUnderutilized'));
  });
});
