import fc from 'fast-check';
import { pack, PackerSolution, QueryProblem, IncrementalPacker, WhatIfQueries } from '../../src/kernel';
import { classify } from '../../src/scheduling/encoding/pod-classes';
import { encodeProblem } from '../../src/scheduling/encoding/problem';
import { templatesOf } from '../../src/scheduling/launch/pool-template';
import { NodeViews } from '../../src/scheduling/nodes/existing-nodes';
import { CATALOG, daemonSet, input, isIn, node, pods, pool } from '../scheduling/builders';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

/** Pods for each reason for which a node can refuse a pod. */
const GROUPS = [
  pods('plain', 1, { cpu: '700m', memory: '1Gi' }),
  pods('tiny', 1, { cpu: '50m' }, { tolerations: [{ key: 'team', operator: 'Exists' }] }),
  pods(
    'spread',
    1,
    { cpu: '300m' },
    {
      labels: { app: 'spread' },
      topologySpread: [
        {
          topologyKey: ZONE,
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'spread' } },
        },
      ],
    },
  ),
  pods(
    'alone',
    1,
    { cpu: '1', memory: '500Mi' },
    {
      labels: { app: 'alone' },
      podAntiAffinity: {
        required: [{ topologyKey: HOST, labelSelector: { matchLabels: { app: 'alone' } } }],
        preferred: [],
      },
    },
  ),
  pods(
    'picky',
    1,
    { cpu: '200m' },
    {
      preferredNodeAffinity: [{ weight: 1, term: { matchExpressions: [isIn(ZONE, 'us-east-1b')] } }],
      hostPorts: [{ port: 80, protocol: 'TCP', ip: '0.0.0.0' }],
    },
  ),
];
const KINDS = ['a', 'b', 'c'].map((zone) =>
  node(
    `n-${zone}`,
    { cpu: '4', memory: '8Gi' },
    {
      labels: { [ZONE]: `us-east-1${zone}` },
      taints: zone === 'c' ? [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] : [],
    },
  ),
);
const INPUT = input({
  pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')], { limits: new Map([['cpu', 64_000n]]) })],
  pods: GROUPS,
  daemonSets: [daemonSet('agent', { cpu: '100m' })],
  nodes: KINDS,
});
const { resources, problem: PROBLEM } = encodeProblem({
  templates: templatesOf(INPUT, CATALOG),
  daemonSets: INPUT.daemonSets,
  relaxedDaemonSets: INPUT.daemonSets,
  nodes: KINDS.map((kind) => new NodeViews(INPUT.daemonSets).get(kind)),
  groups: GROUPS,
  pods: classify(GROUPS, INPUT.nodePools, INPUT.settings),
  settings: INPUT.settings,
});
const HOST_GROUPS = PROBLEM.topologyKey.filter((key) => key < 0).length;

interface Row {
  readonly kind: number;
  readonly isUsable: boolean;
  /** Percentage of the node's resources that is left; negative if its pods request more. */
  readonly leftPercent: number;
  /** A class whose requests the node has left exactly; no class if the number is larger. */
  readonly exactFit: number;
  readonly port: boolean;
  readonly pods: number;
}

interface NodeQuery {
  readonly rows: readonly Row[];
  readonly queue: ReadonlyArray<{ readonly podClass: number; readonly count: number }>;
}

