import { anyPool, ClusterMore, clusterOf, HOUR, machine, NOW, pod, PROTECTED } from './builders';
import { DEFAULT_NODE_CLASS, NodeClassFacts, ReservationFacts } from '../../src/catalog';
import { ClusterNode, ClusterPod } from '../../src/disruption';
import { bySavings, findCandidates, sceneOf } from '../../src/disruption/candidates';
import { input } from '../scheduling/builders';

function found(node: ClusterNode, more: ClusterMore = {}, disruptionClass: 'graceful' | 'eventual' = 'graceful') {
  const { candidates, blocked } = findCandidates(sceneOf(clusterOf([node], more), NOW), disruptionClass);
  return candidates.length > 0 ? 'candidate' : blocked[0].why;
}

const LABELS = { app: 'web' };
const blocker = { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 0 };

describe('a node that may be disrupted', () => {
  test.each<[string, Partial<ClusterNode>, string]>([
    ['is one of Karpenter', { claim: undefined }, "node isn't managed by karpenter"],
    ['does not go already', { deleting: true }, 'node is deleting or marked for deletion'],
    ['is up', { initialized: false }, "node isn't initialized"],
    ['has joined', { initialized: false, registered: false }, "node isn't initialized nor registered"],
    ['is there', { initialized: false, claimOnly: true }, 'nodeclaim does not have an associated node'],
    ['waits for no pod', { nominatedUntil: NOW + 1 }, 'node is nominated for a pending pod'],
    ['has no annotation against it', { annotations: PROTECTED }, 'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation'],
    ['is of a NodePool that is there', { labels: { 'karpenter.sh/nodepool': 'other' } }, 'NodePool not found (NodePool=other)'],
  ])('%s', (_, more, why) => {
    expect(found(machine('a', 'm5.large', [], more))).toBe(why);
  });

  test('may have waited for a pod, and may carry a duration, which nodes do not know', () => {
    expect(found(machine('a', 'm5.large', [], { nominatedUntil: NOW, annotations: { 'karpenter.sh/do-not-disrupt': '1h' } }))).toBe('candidate');
  });

  test.each<[string, Partial<ClusterPod>, string]>([
    ['a protected pod', { annotations: PROTECTED }, 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)'],
    ['a protected pod of a DaemonSet', { annotations: PROTECTED, daemon: true }, 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)'],
    ['a pod whose time is not over', { annotations: { 'karpenter.sh/do-not-disrupt': '1h' }, startedAt: NOW - HOUR + 1 },
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)'],
    ['a pod of whose start nothing is known', { annotations: { 'karpenter.sh/do-not-disrupt': '1h' }, startedAt: undefined },
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)'],
    ['a pod whose time is over', { annotations: { 'karpenter.sh/do-not-disrupt': '1h' }, startedAt: NOW - HOUR }, 'candidate'],
    ['a pod with a value that means nothing', { annotations: { 'karpenter.sh/do-not-disrupt': 'yes' } }, 'candidate'],
    ['a protected pod that ends', { annotations: PROTECTED, terminating: true }, 'candidate'],
  ])('is judged by its pods: %s', (_, more, why) => {
    expect(found(machine('a', 'm5.large', [pod('a', undefined, more)]))).toBe(why);
  });

  const held = machine('a', 'm5.large', [pod('a', undefined, { more: { labels: LABELS } })]);

  test('is judged by their PodDisruptionBudgets', () => {
    expect(found(held, { pdbs: [blocker] })).toBe('pdb prevents pod evictions (PodDisruptionBudget=[default/web])');
    expect(found(held, { pdbs: [blocker, { ...blocker, name: 'too' }] }))
      .toBe('eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/web default/too])');
  });

  test('is not judged by its pods when it drifts and they are given a time', () => {
    const bounded = { ...held, claim: { ...held.claim!, terminationGracePeriod: HOUR } };
    expect(found(bounded, { pdbs: [blocker] }, 'eventual')).toBe('candidate');
    expect(found(bounded, { pdbs: [blocker] }, 'graceful')).toContain('pdb prevents');
    expect(found(held, { pdbs: [blocker] }, 'eventual')).toContain('pdb prevents');
  });
});

describe('the order of candidates', () => {
  test('is that of what they save for each pod that has to move', () => {
    const nodes = [
      machine('dear-and-full', 'm5.4xlarge', Array.from({ length: 20 }, (_, at) => pod(`p${at}`))),
      machine('cheap-and-empty', 'm5.large'),
      machine('dear-and-empty', 'm5.2xlarge'),
    ];
    const { candidates } = findCandidates(sceneOf(clusterOf(nodes), NOW), 'graceful');
    expect(bySavings(candidates).map(({ node: { name } }) => name)).toEqual(['dear-and-empty', 'cheap-and-empty', 'dear-and-full']);
  });

  test('goes by prices of the zone and capacity type of the node', () => {
    const [candidate] = findCandidates(sceneOf(clusterOf([machine('a', 'm5.large')]), NOW), 'graceful').candidates;
    expect(candidate.price).toBe(0.096);
  });

  test('knows no price of reserved capacity while its gate is closed, and that of a reservation that expires', () => {
    const price = (more: Partial<ReservationFacts>) => {
      const reservation: ReservationFacts =
        { id: 'cr-1', instanceType: 'm5.large', zone: 'us-east-1a', type: 'default', interruptible: false, expiring: false, ...more };
      const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }];
      const node = machine('a', 'm5.large', [], { capacityType: 'reserved' });
      const cluster = clusterOf([node], { scheduling: input({ pools: [anyPool()], pods: [], nodeClasses }) });
      return findCandidates(sceneOf(cluster, NOW), 'graceful').candidates[0].price;
    };
    expect([price({}), price({ expiring: true }), price({ gated: true })]).toEqual([9.6e-9, 9.6e-9, 0]);
  });

  function priceIn(more: Partial<NodeClassFacts>, instanceType: string): number {
    const scheduling = input({ pools: [anyPool()], pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, ...more }] });
    return findCandidates(sceneOf(clusterOf([machine('a', instanceType)], { scheduling }), NOW), 'graceful').candidates[0].price;
  }

  test.each<[string, Partial<NodeClassFacts>]>([
    ['in a zone that its class has no subnet in any more', { zones: ['us-east-1b'] }],
    ['of a type that nobody can launch now', { unavailable: [{ instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'on-demand' }] }],
    ['of a type that its class can no longer run on', { nestedVirtualization: true }],
    ['without Nitro Enclaves, where its class asks for these now', { nitroEnclaves: true }],
  ])('knows the price of a node %s', (_, more) => {
    expect(priceIn(more, 'm5.large')).toBe(0.096);
  });

  test('knows the price of a node of a type that the placement group of its class no longer takes', () => {
    const placementGroup = { id: 'pg-1', strategy: 'cluster', partitions: 0 } as const;
    expect(priceIn({ placementGroup }, 't3.large')).toBe(0.0832);
  });
});
