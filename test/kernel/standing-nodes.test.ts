import fc from 'fast-check';
import { pack, PackerSolution, QuestionPart, StandingPacker, Variations } from '../../src/kernel';
import { viewOf } from '../../src/scheduling/existing-nodes';
import { classify } from '../../src/scheduling/pod-classes';
import { encodeProblem } from '../../src/scheduling/problem';
import { templatesOf } from '../../src/scheduling/templates';
import { CATALOG, daemonSet, input, isIn, node, pods, pool } from '../scheduling/builders';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

/** Pods that are constrained in each way in which nodes can refuse them. */
const GROUPS = [
  pods('plain', 1, { cpu: '700m', memory: '1Gi' }),
  pods('tiny', 1, { cpu: '50m' }, { tolerations: [{ key: 'team', operator: 'Exists' }] }),
  pods('spread', 1, { cpu: '300m' }, {
    labels: { app: 'spread' },
    topologySpread: [{ topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'spread' } } }],
  }),
  pods('alone', 1, { cpu: '1', memory: '500Mi' }, {
    labels: { app: 'alone' },
    podAntiAffinity: { required: [{ topologyKey: HOST, labelSelector: { matchLabels: { app: 'alone' } } }], preferred: [] },
  }),
  pods('picky', 1, { cpu: '200m' }, {
    preferredNodeAffinity: [{ weight: 1, term: { matchExpressions: [isIn(ZONE, 'us-east-1b')] } }],
    hostPorts: [{ port: 80, protocol: 'TCP', ip: '0.0.0.0' }],
  }),
];
const KINDS = ['a', 'b', 'c'].map((zone) => node(`n-${zone}`, { cpu: '4', memory: '8Gi' }, {
  labels: { [ZONE]: `us-east-1${zone}` }, taints: zone === 'c' ? [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] : [],
}));
const SCENE = input({
  pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')], { limits: new Map([['cpu', 64_000n]]) })],
  pods: GROUPS,
  daemonSets: [daemonSet('agent', { cpu: '100m' })],
  nodes: KINDS,
});
const { resources, problem: PROBLEM } = encodeProblem({
  templates: templatesOf(SCENE, CATALOG),
  daemonSets: SCENE.daemonSets,
  relaxedDaemonSets: SCENE.daemonSets,
  nodes: KINDS.map((each) => viewOf(each, SCENE.daemonSets)),
  groups: GROUPS,
  pods: classify(GROUPS, SCENE.nodePools, SCENE.settings),
  settings: SCENE.settings,
});
const HOST_GROUPS = PROBLEM.topologyKey.filter((key) => key < 0).length;

interface Row {
  readonly kind: number;
  readonly isUsable: boolean;
  /** Of what a node has, in hundredths; less than nothing where its pods want more. */
  readonly left: number;
  /** A class that there is room for to the last bit; none where it is beyond them. */
  readonly exactly: number;
  readonly port: boolean;
  readonly pods: number;
}

interface Asked {
  readonly rows: readonly Row[];
  readonly queue: ReadonlyArray<{ readonly podClass: number; readonly count: number }>;
}

function questionOf({ rows, queue }: Asked): QuestionPart {
  const initial = PROBLEM.topologyInitial.slice();
  rows.forEach(({ pods: count }, at) => { initial[at % Math.min(3, initial.length)] += count; });
  const { topologyActive, topologyDomains, templateNodes, limitRemaining, portWords } = PROBLEM;
  return {
    templateNodes,
    limitRemaining,
    nodeCount: rows.length,
    nodeSet: Int32Array.from(rows, ({ kind }) => PROBLEM.nodeSet[kind]),
    nodeTaintSet: Int32Array.from(rows, ({ kind }) => PROBLEM.nodeTaintSet[kind]),
    nodeUsable: Uint8Array.from(rows, ({ isUsable }) => isUsable ? 1 : 0),
    nodeRemaining: BigInt64Array.from(rows.flatMap(({ kind, left, exactly }) => resources.map((_, at) => exactly < PROBLEM.classCount
      ? PROBLEM.classRequests[exactly * resources.length + at]
      : PROBLEM.nodeRemaining[kind * resources.length + at] * BigInt(left) / 100n))),
    nodePorts: BigUint64Array.from(rows.flatMap(({ port }) => Array.from({ length: portWords }, () => port ? 1n : 0n))),
    topologyActive,
    topologyDomains,
    topologyInitial: initial,
    hostInitial: Int32Array.from(rows.flatMap(({ pods: count }) => Array.from({ length: HOST_GROUPS }, () => count))),
    runCount: queue.length,
    reservedFallback: PROBLEM.reservedFallback,
    runs: Int32Array.from(queue.flatMap(({ podClass, count }, group) => [podClass, count, group])),
  };
}

/** What does not tell how the answer was come by. */
function decided({ tries, steps, memoryBytes, claims, claimSets, ...decisions }: PackerSolution) {
  const sets = Array.from({ length: decisions.claimCount }, (_, at) => claimSets.get(claims[at * 3 + 1]));
  return { ...decisions, sets, claims: claims.filter((_, at) => at % 3 !== 1) };
}