function problemOf({ rows, queue }: NodeQuery): QueryProblem {
  const initial = PROBLEM.topologyInitial.slice();
  rows.forEach(({ pods: count }, index) => {
    initial[index % Math.min(3, initial.length)] += count;
  });
  const { topologyActive, topologyDomains, templateNodes, limitRemaining, portWords } = PROBLEM;
  return {
    templateNodes,
    limitRemaining,
    nodeCount: rows.length,
    nodeSet: Int32Array.from(rows, ({ kind }) => PROBLEM.nodeSet[kind]),
    nodeTaintSet: Int32Array.from(rows, ({ kind }) => PROBLEM.nodeTaintSet[kind]),
    nodeUsable: Uint8Array.from(rows, ({ isUsable }) => (isUsable ? 1 : 0)),
    nodeRemaining: BigInt64Array.from(
      rows.flatMap(({ kind, leftPercent, exactFit }) =>
        resources.map((_, resource) =>
          exactFit < PROBLEM.classCount
            ? PROBLEM.classRequests[exactFit * resources.length + resource]
            : (PROBLEM.nodeRemaining[kind * resources.length + resource] * BigInt(leftPercent)) / 100n,
        ),
      ),
    ),
    nodePorts: BigUint64Array.from(
      rows.flatMap(({ port }) => Array.from({ length: portWords }, () => (port ? 1n : 0n))),
    ),
    topologyActive,
    topologyDomains,
    topologyInitial: initial,
    tieSeed: 0,
    hostInitial: Int32Array.from(rows.flatMap(({ pods: count }) => Array.from({ length: HOST_GROUPS }, () => count))),
    runCount: queue.length,
    reservedFallback: PROBLEM.reservedFallback,
    runs: Int32Array.from(queue.flatMap(({ podClass, count }, group) => [podClass, count, group])),
  };
}

/**
 * The solution without the properties that measure the work, and with the contents of requirement sets instead of their
 * numbers.
 */
function decisionsOf({ tries, steps, memoryBytes, claims, claimSets, ...decisions }: PackerSolution) {
  const sets = Array.from({ length: decisions.claimCount }, (_, claim) => claimSets.get(claims[claim * 3 + 1]));
  return { ...decisions, sets, claims: claims.filter((_, index) => index % 3 !== 1) };
}

const row = fc.record({
  kind: fc.nat(KINDS.length - 1),
  isUsable: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  leftPercent: fc.oneof(fc.integer({ min: -5, max: 10 }), fc.integer({ min: 0, max: 100 })),
  exactFit: fc.nat(4 * PROBLEM.classCount),
  port: fc.boolean(),
  pods: fc.nat(2),
});
const queue = fc.array(
  fc.record({ podClass: fc.nat(PROBLEM.classCount - 1), count: fc.integer({ min: 1, max: 12 }) }),
  { maxLength: 8 },
);
const change = fc.record({ position: fc.nat(), kind: fc.constantFrom('insert', 'remove', 'replace'), row });
const step = fc.record({ changes: fc.array(change, { maxLength: 4 }), queue });
/** Queries about one cluster. From one query to the next, nodes are inserted, removed and replaced at any position. */
const nodeQueries = fc
  .tuple(fc.array(row, { minLength: 0, maxLength: 140, size: 'max' }), fc.array(step, { minLength: 2, maxLength: 6 }))
  .map(([initialRows, steps]): NodeQuery[] => {
    let rows: Row[] = initialRows;
    return steps.map(({ changes, queue: runs }) => {
      for (const { position, kind, row: changedRow } of changes) {
        const index = position % (rows.length + 1);
        rows = [
          ...rows.slice(0, index),
          ...(kind === 'remove' ? [] : [changedRow]),
          ...rows.slice(kind === 'insert' ? index : index + 1),
        ];
      }
      return { rows, queue: runs };
    });
  });

test('IncrementalPacker answers like independent solves when nodes are inserted, removed and replaced', () => {
  fc.assert(
    fc.property(nodeQueries, (queries) => {
      const packer = new IncrementalPacker(PROBLEM);
      for (const nodeQuery of queries) {
        const query = problemOf(nodeQuery);
        const independent = pack({ ...PROBLEM, ...query });
        expect(decisionsOf(packer.pack(query))).toEqual(decisionsOf(independent));
        expect([...packer.placements(query)]).toEqual([...independent.placements]);
      }
    }),
    { numRuns: 60 },
  );
});

