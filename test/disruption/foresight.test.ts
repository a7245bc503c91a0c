import { anyPool, APART, clusterOf, HOUR, machine, NOW, pod } from './builders';
import { clusterOf as clusterOfScenario } from '../../conformance/disruption/ours';
import { generate } from '../../conformance/disruption/scenario/generate';
import { Cluster, ClusterNode } from '../../src/disruption';
import { Candidate, findCandidates, sceneOf } from '../../src/disruption/candidates';
import { Foresight } from '../../src/disruption/foresight';
import { simulate } from '../../src/disruption/simulation';
import { playScenario } from '../../src/validation';

/** Per candidate: what is foreseen, and why the simulation refuses it. */
function foreseen(cluster: Cluster, now: number, isFirstSimulated = true) {
  const scene = sceneOf(cluster, now);
  const { candidates } = findCandidates(scene, 'graceful');
  const refusal = (candidate: Candidate) => simulate(scene, [candidate], false).failure();
  refusal(candidates[0]);
  const foresight = new Foresight({ scene, now, ahead: Infinity }, candidates, false, isFirstSimulated);
  return candidates.map((candidate, at) => ({ isRefused: foresight.refuses(at), why: refusal(candidate) }));
}

/** Of nodes one in so many goes already, and one is not up yet and has only its daemons; two thirds of the others take no more pods. */
function unsettled(nodes: readonly ClusterNode[], every: number): ClusterNode[] {
  return nodes.map((node, at) => {
    if (at % every === 0) return { ...node, deleting: true };
    if (at % every === 1) return { ...node, initialized: false, pods: node.pods.filter(({ daemon }) => daemon) };
    return at % 3 === 0 ? node : { ...node, taints: [...node.taints, { key: 'full', value: '', effect: 'NoSchedule' }] };
  });
}

/** The longest texts name only some of the pods. */
const SAYS_SO = /uninitialized|other\(s\)/;

describe('what is foreseen of candidates', () => {
  const cases = Array.from({ length: 60 }, (_, at) => 7000 + at).flatMap((number) => [2, 3, 4, 5].map((every) => ({ number, every })));

  test('is what the simulation of each comes to, for nearly all that go to nodes that are not up yet', () => {
    const all = cases.flatMap(({ number, every }) => {
      const scenario = generate(108, number);
      const cluster = clusterOfScenario(scenario);
      const nodes = unsettled(cluster.nodes, every);
      const scene = { ...cluster, nodes };
      if (findCandidates(sceneOf(scene, scenario.now), 'graceful').candidates.length === 0) return [];
      return foreseen(scene, scenario.now, false).map((each) => ({ ...each, number, every }));
    });
    const told = all.filter(({ isRefused }) => isRefused);
    expect(told.filter(({ why }) => why === undefined || !SAYS_SO.test(why))).toEqual([]);
    const refused = all.filter(({ why }) => why?.includes('uninitialized'));
    expect(refused.length).toBeGreaterThan(40);
    expect(refused.filter(({ isRefused }) => isRefused).length).toBeGreaterThan(refused.length * 0.8);
  });

  const full = (name: string) => machine(name, 'm5.large', [pod(name, { cpu: '1500m' })]);
  const roomy = machine('new', 'm5.2xlarge', [], { initialized: false, claim: { createdAt: NOW - HOUR } });

  test('is told from the second on', () => {
    expect(foreseen(clusterOf([full('a'), full('b'), full('c'), roomy]), NOW).map(({ isRefused }) => isRefused)).toEqual([false, true, true]);
  });

  test('is told of the first, too, where nobody takes it to go', () => {
    expect(foreseen(clusterOf([full('a'), full('b'), roomy]), NOW, false).map(({ isRefused }) => isRefused)).toEqual([true, true]);
  });

  test('is nothing where pods of nodes that go already come to the new node first', () => {
    const going = machine('going', 'm5.4xlarge', [pod('large', { cpu: '7' })], { deleting: true });
    expect(foreseen(clusterOf([full('a'), full('b'), going, roomy]), NOW).map(({ isRefused, why }) => isRefused || why)).toEqual([undefined, undefined]);
  });

  test('is told of a node whose pods keep away from each other also when nodes before it have gone', () => {
    const alike = (name: string) => machine(name, 'm5.large', [pod(`web-${name}`, { cpu: '100m' }, APART)]);
    const nodes = [alike('a'), alike('b'), alike('c'), roomy];
    const cluster = clusterOf(nodes);
    const refused = (those: readonly ClusterNode[]) => foreseen({ ...cluster, nodes: those }, NOW, false).map(({ isRefused }) => isRefused);
    expect(refused(nodes)).toEqual([true, true, true]);
    expect(refused(nodes.slice(1))).toEqual([true, true]);
  });

  test('is not told while the nodes that the pool may have are used up', () => {
    const pools = [anyPool({ limits: new Map([['nodes', 4n]]) })];
    expect(foreseen(clusterOf([full('a'), full('b'), full('c'), roomy], { pools }), NOW).map(({ isRefused }) => isRefused)).toEqual([false, false, false]);
  });
});

describe('a roll of a fleet', () => {
  const workloads = Array.from({ length: 8 }, (_, at) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: app-${at}, namespace: default }
spec:
  replicas: 24
  selector: { matchLabels: { app: app-${at} } }
  template:
    metadata: { labels: { app: app-${at} } }
    spec:
      topologySpreadConstraints:
        - { topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: app-${at} } } }
      containers: [{ name: app, image: app:1, resources: { requests: { cpu: ${500 + at * 150}m, memory: 1Gi } } }]
`);
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

  test('goes the same way, foreseen or not', () => {
    const quick = playScenario(files, 'drift');
    const refuses = jest.spyOn(Foresight.prototype, 'refuses').mockReturnValue(false);
    const slow = playScenario(files, 'drift');
    expect(refuses.mock.calls.length).toBeGreaterThan(100);
    refuses.mockRestore();
    expect(quick.reports).toEqual(slow.reports);
    expect(quick.reports[0].before.nodes).toBeGreaterThan(50);
  });
});
