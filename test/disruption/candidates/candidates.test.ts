import { DEFAULT_NODE_CLASS, NodeClassFacts, ReservationFacts } from '../../../src/catalog';
import { ClusterNode, ClusterPod } from '../../../src/disruption';
import { currentCandidate, findCandidates, sortBySavingsRatio } from '../../../src/disruption/candidates/candidates';
import { DisruptionContext } from '../../../src/disruption/context';
import { input } from '../../scheduling/builders';
import { anyPool, ClusterMore, clusterOf, HOUR, machine, NOW, pod, PROTECTED } from '../builders';

/** `candidate`, or why the node is blocked. */
function check(node: ClusterNode, more: ClusterMore = {}, disruptionClass: 'graceful' | 'eventual' = 'graceful') {
  const { candidates, blocked } = findCandidates(new DisruptionContext(clusterOf([node], more), NOW), disruptionClass);
  return candidates.length > 0 ? 'candidate' : blocked[0].why;
}

const LABELS = { app: 'web' };
const blocker = { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 0 };

describe('findCandidates', () => {
  test.each<[string, Partial<ClusterNode>, string]>([
    ['no NodeClaim', { claim: undefined }, "node isn't managed by karpenter"],
    ['a deletion under way', { deleting: true }, 'node is deleting or marked for deletion'],
    ['no initialization', { initialized: false }, "node isn't initialized"],
    ['no registration', { initialized: false, registered: false }, "node isn't initialized nor registered"],
    ['a NodeClaim only', { initialized: false, claimOnly: true }, 'nodeclaim does not have an associated node'],
    ['a nomination', { nominatedUntil: NOW + 1 }, 'node is nominated for a pending pod'],
    [
      'the do-not-disrupt annotation',
      { annotations: PROTECTED },
      'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
    ],
    [
      'a NodePool that does not exist',
      { labels: { 'karpenter.sh/nodepool': 'other' } },
      'NodePool not found (NodePool=other)',
    ],
  ])('blocks a node with %s', (_, more, why) => {
    expect(check(machine('a', 'm5.large', [], more))).toBe(why);
  });

  test('accepts a node whose nomination is over, and one with a duration in the annotation, which only pods support', () => {
    expect(
      check(
        machine('a', 'm5.large', [], { nominatedUntil: NOW, annotations: { 'karpenter.sh/do-not-disrupt': '1h' } }),
      ),
    ).toBe('candidate');
  });

  test.each<[string, Partial<ClusterPod>, string]>([
    ['a protected pod', { annotations: PROTECTED }, 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)'],
    [
      'a protected pod of a DaemonSet',
      { annotations: PROTECTED, daemon: true },
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)',
    ],
    [
      'a pod protected for some time',
      { annotations: { 'karpenter.sh/do-not-disrupt': '1h' }, startedAt: NOW - HOUR + 1 },
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)',
    ],
    [
      'a pod protected for some time since an unknown start',
      { annotations: { 'karpenter.sh/do-not-disrupt': '1h' }, startedAt: undefined },
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/a)',
    ],
    [
      'a pod whose protection is over',
      { annotations: { 'karpenter.sh/do-not-disrupt': '1h' }, startedAt: NOW - HOUR },
      'candidate',
    ],
    ['a pod with an invalid annotation', { annotations: { 'karpenter.sh/do-not-disrupt': 'yes' } }, 'candidate'],
    ['a protected pod that is terminating', { annotations: PROTECTED, terminating: true }, 'candidate'],
  ])('checks the pods of the node: %s', (_, more, why) => {
    expect(check(machine('a', 'm5.large', [pod('a', undefined, more)]))).toBe(why);
  });

  const withPdb = machine('a', 'm5.large', [pod('a', undefined, { more: { labels: LABELS } })]);

  test('blocks a node whose pods have an exhausted PDB, or two PDBs', () => {
    expect(check(withPdb, { pdbs: [blocker] })).toBe('pdb prevents pod evictions (PodDisruptionBudget=[default/web])');
    expect(check(withPdb, { pdbs: [blocker, { ...blocker, name: 'too' }] })).toBe(
      'eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/web default/too])',
    );
  });

  test('ignores the pods of a drifted node with a terminationGracePeriod', () => {
    const bounded = { ...withPdb, claim: { ...withPdb.claim!, terminationGracePeriod: HOUR } };
    expect(check(bounded, { pdbs: [blocker] }, 'eventual')).toBe('candidate');
    expect(check(bounded, { pdbs: [blocker] }, 'graceful')).toContain('pdb prevents');
    expect(check(withPdb, { pdbs: [blocker] }, 'eventual')).toContain('pdb prevents');
  });
});