test('pack places a pod on the first of many nodes that has enough left', () => {
  const manyRows = fc.array(row, { minLength: 60, maxLength: 140, size: 'max' });
  fc.assert(
    fc.property(manyRows, fc.integer({ min: 1, max: 60 }), (rows, count) => {
      const query = problemOf({ rows, queue: [{ podClass: 0, count }] });
      const { nodeRemaining, nodeUsable, nodeSet } = query;
      const requests = [...PROBLEM.classRequests.subarray(0, resources.length)];
      const expected: number[] = [];
      for (let index = 0; index < rows.length; index++) {
        const isTainted = nodeSet[index] === PROBLEM.nodeSet[2];
        if (nodeUsable[index] === 0 || isTainted) continue;
        const remaining = [...nodeRemaining.subarray(index * requests.length, (index + 1) * requests.length)];
        while (remaining.every((amount, resource) => amount >= requests[resource])) {
          expected.push(-1 - index);
          requests.forEach((request, resource) => {
            remaining[resource] -= request;
          });
        }
      }
      const destinations = pack({ ...PROBLEM, ...query }).placements.filter((_, index) => index % 2 === 1);
      expect([...destinations].filter((destination) => destination < 0)).toEqual(expected.slice(0, count));
    }),
    { numRuns: 100 },
  );
});

const ADDED_GROUP = 1000;
const UNLIMITED = 1_000_000_000_000n;

/**
 * What-if queries that each remove a node, and add pods before a run. They declare that they change the queue from its
 * start.
 */
function whatIfQueriesFor({ rows, queue: runs }: NodeQuery): WhatIfQueries {
  const count = Math.min(rows.length, 3);
  const words = Array.from({ length: count }, (_, number) => [
    Math.min(number, runs.length),
    number % PROBLEM.classCount,
    1 + number,
    ADDED_GROUP,
  ]);
  return {
    count,
    headers: words.flatMap((_, number) => [0, (number * 7) % rows.length, 0, 0, number * 4, 1]),
    words: words.flat(),
  };
}

/** The kernel answers `false` if a limit excludes an instance type, so limits are lifted here. */
function withoutLimits(query: QueryProblem): QueryProblem {
  return { ...query, limitRemaining: query.limitRemaining.map(() => UNLIMITED) };
}

/** One what-if query as an independent problem. */
function independentQuery(query: QueryProblem, { headers, words }: WhatIfQueries, number: number): QueryProblem {
  const [before, ...run] = words.slice(number * 4, number * 4 + 4);
  const runs = [...query.runs];
  runs.splice(before * 3, 0, ...run);
  const nodeUsable = query.nodeUsable.map((isUsable, index) => (index === headers[number * 6 + 1] ? 0 : isUsable));
  return { ...query, nodeUsable, runs: Int32Array.from(runs), runCount: query.runCount + 1 };
}

test('wouldUseUninitializedNodes does not depend on earlier queries, and is only 1 if an independent solve agrees', () => {
  fc.assert(
    fc.property(nodeQueries, fc.nat(), (queries, number) => {
      const packer = new IncrementalPacker(PROBLEM);
      for (const nodeQuery of queries) {
        const query = withoutLimits(problemOf(nodeQuery));
        const whatIfQueries = whatIfQueriesFor(nodeQuery);
        const firstUninitializedNode = number % (nodeQuery.rows.length + 1);
        const parameters = { maxAddedPods: 3n, firstAddedGroup: ADDED_GROUP, firstUninitializedNode };
        const answers = packer.wouldUseUninitializedNodes(query, parameters, whatIfQueries);
        expect(answers).toEqual(
          new IncrementalPacker(PROBLEM).wouldUseUninitializedNodes(query, parameters, whatIfQueries),
        );
        answers.forEach((answer, whatIf) => {
          const { placements } = pack({ ...PROBLEM, ...independentQuery(query, whatIfQueries, whatIf) });
          const destinations = placements.filter(
            (_, index) => index % 2 === 1 && placements[index - 1] === ADDED_GROUP,
          );
          if (answer === 1)
            expect(destinations.some((destination) => destination <= -1 - firstUninitializedNode)).toBe(true);
        });
      }
    }),
    { numRuns: 40 },
  );
});