const row = fc.record({
  kind: fc.nat(KINDS.length - 1),
  isUsable: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  left: fc.oneof(fc.integer({ min: -5, max: 10 }), fc.integer({ min: 0, max: 100 })),
  exactly: fc.nat(4 * PROBLEM.classCount),
  port: fc.boolean(),
  pods: fc.nat(2),
});
const queue = fc.array(fc.record({ podClass: fc.nat(PROBLEM.classCount - 1), count: fc.integer({ min: 1, max: 12 }) }), { maxLength: 8 });
const change = fc.record({ at: fc.nat(), way: fc.constantFrom('insert', 'remove', 'replace'), row });
const step = fc.record({ changes: fc.array(change, { maxLength: 4 }), queue });
/** A cluster, and how it changes from one question to the next: nodes come, go, and are others, anywhere among them. */
const questions = fc.tuple(fc.array(row, { minLength: 0, maxLength: 140, size: 'max' }), fc.array(step, { minLength: 2, maxLength: 6 }))
  .map(([first, steps]): Asked[] => {
    let rows: Row[] = first;
    return steps.map(({ changes, queue: asked }) => {
      for (const { at, way, row: other } of changes) {
        const place = at % (rows.length + 1);
        rows = [...rows.slice(0, place), ...way === 'remove' ? [] : [other], ...rows.slice(way === 'insert' ? place : place + 1)];
      }
      return { rows, queue: asked };
    });
  });

test('each question about nodes that come, go and change is answered as if it were the only one', () => {
  fc.assert(fc.property(questions, (asked) => {
    const packer = new StandingPacker(PROBLEM);
    for (const each of asked) {
      const question = questionOf(each);
      const alone = pack({ ...PROBLEM, ...question });
      expect(decided(packer.pack(question))).toEqual(decided(alone));
      expect([...packer.placements(question)]).toEqual([...alone.placements]);
    }
  }), { numRuns: 60 });
});

test('of many nodes the first that has room takes a pod', () => {
  const many = fc.array(row, { minLength: 60, maxLength: 140, size: 'max' });
  fc.assert(fc.property(many, fc.integer({ min: 1, max: 60 }), (rows, count) => {
    const question = questionOf({ rows, queue: [{ podClass: 0, count }] });
    const { nodeRemaining, nodeUsable, nodeSet } = question;
    const requests = [...PROBLEM.classRequests.subarray(0, resources.length)];
    const expected: number[] = [];
    for (let place = 0; place < rows.length; place++) {
      const isTainted = nodeSet[place] === PROBLEM.nodeSet[2];
      if (nodeUsable[place] === 0 || isTainted) continue;
      const remaining = [...nodeRemaining.subarray(place * requests.length, (place + 1) * requests.length)];
      while (remaining.every((left, at) => left >= requests[at])) {
        expected.push(-1 - place);
        requests.forEach((request, at) => { remaining[at] -= request; });
      }
    }
    const taken = pack({ ...PROBLEM, ...question }).placements.filter((_, at) => at % 2 === 1);
    expect([...taken].filter((end) => end < 0)).toEqual(expected.slice(0, count));
  }), { numRuns: 100 });
});

const MORE = 1000;
const PLENTY = 1_000_000_000_000n;

/** Of each a node that takes no more, and pods that come in before a run; asked about from the start of the queue on. */
function variationsOf({ rows, queue: asked }: Asked): Variations {
  const count = Math.min(rows.length, 3);
  const words = Array.from({ length: count }, (_, at) => [Math.min(at, asked.length), at % PROBLEM.classCount, 1 + at, MORE]);
  return { count, heads: words.flatMap((_, at) => [0, at * 7 % rows.length, 0, 0, at * 4, 1]), words: words.flat() };
}

/** Nothing is told of pods that limits keep from a node. */
function withoutLimits(question: QuestionPart): QuestionPart {
  return { ...question, limitRemaining: question.limitRemaining.map(() => PLENTY) };
}

/** The question of one variation by itself. */
function varied(question: QuestionPart, { heads, words }: Variations, at: number): QuestionPart {
  const [before, ...run] = words.slice(at * 4, at * 4 + 4);
  const runs = [...question.runs];
  runs.splice(before * 3, 0, ...run);
  const nodeUsable = question.nodeUsable.map((each, place) => place === heads[at * 6 + 1] ? 0 : each);
  return { ...question, nodeUsable, runs: Int32Array.from(runs), runCount: question.runCount + 1 };
}

test('what is told of variations is told as if they were the only question, and no more than each by itself comes to', () => {
  fc.assert(fc.property(questions, fc.nat(), (asked, number) => {
    const packer = new StandingPacker(PROBLEM);
    for (const each of asked) {
      const question = withoutLimits(questionOf(each));
      const variations = variationsOf(each);
      const firstNodeNotUp = number % (each.rows.length + 1);
      const inCommon = { morePods: 3n, firstMoreGroup: MORE, firstNodeNotUp };
      const told = packer.endOnNodesNotUp(question, inCommon, variations);
      expect(told).toEqual(new StandingPacker(PROBLEM).endOnNodesNotUp(question, inCommon, variations));
      told.forEach((isTold, at) => {
        const { placements } = pack({ ...PROBLEM, ...varied(question, variations, at) });
        const ends = placements.filter((_, place) => place % 2 === 1 && placements[place - 1] === MORE);
        if (isTold === 1) expect(ends.some((end) => end <= -1 - firstNodeNotUp)).toBe(true);
      });
    }
  }), { numRuns: 40 });
});
