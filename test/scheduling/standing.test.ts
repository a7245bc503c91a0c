import fc from 'fast-check';
import { CATALOG, daemonSet, input, isIn, node, ofTypes, pods, pool, running, shape } from './builders';
import { clusterOf } from '../../conformance/disruption/ours';
import { generate } from '../../conformance/disruption/scenario/generate';
import { DEFAULT_NODE_CLASS } from '../../src/catalog';
import { findCandidates, sceneOf } from '../../src/disruption/candidates';
import { simulate } from '../../src/disruption/simulation';
import { ExistingNode, leftBehind, placementsOf, PodGroup, RunningPod, ScheduleInput, solveAgain, SolvedInput, solveInput } from '../../src/scheduling';
import { StandingProblem } from '../../src/scheduling/standing/standing-problem';

/** Of a solve, all that anybody asks for. */
function answerOf(solved: SolvedInput) {
  return { ...placementsOf(solved), left: [...leftBehind(solved)], notEvaluated: solved.notEvaluated };
}

const WEB = shape({ cpu: '500m', memory: '1Gi' }, {
  labels: { app: 'web' },
  topologySpread: [{ topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } }],
});
const WAITING: PodGroup = { namespace: 'default', name: 'web', count: 3, shape: WEB };
const POOLS = [pool([], { limits: new Map([['cpu', 40_000n]]) })];
const BASE = input({ pools: POOLS, pods: [] });

function busy(name: string, zone = 'us-east-1a', more: Partial<ExistingNode> = {}): ExistingNode {
  const pod = { namespace: 'default', name: `web-${name}`, shape: WEB, daemon: false };
  return node(name, { cpu: '2', memory: '8Gi' }, { labels: { 'topology.kubernetes.io/zone': zone }, pods: [pod], ...more });
}

/** Asks about one state of a cluster after another, and expects of each what a solve of its own comes to. */
function expectSame(states: ReadonlyArray<Pick<ScheduleInput, 'nodes' | 'pods'> & { readonly placer?: 'Karpenter' | 'Kubernetes' }>): void {
  for (const { placer, ...state } of states) {
    const scene = { ...BASE, ...state };
    expect(answerOf(solveAgain(scene, CATALOG, placer))).toEqual(answerOf(solveInput(scene, CATALOG)));
  }
}

