import { anyPool, clusterOf, machine, NOW, pod, PROTECTED } from './builders';
import { DEFAULT_NODE_CLASS, NodeClassFacts } from '../../src/catalog';
import { Cluster, ClusterNode, ClusterPod } from '../../src/disruption';
import { sceneOf } from '../../src/disruption/candidates';
import { atOnce } from '../../src/disruption/deciding';
import { multiNodeConsolidation } from '../../src/disruption/multi-node';
import { Label } from '../../src/model';
import { input, isIn, ofTypes } from '../scheduling/builders';

function command(cluster: Cluster) {
  const { commands } = atOnce(multiNodeConsolidation, sceneOf(cluster, NOW));
  return commands.map(({ decision, candidates, replacements }) =>
    ({ decision, nodes: candidates.map(({ node: { name } }) => name), types: replacements.map(({ instanceTypes }) => instanceTypes) }));
}

function poolOf(...types: string[]) {
  return anyPool({ requirements: [ofTypes(...types), isIn(Label.CAPACITY_TYPE, 'on-demand')] });
}

/** A node with one pod that leaves no room for a second of its kind. */
function single(name: string, type: string, cpu: string): ClusterNode {
  return machine(name, type, [pod(`p-${name}`, { cpu })]);
}

/** Many nodes that save the less the higher their number, since their pods cost the more. */
function row(count: number, podOf: (at: number) => ClusterPod): ClusterNode[] {
  return Array.from({ length: count }, (_, at) => machine(`n${String(at).padStart(3, '0')}`, 'm5.large', [podOf(at)]));
}

const GROUP = { id: 'pg-1', strategy: 'partition', partitions: 3 } as const;

describe('consolidation of several nodes', () => {
  test('makes one cheaper node of two', () => {
    const nodes = [single('a', 'm5.xlarge', '600m'), single('b', 'm5.xlarge', '600m')].map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 700n]]) }));
    expect(command(clusterOf(nodes, { pools: [poolOf('m5.large', 'm5.xlarge', 'm5.2xlarge')] }))).toEqual([{ decision: 'replace', nodes: ['a', 'b'], types: [['m5.large']] }]);
  });

  test('does not make a node of a type that goes: the one that is there could stay', () => {
    const nodes = [single('a', 'm5.2xlarge', '600m'), single('b', 'm5.2xlarge', '600m'), single('c', 'm5.large', '600m')]
      .map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 700n]]) }));
    const [found] = command(clusterOf(nodes, { pools: [poolOf('m5.large', 'm5.xlarge', 'm5.2xlarge')] }));
    expect(found).toEqual({ decision: 'replace', nodes: ['a', 'b'], types: [['m5.large', 'm5.xlarge']] });
  });

  test('makes a node that is cheaper than every one of its type that goes', () => {
    const nodes = [single('a', 'm5.2xlarge', '600m'), single('b', 'm5.2xlarge', '600m'), single('c', 'm5.large', '600m')]
      .map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 700n]]) }));
    const [found] = command(clusterOf(nodes, { pools: [poolOf('c5.large', 'm5.large', 'm5.xlarge', 'm5.2xlarge')] }));
    expect(found).toEqual({ decision: 'replace', nodes: ['a', 'b', 'c'], types: [['c5.large']] });
  });

  test.each<[string, Record<string, string>, Partial<NodeClassFacts>, number]>([
    ['in a partition of the placement group of its class', { [Label.PLACEMENT_GROUP_PARTITION]: '2' }, { placementGroup: GROUP }, 1],
    ['in a partition that the placement group of its class has not', { [Label.PLACEMENT_GROUP_PARTITION]: '6' }, { placementGroup: GROUP }, 0],
    ['older than the placement group of its class', {}, { placementGroup: GROUP }, 1],
    ['on demand, with the label of a reservation', { [Label.CAPACITY_RESERVATION_ID]: 'cr-1' }, {}, 0],
  ])('takes nothing for cheaper than nodes that no offering of their class is like: %s', (_, labels, facts, found) => {
    const nodes = ['a', 'b'].map((name) => machine(name, 'm5.xlarge', [pod(`p-${name}`, { cpu: '600m' })], { labels }))
      .map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 700n]]) }));
    const pools = [poolOf('m5.large', 'm5.xlarge')];
    const scheduling = input({ pools, pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, ...facts }] });
    expect(command(clusterOf(nodes, { pools, scheduling }))).toHaveLength(found);
  });

  test('needs two nodes at least', () => {
    expect(command(clusterOf([single('a', 'm5.4xlarge', '100m')]))).toEqual([]);
  });

  test('deletes 101 at once where it means 100', () => {
    const home = machine('home', 'm5.24xlarge', [pod('kept', undefined, { annotations: PROTECTED })]);
    const nodes = [...row(150, (at) => pod(`p${at}`, { cpu: '10m' })), home];
    const [{ decision, nodes: gone }] = command(clusterOf(nodes));
    expect([decision, gone.length]).toEqual(['delete', 101]);
    expect(gone).toEqual(nodes.slice(0, 101).map(({ name }) => name));
  });

  test('takes no more than budgets allow', () => {
    const home = machine('home', 'm5.24xlarge', [pod('kept', undefined, { annotations: PROTECTED })]);
    const nodes = [...row(19, (at) => pod(`p${at}`, { cpu: '10m' })), home];
    expect(command(clusterOf(nodes, { disruption: { budgets: [{ nodes: '15%' }] } }))[0].nodes).toHaveLength(3);
  });

  test('halves: it finds as many of the first nodes as there is room for', () => {
    const home = machine('home', 'm5.large', [pod('kept', { cpu: '100m' }, { annotations: PROTECTED })]);
    const room = Number(home.allocatable.get('cpu')!) - 100;
    const nodes = [...row(10, (at) => pod(`p${at}`, { cpu: '1500m', memory: '10Mi' }, { priority: at * 1_000 })), home];
    const sized = nodes.map((node) => node === home ? { ...node, allocatable: new Map([...node.allocatable, ['cpu', BigInt(room + 100 + 3000)]]) } : node);
    const found = command(clusterOf(sized, { pools: [poolOf('m5.large')] }));
    expect(found[0]).toEqual({ decision: 'delete', nodes: ['n000', 'n001', 'n002'], types: [] });
  });
});

describe('the policy Balanced', () => {
  const ten = (cost: number) => Array.from({ length: 10 }, (_, at) =>
    machine(`n${at}`, 'm5.xlarge', [pod(`p${at}`, { cpu: '1500m' }, at === 0 ? { priority: cost * 2 ** 25 } : {})]));
  const pass = (cost: number, consolidationPolicy: 'Balanced' | 'WhenEmptyOrUnderutilized') =>
    command(clusterOf(ten(cost), { pools: [poolOf('m5.large', 'm5.xlarge')], disruption: { consolidationPolicy } }));

  test('lets two nodes pass that save as much as they disrupt', () => {
    expect(pass(0, 'Balanced')[0].nodes.length).toBeGreaterThanOrEqual(2);
    expect(pass(0, 'Balanced')).toEqual(pass(0, 'WhenEmptyOrUnderutilized'));
  });
});
