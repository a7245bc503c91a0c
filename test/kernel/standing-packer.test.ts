import { pack, PackerLimitError, PackerProblem, PackerSolution, StandingPacker } from '../../src/kernel';
import { classify } from '../../src/scheduling/pod-classes';
import { encodeProblem } from '../../src/scheduling/problem';
import { templatesOf } from '../../src/scheduling/templates';
import { CATALOG, input, pods, pool } from '../scheduling/builders';

const SCENE = input({
  pools: [pool([])],
  pods: [
    pods('web', 40, { cpu: '900m', memory: '1Gi' }),
    pods('db', 20, { cpu: '2', memory: '4Gi' }, {
      labels: { app: 'db' },
      podAntiAffinity: { required: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'db' } } }], preferred: [] },
    }),
  ],
});

const PROBLEM: PackerProblem = encodeProblem({
  templates: templatesOf(SCENE, CATALOG),
  daemonSets: [],
  relaxedDaemonSets: [],
  nodes: [],
  groups: SCENE.pods,
  pods: classify(SCENE.pods, SCENE.nodePools, SCENE.settings),
  settings: SCENE.settings,
}).problem;

/** The queue with so many pods of each class. */
function asking(web: number, db: number): PackerProblem {
  return { ...PROBLEM, runCount: 2, runs: Int32Array.of(1, db, 1, 0, web, 0) };
}

/** What does not tell how the answer was come by. */
function decided({ tries, steps, memoryBytes, ...decisions }: PackerSolution) {
  return decisions;
}

test('a question is answered as if it were the only one', () => {
  const packer = new StandingPacker(PROBLEM);
  for (const question of [asking(40, 20), asking(3, 1), asking(400, 90), asking(0, 5), asking(40, 20)]) {
    expect(decided(packer.pack(question))).toEqual(decided(pack(question)));
  }
});

/** As a brief answer has what tells why pods are left over, where none are. */
const NOTHING_TOLD = {
  refusals: new Int32Array(),
  lastVariants: new Int32Array(),
  limitsLeft: new BigInt64Array(),
  topologyCounts: new Int32Array(),
  hostCounts: new Int32Array(),
};

test('a brief answer says where the pods go, and nothing of why others do not', () => {
  const brief = decided(new StandingPacker(PROBLEM).pack(asking(40, 20), true));
  expect(brief).toEqual({ ...decided(pack(asking(40, 20))), ...NOTHING_TOLD });
});

test('a brief answer says all of it where pods are left over', () => {
  const question = { ...asking(40, 20), templateNodes: BigInt64Array.of(0n) };
  const brief = decided(new StandingPacker(PROBLEM).pack(question, true));
  expect(brief.leftovers.length).toBeGreaterThan(0);
  expect(brief).toEqual(decided(pack(question)));
});

test('an answer stays as it is when the next question comes', () => {
  const packer = new StandingPacker(PROBLEM);
  const first = packer.pack(asking(40, 20));
  const kept = JSON.stringify([...first.placements]);
  packer.pack(asking(400, 90));
  expect(JSON.stringify([...first.placements])).toBe(kept);
});

test('the same question asked a thousand times takes no more memory', () => {
  const packer = new StandingPacker(PROBLEM);
  for (let round = 0; round < 20; round++) packer.pack(asking(400, 90));
  const before = packer.memoryBytes;
  for (let round = 0; round < 1000; round++) packer.pack(asking(400, 90));
  expect(packer.memoryBytes).toBe(before);
});

test('each question has all the steps that there are', () => {
  const { steps } = pack(asking(40, 20));
  const packer = new StandingPacker(PROBLEM, { steps });
  for (let round = 0; round < 3; round++) expect(packer.pack(asking(40, 20)).claimCount).toBeGreaterThan(0);
  expect(() => packer.pack(asking(40_000, 9_000))).toThrow(PackerLimitError);
});