describe('sortBySavingsRatio', () => {
  test('sorts by savings per pod that moves', () => {
    const nodes = [
      machine(
        'dear-and-full',
        'm5.4xlarge',
        Array.from({ length: 20 }, (_, index) => pod(`p${index}`)),
      ),
      machine('cheap-and-empty', 'm5.large'),
      machine('dear-and-empty', 'm5.2xlarge'),
    ];
    const { candidates } = findCandidates(new DisruptionContext(clusterOf(nodes), NOW), 'graceful');
    expect(sortBySavingsRatio(candidates).map(({ node: { name } }) => name)).toEqual([
      'dear-and-empty',
      'cheap-and-empty',
      'dear-and-full',
    ]);
  });
});

describe('Candidate.price', () => {
  test('is the price in the zone and capacity type of the node', () => {
    const [candidate] = findCandidates(
      new DisruptionContext(clusterOf([machine('a', 'm5.large')]), NOW),
      'graceful',
    ).candidates;
    expect(candidate.price).toBe(0.096);
  });

  test('is 0 for reserved capacity while its feature gate is off, and the normal price for an expiring reservation', () => {
    const price = (more: Partial<ReservationFacts>) => {
      const reservation: ReservationFacts = {
        id: 'cr-1',
        instanceType: 'm5.large',
        zone: 'us-east-1a',
        type: 'default',
        interruptible: false,
        expiring: false,
        ...more,
      };
      const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }];
      const node = machine('a', 'm5.large', [], { capacityType: 'reserved' });
      const cluster = clusterOf([node], { scheduling: input({ pools: [anyPool()], pods: [], nodeClasses }) });
      return findCandidates(new DisruptionContext(cluster, NOW), 'graceful').candidates[0].price;
    };
    expect([price({}), price({ expiring: true }), price({ gated: true })]).toEqual([9.6e-9, 9.6e-9, 0]);
  });

  function priceIn(more: Partial<NodeClassFacts>, instanceType: string): number {
    const scheduling = input({ pools: [anyPool()], pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, ...more }] });
    return findCandidates(
      new DisruptionContext(clusterOf([machine('a', instanceType)], { scheduling }), NOW),
      'graceful',
    ).candidates[0].price;
  }

  test.each<[string, Partial<NodeClassFacts>]>([
    ['in a zone in which its class has no subnet any more', { zones: ['us-east-1b'] }],
    [
      'of a type that is unavailable now',
      { unavailable: [{ instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'on-demand' }] },
    ],
    ['of a type that its class no longer supports', { nestedVirtualization: true }],
    ['without Nitro Enclaves, which its class requires now', { nitroEnclaves: true }],
  ])('is the normal price of a node %s', (_, more) => {
    expect(priceIn(more, 'm5.large')).toBe(0.096);
  });

  test('is the normal price of a type that the placement group of its class does not support', () => {
    const placementGroup = { id: 'pg-1', strategy: 'cluster', partitions: 0 } as const;
    expect(priceIn({ placementGroup }, 't3.large')).toBe(0.0832);
  });
});

describe('currentCandidate', () => {
  const contextWith = (nodes: readonly ClusterNode[]) => new DisruptionContext(clusterOf(nodes), NOW);
  const [candidate] = findCandidates(contextWith([machine('a', 'm5.large', [pod('p')])]), 'graceful').candidates;

  test('returns the same node if nothing has changed', () => {
    expect(currentCandidate(candidate, contextWith([candidate.node]))?.node).toBe(candidate.node);
  });

  test('returns the node as it is now', () => {
    const changed = { ...candidate.node, pods: [] };
    expect(currentCandidate(candidate, contextWith([changed]))).toMatchObject({
      node: { name: 'a', pods: [] },
      reschedulable: [],
    });
  });

  test.each([
    ['deleting', [{ ...candidate.node, deleting: true }]],
    ['gone', []],
  ])('returns undefined if the node is %s', (_, nodes) => {
    expect(currentCandidate(candidate, contextWith(nodes))).toBeUndefined();
  });
});
