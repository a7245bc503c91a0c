import { Cluster, ClusterNode } from '../../../src/disruption';
import { findCandidates } from '../../../src/disruption/candidates/candidates';
import { DisruptionContext } from '../../../src/disruption/context';
import { simulateScheduling } from '../../../src/disruption/simulation/simulate-scheduling';
import { UnreadyNodeFilter } from '../../../src/disruption/simulation/unready-node-filter';
import { Candidate } from '../../../src/disruption/types';
import { simulateScenario } from '../../../src/validation';
import { clusterOf as clusterOfScenario } from '../../support/disruption-scenario/cluster';
import { generate } from '../../support/disruption-scenario/generate';
import { anyPool, APART, clusterOf, HOUR, machine, NOW, pod } from '../builders';

/** For each candidate, whether it is rejected, and the failure of its simulation. */
function filterResults(cluster: Cluster, now: number, skipsFirst = true) {
  const context = new DisruptionContext(cluster, now);
  const { candidates } = findCandidates(context, 'graceful');
  const refusal = (candidate: Candidate) => simulateScheduling(context, [candidate]).failure();
  refusal(candidates[0]);
  const filter = new UnreadyNodeFilter({ context, now, simulationsAhead: Infinity }, candidates, skipsFirst);
  return candidates.map((candidate, index) => ({ isRejected: filter.isRejected(index), why: refusal(candidate) }));
}

/**
 * Marks every `every`th node as deleting, and the next one as uninitialized without pods except daemons. Two thirds of
 * the others take no more pods.
 */
function withUnreadyNodes(nodes: readonly ClusterNode[], every: number): ClusterNode[] {
  return nodes.map((node, index) => {
    if (index % every === 0) return { ...node, deleting: true };
    if (index % every === 1) return { ...node, initialized: false, pods: node.pods.filter(({ daemon }) => daemon) };
    return index % 3 === 0
      ? node
      : { ...node, taints: [...node.taints, { key: 'full', value: '', effect: 'NoSchedule' }] };
  });
}

/** Long messages name only some of the pods. */
const NAMES_UNINITIALIZED = /uninitialized|other\(s\)/;

describe('UnreadyNodeFilter', () => {
  const cases = Array.from({ length: 60 }, (_, index) => 7000 + index).flatMap((number) =>
    [2, 3, 4, 5].map((every) => ({ number, every })),
  );

  test('rejects only candidates whose simulation fails, and most of those whose pods go to uninitialized nodes', () => {
    const all = cases.flatMap(({ number, every }) => {
      const scenario = generate(108, number);
      const cluster = clusterOfScenario(scenario);
      const nodes = withUnreadyNodes(cluster.nodes, every);
      const unready = { ...cluster, nodes };
      if (findCandidates(new DisruptionContext(unready, scenario.now), 'graceful').candidates.length === 0) return [];
      return filterResults(unready, scenario.now, false).map((result) => ({ ...result, number, every }));
    });
    const rejected = all.filter(({ isRejected }) => isRejected);
    expect(rejected.filter(({ why }) => why === undefined || !NAMES_UNINITIALIZED.test(why))).toEqual([]);
    const refused = all.filter(({ why }) => why?.includes('uninitialized'));
    expect(refused.length).toBeGreaterThan(40);
    expect(refused.filter(({ isRejected }) => isRejected).length).toBeGreaterThan(refused.length * 0.8);
  });

  const full = (name: string) => machine(name, 'm5.large', [pod(name, { cpu: '1500m' })]);
  const roomy = machine('new', 'm5.2xlarge', [], { initialized: false, claim: { createdAt: NOW - HOUR } });

  test('checks candidates from the second on', () => {
    expect(
      filterResults(clusterOf([full('a'), full('b'), full('c'), roomy]), NOW).map(({ isRejected }) => isRejected),
    ).toEqual([false, true, true]);
  });

  test('checks the first candidate too unless it is skipped', () => {
    expect(
      filterResults(clusterOf([full('a'), full('b'), roomy]), NOW, false).map(({ isRejected }) => isRejected),
    ).toEqual([true, true]);
  });

  test('rejects nothing if pods of deleting nodes fill the uninitialized node first', () => {
    const deleting = machine('deleting', 'm5.4xlarge', [pod('large', { cpu: '7' })], { deleting: true });
    expect(
      filterResults(clusterOf([full('a'), full('b'), deleting, roomy]), NOW).map(
        ({ isRejected, why }) => isRejected || why,
      ),
    ).toEqual([undefined, undefined]);
  });

  test('rejects nodes with anti-affine pods also after earlier nodes are gone', () => {
    const alike = (name: string) => machine(name, 'm5.large', [pod(`web-${name}`, { cpu: '100m' }, APART)]);
    const nodes = [alike('a'), alike('b'), alike('c'), roomy];
    const cluster = clusterOf(nodes);
    const refused = (those: readonly ClusterNode[]) =>
      filterResults({ ...cluster, nodes: those }, NOW, false).map(({ isRejected }) => isRejected);
    expect(refused(nodes)).toEqual([true, true, true]);
    expect(refused(nodes.slice(1))).toEqual([true, true]);
  });

  test('rejects nothing while the NodePool is at its node limit', () => {
    const pools = [anyPool({ limits: new Map([['nodes', 4n]]) })];
    expect(
      filterResults(clusterOf([full('a'), full('b'), full('c'), roomy], { pools }), NOW).map(
        ({ isRejected }) => isRejected,
      ),
    ).toEqual([false, false, false]);
  });
});

describe('UnreadyNodeFilter in a roll of a fleet', () => {
  const workloads = Array.from(
    { length: 8 },
    (_, index) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: app-${index}, namespace: default }
spec:
  replicas: 24
  selector: { matchLabels: { app: app-${index} } }
  template:
    metadata: { labels: { app: app-${index} } }
    spec:
      topologySpreadConstraints:
        - { topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: app-${index} } } }
      containers: [{ name: app, image: app:1, resources: { requests: { cpu: ${500 + index * 150}m, memory: 1Gi } } }]
`,
  );
  const pool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: default }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      expireAfter: Never
      requirements:
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
        - { key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["4"] }
  disruption: { consolidationPolicy: WhenEmpty, consolidateAfter: Never, budgets: [{ nodes: 25% }] }
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: KarpenterNodeRole
  amiSelectorTerms: [{ alias: al2023@v20260101 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: test } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: test } }]
`;
  const files = [{ path: 'fleet.yaml', text: [pool, ...workloads].join('---\n') }];

  test('does not change the result', () => {
    const filtered = simulateScenario(files, 'drift');
    const isRejected = jest.spyOn(UnreadyNodeFilter.prototype, 'isRejected').mockReturnValue(false);
    const unfiltered = simulateScenario(files, 'drift');
    expect(isRejected.mock.calls.length).toBeGreaterThan(100);
    isRejected.mockRestore();
    expect(filtered.reports).toEqual(unfiltered.reports);
    expect(filtered.reports[0].before.nodes).toBeGreaterThan(50);
  });
});