describe('a cluster that is asked about again and again', () => {
  test.each(Array.from({ length: 40 }, (_, at) => 5000 + at))('scenario %i: each node taken away in turn comes to what one solve comes to', (number) => {
    const scenario = generate(107, number);
    const cluster = clusterOf(scenario);
    const scene = sceneOf(cluster, scenario.now);
    const { candidates } = findCandidates(scene, 'graceful');
    const simulations = [true, false].flatMap((settles) => candidates.map((candidate) => simulate(scene, [candidate], settles)));
    const alone = simulations.map(({ input: asked }) => answerOf(solveInput(asked, cluster.catalog)));
    expect(simulations.map(({ solved }) => answerOf(solved))).toEqual(alone);
  });

  const [a, b, c] = [busy('a'), busy('b', 'us-east-1b'), busy('c', 'us-east-1c')];

  test('counts a node no longer that is gone, and one that has come', () => {
    expectSame([{ nodes: [a, b, c], pods: [WAITING] }, { nodes: [a, b], pods: [WAITING] }, { nodes: [a, b, busy('d', 'us-east-1c')], pods: [WAITING] }]);
  });

  test('takes a node for another once its object is another', () => {
    expectSame([
      { nodes: [a, b, c], pods: [WAITING] },
      { nodes: [a, { ...b, leaving: true, pods: [] }, c], pods: [WAITING] },
      { nodes: [a, b, c], pods: [WAITING] },
    ]);
  });

  test('asks a node that is up now before those that are not', () => {
    const later = busy('a', 'us-east-1a', { initialized: false });
    expectSame([{ nodes: [later, b], pods: [WAITING] }, { nodes: [a, b], pods: [WAITING] }]);
  });

  test('knows pods of a kind that was not there before', () => {
    const other = pods('batch', 2, { cpu: '1' }, { nodeSelector: { team: 'blue' } });
    expectSame([{ nodes: [a, b], pods: [WAITING] }, { nodes: [a, b], pods: [WAITING, other] }]);
  });

  test('keeps what it has encoded where the pods that moved are back on their node, each of a kind of its own', () => {
    const single = (name: string) => ({ namespace: 'default', name, shape: shape({ cpu: '500m' }), daemon: false });
    const machines = ['a', 'b', 'c'].map((name) => node(name, { cpu: '2', memory: '8Gi' }, { pods: [single(`web-${name}`)] }));
    const encoded = jest.spyOn(StandingProblem, 'of');
    expectSame(machines.map((gone) => ({
      nodes: machines.map((each) => each === gone ? { ...each, leaving: true, pods: [] } : each),
      pods: gone.pods.map(({ name, namespace, shape: own }) => ({ namespace, name, shape: own, count: 1, moving: true })),
    })));
    expect(encoded).toHaveBeenCalledTimes(1);
    encoded.mockRestore();
  });

  test('provisions and simulates by turns, each as it treats pods that a reservation has no room for', () => {
    const reservation = { id: 'cr-1', instanceType: 'm5.large', zone: 'us-east-1a', type: 'default', interruptible: false, expiring: false, free: 1 } as const;
    const nodeClasses = new Map([[pool([]).nodeClass, { ...DEFAULT_NODE_CLASS, reservations: [reservation] }]]);
    const nodePools = [{ ...pool([]), requirements: [ofTypes('m5.large', 'c5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')] }];
    const large = pods('large', 2, { cpu: '1200m' });
    const encoded = jest.spyOn(StandingProblem, 'of');
    const counts = ([undefined, 'Fallback', undefined, 'Fallback'] as const).map((reservedOfferings) => {
      const scene = { ...BASE, nodeClasses, nodePools, nodes: [], pods: [large], settings: { reservedOfferings } };
      const solved = solveAgain(scene, CATALOG);
      expect(answerOf(solved)).toEqual(answerOf(solveInput(scene, CATALOG)));
      return placementsOf(solved).nodeClaims.length;
    });
    expect(counts).toEqual([1, 2, 1, 2]);
    expect(encoded).toHaveBeenCalledTimes(1);
    encoded.mockRestore();
  });

  test('knows labels and taints that no node had before', () => {
    const blue = pods('batch', 2, { cpu: '1' }, { nodeSelector: { team: 'blue' }, tolerations: [{ key: 'blue', operator: 'Exists' }] });
    const tainted = node('t', { cpu: '4', memory: '8Gi' }, { labels: { team: 'blue' }, taints: [{ key: 'blue', value: 'yes', effect: 'NoSchedule' }] });
    expectSame([{ nodes: [a], pods: [WAITING, blue] }, { nodes: [a, tainted], pods: [WAITING, blue] }]);
  });

  test('lets a pool launch what the nodes of the moment leave of its limits', () => {
    const large = node('large', { cpu: '39', memory: '100Gi' }, { pods: [running('full', { cpu: '38', memory: '90Gi' })] });
    expectSame([{ nodes: [a], pods: [WAITING] }, { nodes: [a, large], pods: [{ ...WAITING, count: 8 }] }]);
  });

  test('counts a hundred nodes, of which many change at once', () => {
    const many = Array.from({ length: 100 }, (_, at) => busy(`n${at}`, `us-east-1${'abc'[at % 3]}`));
    const fewer = many.map((each, at) => at % 3 === 0 ? { ...each, leaving: true, pods: [] } : each);
    expectSame([{ nodes: many, pods: [WAITING] }, { nodes: fewer, pods: [{ ...WAITING, count: 40 }] }]);
  });

  /** Each way that a node may be in is one object, as long as the cluster is asked about. */
  const ways = ['gone', 'up', 'empty', 'coming', 'leaving'] as const;
  const seen = new Map<string, ExistingNode>();

  function inWay(at: number, way: Exclude<typeof ways[number], 'gone'>): ExistingNode {
    const more = { up: {}, empty: { pods: [] }, coming: { pods: [], initialized: false }, leaving: { leaving: true } }[way];
    const key = `n${at} ${way}`;
    const labels = { 'topology.kubernetes.io/zone': `us-east-1${'abc'[at % 3]}`, 'rack': `r${at % 5}` };
    const found = seen.get(key) ?? busy(`n${at}`, undefined, { labels, ...more });
    seen.set(key, found);
    return found;
  }

  /** No pool offers a rack: each is known by its nodes alone. */
  const racked = shape({ cpu: '250m' }, {
    labels: { app: 'web' },
    topologySpread: [{ topologyKey: 'rack', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } }],
  });

  test('comes to what one solve comes to, however nodes come, go and change', () => {
    const way = fc.constantFrom(...ways);
    const changed = fc.array(fc.record({ at: fc.nat(8), way }), { minLength: 1, maxLength: 3 });
    const placer = fc.constantFrom('Karpenter' as const, 'Kubernetes' as const);
    const step = fc.record({ changes: changed, count: fc.integer({ min: 1, max: 7 }), placer });
    fc.assert(fc.property(fc.array(way, { minLength: 9, maxLength: 9 }), fc.array(step, { minLength: 2, maxLength: 6 }), (first, steps) => {
      const nodes = [...first];
      expectSame(steps.map(({ changes, count, placer: asking }) => {
        for (const change of changes) nodes[change.at] = change.way;
        return {
          placer: asking,
          nodes: nodes.flatMap((each, at) => each === 'gone' ? [] : inWay(at, each)),
          pods: [{ ...WAITING, count }, { ...WAITING, name: 'racked', shape: racked, count }],
        };
      }));
    }), { numRuns: 40 });
  });

  /** Kinds of pods, of which some want what no node has, and some are of a DaemonSet that other nodes lack. */
  const agent = daemonSet('agent', { cpu: '300m', memory: '1Gi' });
  const agents = [agent];
  const kinds: readonly RunningPod[] = [
    { namespace: 'default', name: 'web', shape: WEB, daemon: false },
    { namespace: 'default', name: 'web', shape: WEB, daemon: false, terminating: true },
    running('large', { cpu: '1500m' }),
    running('odd', { 'cpu': '100m', 'example.com/device': 1 }),
    { ...running('agent', {}), namespace: 'kube-system', shape: agent.shape, daemon: true },
  ];

  test('comes to what one solve comes to, whichever pods come to nodes and go', () => {
    const inhabited = fc.array(fc.array(fc.nat(kinds.length - 1), { maxLength: 6 }), { minLength: 3, maxLength: 3 });
    fc.assert(fc.property(fc.array(inhabited, { minLength: 2, maxLength: 6 }), fc.integer({ min: 1, max: 7 }), (states, count) => {
      for (const state of states) {
        const nodes = [a, b, c].map((each, at) => ({ ...each, pods: state[at].map((kind) => kinds[kind]) }));
        const scene = { ...BASE, nodes, pods: [{ ...WAITING, count }], daemonSets: agents };
        expect(answerOf(solveAgain(scene, CATALOG))).toEqual(answerOf(solveInput(scene, CATALOG)));
      }
    }), { numRuns: 60 });
  });
});

