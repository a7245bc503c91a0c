import fc from 'fast-check';
import { DEFAULT_NODE_CLASS } from '../../../src/catalog';
import { findCandidates } from '../../../src/disruption/candidates/candidates';
import { DisruptionContext } from '../../../src/disruption/context';
import { simulateScheduling } from '../../../src/disruption/simulation/simulate-scheduling';
import {
  ExistingNode,
  leftBehind,
  plannedPlacements,
  PodGroup,
  RunningPod,
  ScheduleInput,
  SchedulingSession,
  SolvedInput,
  solveInput,
} from '../../../src/scheduling';
import { IncrementalSolver } from '../../../src/scheduling/incremental/incremental-solver';
import { clusterOf } from '../../support/disruption-scenario/cluster';
import { generate } from '../../support/disruption-scenario/generate';
import { CATALOG, daemonSet, input, isIn, node, ofTypes, pods, pool, running, shape } from '../builders';

/** Every part of a solution that callers read. */
function answerOf(solved: SolvedInput) {
  return { ...plannedPlacements(solved), left: [...leftBehind(solved)], notEvaluated: solved.notEvaluated };
}

const WEB = shape(
  { cpu: '500m', memory: '1Gi' },
  {
    labels: { app: 'web' },
    topologySpread: [
      {
        topologyKey: 'topology.kubernetes.io/zone',
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ],
  },
);
const PENDING: PodGroup = { namespace: 'default', name: 'web', count: 3, shape: WEB };
const POOLS = [pool([], { limits: new Map([['cpu', 40_000n]]) })];
const BASE = input({ pools: POOLS, pods: [] });

function busyNode(name: string, zone = 'us-east-1a', more: Partial<ExistingNode> = {}): ExistingNode {
  const pod = { namespace: 'default', name: `web-${name}`, shape: WEB, daemon: false };
  return node(
    name,
    { cpu: '2', memory: '8Gi' },
    { labels: { 'topology.kubernetes.io/zone': zone }, pods: [pod], ...more },
  );
}

type ClusterState = Pick<ScheduleInput, 'nodes' | 'pods'> & { readonly scheduler?: 'Karpenter' | 'Kubernetes' };

/** Solves the states of a cluster one after another in one session, and expects the answers of independent solves. */
function expectSameAnswers(states: readonly ClusterState[], session = new SchedulingSession(CATALOG)): void {
  for (const { scheduler, ...state } of states) {
    const query = { ...BASE, ...state };
    expect(answerOf(session.solve(query, scheduler))).toEqual(answerOf(solveInput(query, CATALOG)));
  }
}

/** Expects that a session encodes its queries from scratch so many times. */
function expectEncodings(times: number, solveQueries: (session: SchedulingSession) => void): void {
  const create = jest.spyOn(IncrementalSolver, 'create');
  solveQueries(new SchedulingSession(CATALOG));
  expect(create).toHaveBeenCalledTimes(times);
  create.mockRestore();
}

describe('SchedulingSession', () => {
  test.each(Array.from({ length: 40 }, (_, index) => 5000 + index))(
    'scenario %i: simulates the removal of each node like an independent solve',
    (number) => {
      const scenario = generate(107, number);
      const cluster = clusterOf(scenario);
      const context = new DisruptionContext(cluster, scenario.now);
      const { candidates } = findCandidates(context, 'graceful');
      const simulations = [true, false].flatMap((avoidsSettlingNodes) =>
        candidates.map((candidate) => simulateScheduling(context, [candidate], { avoidsSettlingNodes })),
      );
      const independent = simulations.map(({ input: query }) => answerOf(solveInput(query, cluster.catalog)));
      expect(simulations.map(({ solved }) => answerOf(solved))).toEqual(independent);
    },
  );

  const [a, b, c] = [busyNode('a'), busyNode('b', 'us-east-1b'), busyNode('c', 'us-east-1c')];

  test('forgets a removed node, and takes up an added one', () => {
    expectSameAnswers([
      { nodes: [a, b, c], pods: [PENDING] },
      { nodes: [a, b], pods: [PENDING] },
      { nodes: [a, b, busyNode('d', 'us-east-1c')], pods: [PENDING] },
    ]);
  });

  test('encodes a node again when its object is replaced', () => {
    expectSameAnswers([
      { nodes: [a, b, c], pods: [PENDING] },
      { nodes: [a, { ...b, markedForDeletion: true, pods: [] }, c], pods: [PENDING] },
      { nodes: [a, b, c], pods: [PENDING] },
    ]);
  });

  test('tries a node before uninitialized ones once it is initialized', () => {
    const uninitialized = busyNode('a', 'us-east-1a', { initialized: false });
    expectSameAnswers([
      { nodes: [uninitialized, b], pods: [PENDING] },
      { nodes: [a, b], pods: [PENDING] },
    ]);
  });

  test('solves a query with pods of a new kind', () => {
    const other = pods('batch', 2, { cpu: '1' }, { nodeSelector: { team: 'blue' } });
    expectSameAnswers([
      { nodes: [a, b], pods: [PENDING] },
      { nodes: [a, b], pods: [PENDING, other] },
    ]);
  });

  test('reuses the encoding when moved pods are back on their node, each of its own kind', () => {
    const single = (name: string) => ({ namespace: 'default', name, shape: shape({ cpu: '500m' }), daemon: false });
    const machines = ['a', 'b', 'c'].map((name) =>
      node(name, { cpu: '2', memory: '8Gi' }, { pods: [single(`web-${name}`)] }),
    );
    expectEncodings(1, (session) =>
      expectSameAnswers(
        machines.map((removed) => ({
          nodes: machines.map((machine) =>
            machine === removed ? { ...machine, markedForDeletion: true, pods: [] } : machine,
          ),
          pods: removed.pods.map(({ name, namespace, shape: podShape }) => ({
            namespace,
            name,
            shape: podShape,
            count: 1,
            notPending: true,
          })),
        })),
        session,
      ),
    );
  });

  test('applies the reservedOfferings setting of each query when provisioning and simulations alternate', () => {
    const reservation = {
      id: 'cr-1',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      type: 'default',
      interruptible: false,
      expiring: false,
      free: 1,
    } as const;
    const nodeClasses = new Map([[pool([]).nodeClass, { ...DEFAULT_NODE_CLASS, reservations: [reservation] }]]);
    const nodePools = [
      {
        ...pool([]),
        requirements: [ofTypes('m5.large', 'c5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')],
      },
    ];
    const large = pods('large', 2, { cpu: '1200m' });
    expectEncodings(1, (session) => {
      const counts = ([undefined, 'Fallback', undefined, 'Fallback'] as const).map((reservedOfferings) => {
        const query = { ...BASE, nodeClasses, nodePools, nodes: [], pods: [large], settings: { reservedOfferings } };
        const solved = session.solve(query);
        expect(answerOf(solved)).toEqual(answerOf(solveInput(query, CATALOG)));
        return plannedPlacements(solved).nodeClaims.length;
      });
      expect(counts).toEqual([1, 2, 1, 2]);
    });
  });

  test('solves a query with new node labels and taints', () => {
    const blue = pods(
      'batch',
      2,
      { cpu: '1' },
      { nodeSelector: { team: 'blue' }, tolerations: [{ key: 'blue', operator: 'Exists' }] },
    );
    const tainted = node(
      't',
      { cpu: '4', memory: '8Gi' },
      { labels: { team: 'blue' }, taints: [{ key: 'blue', value: 'yes', effect: 'NoSchedule' }] },
    );
    expectSameAnswers([
      { nodes: [a], pods: [PENDING, blue] },
      { nodes: [a, tainted], pods: [PENDING, blue] },
    ]);
  });

  test('limits a pool by the nodes of the current query', () => {
    const large = node(
      'large',
      { cpu: '39', memory: '100Gi' },
      { pods: [running('full', { cpu: '38', memory: '90Gi' })] },
    );
    expectSameAnswers([
      { nodes: [a], pods: [PENDING] },
      { nodes: [a, large], pods: [{ ...PENDING, count: 8 }] },
    ]);
  });

  test('rebuilds the node table when many of a hundred nodes change', () => {
    const many = Array.from({ length: 100 }, (_, index) => busyNode(`n${index}`, `us-east-1${'abc'[index % 3]}`));
    const fewer = many.map((machine, index) =>
      index % 3 === 0 ? { ...machine, markedForDeletion: true, pods: [] } : machine,
    );
    expectSameAnswers([
      { nodes: many, pods: [PENDING] },
      { nodes: fewer, pods: [{ ...PENDING, count: 40 }] },
    ]);
  });

  /** A node in a state is always the same object, as in a simulated cluster. */
  const states = ['absent', 'running', 'empty', 'uninitialized', 'deleting'] as const;
  const nodesInState = new Map<string, ExistingNode>();

  function nodeInState(index: number, state: Exclude<(typeof states)[number], 'absent'>): ExistingNode {
    const more = {
      running: {},
      empty: { pods: [] },
      uninitialized: { pods: [], initialized: false },
      deleting: { markedForDeletion: true },
    }[state];
    const key = `n${index} ${state}`;
    const labels = { 'topology.kubernetes.io/zone': `us-east-1${'abc'[index % 3]}`, rack: `r${index % 5}` };
    const existing = nodesInState.get(key) ?? busyNode(`n${index}`, undefined, { labels, ...more });
    nodesInState.set(key, existing);
    return existing;
  }

  /** No pool offers a rack: the domains are only known from nodes. */
  const racked = shape(
    { cpu: '250m' },
    {
      labels: { app: 'web' },
      topologySpread: [
        {
          topologyKey: 'rack',
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    },
  );

  test('answers like independent solves when nodes are added, removed and changed', () => {
    const session = new SchedulingSession(CATALOG);
    const state = fc.constantFrom(...states);
    const changes = fc.array(fc.record({ index: fc.nat(8), state }), { minLength: 1, maxLength: 3 });
    const step = fc.record({
      changes,
      count: fc.integer({ min: 1, max: 7 }),
      scheduler: fc.constantFrom('Karpenter' as const, 'Kubernetes' as const),
    });
    fc.assert(
      fc.property(
        fc.array(state, { minLength: 9, maxLength: 9 }),
        fc.array(step, { minLength: 2, maxLength: 6 }),
        (initialStates, steps) => {
          const current = [...initialStates];
          expectSameAnswers(
            steps.map(({ changes: changed, count, scheduler }) => {
              for (const change of changed) current[change.index] = change.state;
              return {
                scheduler,
                nodes: current.flatMap((nodeState, index) =>
                  nodeState === 'absent' ? [] : nodeInState(index, nodeState),
                ),
                pods: [
                  { ...PENDING, count },
                  { ...PENDING, name: 'racked', shape: racked, count },
                ],
              };
            }),
            session,
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  /** Kinds of pods: one requests a resource that no node has, and one belongs to a DaemonSet that other nodes lack. */
  const agent = daemonSet('agent', { cpu: '300m', memory: '1Gi' });
  const agents = [agent];
  const kinds: readonly RunningPod[] = [
    { namespace: 'default', name: 'web', shape: WEB, daemon: false },
    { namespace: 'default', name: 'web', shape: WEB, daemon: false, terminating: true },
    running('large', { cpu: '1500m' }),
    running('odd', { cpu: '100m', 'example.com/device': 1 }),
    { ...running('agent', {}), namespace: 'kube-system', shape: agent.shape, daemon: true },
  ];

  test('answers like independent solves when pods are added to nodes and removed', () => {
    const session = new SchedulingSession(CATALOG);
    const kindsByNode = fc.array(fc.array(fc.nat(kinds.length - 1), { maxLength: 6 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(kindsByNode, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        (steps, count) => {
          for (const step of steps) {
            const nodes = [a, b, c].map((machine, index) => ({
              ...machine,
              pods: step[index].map((kind) => kinds[kind]),
            }));
            const query = { ...BASE, nodes, pods: [{ ...PENDING, count }], daemonSets: agents };
            expect(answerOf(session.solve(query))).toEqual(answerOf(solveInput(query, CATALOG)));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('encodes pods that were gone for a while only once', () => {
    const create = jest.spyOn(IncrementalSolver, 'create');
    const session = new SchedulingSession(CATALOG);
    const others = ['first', 'second'].map((app) => ({
      ...PENDING,
      name: app,
      shape: shape({ cpu: '1' }, { labels: { app } }),
    }));
    const [first, second] = others.map((group) => ({ nodes: [busyNode('a')], pods: [group] }));
    expectSameAnswers([first, second, first, second, first], session);
    expect(create).toHaveBeenCalledTimes(2);
    create.mockRestore();
  });
});

describe('SchedulingSession with changing NodePools', () => {
  const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
  const nodes = [busyNode('a'), busyNode('b', 'us-east-1b'), busyNode('c', 'us-east-1c')];
  const [whole] = POOLS;
  const inZones = (operator: 'In' | 'NotIn', values: readonly string[]) => ({
    ...BASE,
    nodePools: [
      { ...whole, requirements: [...whole.requirements, { key: 'topology.kubernetes.io/zone', operator, values }] },
    ],
    nodes,
    pods: [PENDING],
  });
  const classesIn = (values: readonly string[]) =>
    new Map([...BASE.nodeClasses].map(([name, facts]) => [name, { ...facts, zones: values }]));

  function expectSameAnswersForPools(
    queries: readonly ScheduleInput[],
    session = new SchedulingSession(CATALOG),
  ): void {
    for (const query of queries) expect(answerOf(session.solve(query))).toEqual(answerOf(solveInput(query, CATALOG)));
  }

  test('shares encoded pods and nodes between pools with different zones', () => {
    const settings = { ...BASE.settings };
    const namespaces = new Map([['default', {}]]);
    const queries = [
      inZones('In', zones),
      inZones('NotIn', ['us-east-1b']),
      { ...inZones('In', zones), nodeClasses: classesIn(zones.slice(1)) },
      inZones('NotIn', zones),
    ];
    expectEncodings(1, (session) =>
      expectSameAnswersForPools(
        queries.map((query) => ({ ...query, settings, namespaces })),
        session,
      ),
    );
  });

  test('encodes from scratch when a pool names a new label value, a taint, or a second pool is added', () => {
    const taints = [{ key: 'blue', value: 'yes', effect: 'NoSchedule' }] as const;
    const blue = {
      ...inZones('In', zones),
      nodePools: [{ ...whole, requirements: [{ key: 'team', operator: 'In', values: ['blue'] }] as const }],
    };
    expectSameAnswersForPools([
      inZones('In', zones),
      inZones('In', ['us-east-1a', 'us-west-2a']),
      blue,
      { ...inZones('In', zones), nodePools: [{ ...whole, taints }] },
      { ...inZones('In', zones), nodePools: [whole, { ...whole, name: 'second' }] },
    ]);
  });

  test('answers like independent solves for any zones of pools and node classes', () => {
    const session = new SchedulingSession(CATALOG);
    const someZones = fc.subarray(zones);
    const scene = fc.record({
      operator: fc.constantFrom('In' as const, 'NotIn' as const),
      listed: someZones,
      offered: someZones,
      count: fc.integer({ min: 1, max: 7 }),
    });
    fc.assert(
      fc.property(fc.array(scene, { minLength: 2, maxLength: 6 }), (scenes) => {
        expectSameAnswersForPools(
          scenes.map(({ operator, listed, offered, count }) => ({
            ...inZones(operator, listed),
            nodeClasses: classesIn(offered),
            pods: [{ ...PENDING, count }],
          })),
          session,
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('IncrementalSolver.create', () => {
  const resultOf = (query: ScheduleInput) => {
    const result = IncrementalSolver.create(query, CATALOG);
    return result.kind === 'created' ? 'created' : result.reason;
  };

  test('refuses topology groups whose definition depends on which pod comes first', () => {
    const spread = WEB.topologySpread!.map((constraint) => ({ ...constraint, minDomains: 3 }));
    const second = { ...PENDING, name: 'other', shape: { ...WEB, topologySpread: spread } };
    expect(resultOf({ ...BASE, pods: [PENDING] })).toBe('created');
    expect(resultOf({ ...BASE, pods: [PENDING, second] })).toBe('topology groups that depend on the order of pods');
    expectSameAnswers([
      { nodes: [], pods: [PENDING, second] },
      { nodes: [], pods: [second, PENDING] },
    ]);
  });

  test('refuses a static pool with replicas', () => {
    expect(resultOf({ ...BASE, nodePools: [pool([], { replicas: 2 })], pods: [PENDING] })).toBe(
      'static NodePools with replicas',
    );
  });

  test('refuses a pod that is given up when its turn comes, whose anti-affinity still applies', () => {
    const claims = { ...PENDING, name: 'gpu', shape: { ...WEB, resourceClaims: true } };
    expect(resultOf({ ...BASE, pods: [claims] })).toBe('pods that are given up when their turn comes');
  });
});