describe('pools that launch others than those that were asked about', () => {
  const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
  const nodes = [busy('a'), busy('b', 'us-east-1b'), busy('c', 'us-east-1c')];
  const [whole] = POOLS;
  const inZones = (operator: 'In' | 'NotIn', values: readonly string[]) =>
    ({ ...BASE, nodePools: [{ ...whole, requirements: [...whole.requirements, { key: 'topology.kubernetes.io/zone', operator, values }] }], nodes, pods: [WAITING] });
  const classesIn = (values: readonly string[]) => new Map([...BASE.nodeClasses].map(([name, facts]) => [name, { ...facts, zones: values }]));

  function expectSameOf(scenes: readonly ScheduleInput[]): void {
    for (const scene of scenes) expect(answerOf(solveAgain(scene, CATALOG))).toEqual(answerOf(solveInput(scene, CATALOG)));
  }

  test('share what is encoded of pods and nodes', () => {
    const settings = { ...BASE.settings };
    const namespaces = new Map([['default', {}]]);
    const encoded = jest.spyOn(StandingProblem, 'of');
    const scenes = [
      inZones('In', zones), inZones('NotIn', ['us-east-1b']), { ...inZones('In', zones), nodeClasses: classesIn(zones.slice(1)) }, inZones('NotIn', zones),
    ];
    expectSameOf(scenes.map((scene) => ({ ...scene, settings, namespaces })));
    expect(encoded).toHaveBeenCalledTimes(1);
    encoded.mockRestore();
  });

  test('are asked about anew where they tell of what nobody has named before', () => {
    const taints = [{ key: 'blue', value: 'yes', effect: 'NoSchedule' }] as const;
    const blue = { ...inZones('In', zones), nodePools: [{ ...whole, requirements: [{ key: 'team', operator: 'In', values: ['blue'] }] as const }] };
    expectSameOf([
      inZones('In', zones), inZones('In', ['us-east-1a', 'us-west-2a']), blue, { ...inZones('In', zones), nodePools: [{ ...whole, taints }] },
      { ...inZones('In', zones), nodePools: [whole, { ...whole, name: 'second' }] },
    ]);
  });

  test('come to what one solve comes to, whichever zones they and their classes leave', () => {
    const some = fc.subarray(zones);
    const scene = fc.record({ operator: fc.constantFrom('In' as const, 'NotIn' as const), listed: some, offered: some, count: fc.integer({ min: 1, max: 7 }) });
    fc.assert(fc.property(fc.array(scene, { minLength: 2, maxLength: 6 }), (scenes) => {
      expectSameOf(scenes.map(({ operator, listed, offered, count }) =>
        ({ ...inZones(operator, listed), nodeClasses: classesIn(offered), pods: [{ ...WAITING, count }] })));
    }), { numRuns: 60 });
  });
});

describe('asks one by one', () => {
  test('where it matters which of two pods comes first', () => {
    const spread = WEB.topologySpread!.map((each) => ({ ...each, minDomains: 3 }));
    const other = { ...WAITING, name: 'other', shape: { ...WEB, topologySpread: spread } };
    expect(StandingProblem.of({ ...BASE, pods: [WAITING] }, CATALOG)).toBeDefined();
    expect(StandingProblem.of({ ...BASE, pods: [WAITING, other] }, CATALOG)).toBeUndefined();
    expectSame([{ nodes: [], pods: [WAITING, other] }, { nodes: [], pods: [other, WAITING] }]);
  });

  test('where a static pool is to have nodes first', () => {
    expect(StandingProblem.of({ ...BASE, nodePools: [pool([], { replicas: 2 })], pods: [WAITING] }, CATALOG)).toBeUndefined();
  });

  test('where a pod is given up whose anti-affinity counts all the same', () => {
    const claims = { ...WAITING, name: 'gpu', shape: { ...WEB, resourceClaims: true } };
    expect(StandingProblem.of({ ...BASE, pods: [claims] }, CATALOG)).toBeUndefined();
  });
});
