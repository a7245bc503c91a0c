import { pack, PackerLimitError, PackerProblem, PackerSolution, IncrementalPacker } from '../../src/kernel';
import { classify } from '../../src/scheduling/encoding/pod-classes';
import { encodeProblem } from '../../src/scheduling/encoding/problem';
import { templatesOf } from '../../src/scheduling/launch/pool-template';
import { CATALOG, input, pods, pool } from '../scheduling/builders';

const INPUT = input({
  pools: [pool([])],
  pods: [
    pods('web', 40, { cpu: '900m', memory: '1Gi' }),
    pods(
      'db',
      20,
      { cpu: '2', memory: '4Gi' },
      {
        labels: { app: 'db' },
        podAntiAffinity: {
          required: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'db' } } }],
          preferred: [],
        },
      },
    ),
  ],
});

const PROBLEM: PackerProblem = encodeProblem({
  templates: templatesOf(INPUT, CATALOG),
  daemonSets: [],
  relaxedDaemonSets: [],
  nodes: [],
  groups: INPUT.pods,
  pods: classify(INPUT.pods, INPUT.nodePools, INPUT.settings),
  settings: INPUT.settings,
}).problem;

/** The problem with this many pods of each class. */
function queryFor(web: number, db: number): PackerProblem {
  return { ...PROBLEM, runCount: 2, runs: Int32Array.of(1, db, 1, 0, web, 0) };
}

/** The solution without the properties that measure the work. */
function decisionsOf({ tries, steps, memoryBytes, ...decisions }: PackerSolution) {
  return decisions;
}

test('IncrementalPacker answers each query like an independent solve', () => {
  const packer = new IncrementalPacker(PROBLEM);
  for (const query of [queryFor(40, 20), queryFor(3, 1), queryFor(400, 90), queryFor(0, 5), queryFor(40, 20)]) {
    expect(decisionsOf(packer.pack(query))).toEqual(decisionsOf(pack(query)));
  }
});

/** The reasons for leftover pods in a brief answer without leftover pods. */
const NO_REASONS = {
  refusals: new Int32Array(),
  lastVariants: new Int32Array(),
  limitsLeft: new BigInt64Array(),
  topologyCounts: new Int32Array(),
  hostCounts: new Int32Array(),
};

test('a brief answer has placements, and no reasons if no pod is left over', () => {
  const brief = decisionsOf(new IncrementalPacker(PROBLEM).pack(queryFor(40, 20), true));
  expect(brief).toEqual({ ...decisionsOf(pack(queryFor(40, 20))), ...NO_REASONS });
});

test('a brief answer has all reasons if pods are left over', () => {
  const query = { ...queryFor(40, 20), templateNodes: BigInt64Array.of(0n) };
  const brief = decisionsOf(new IncrementalPacker(PROBLEM).pack(query, true));
  expect(brief.leftovers.length).toBeGreaterThan(0);
  expect(brief).toEqual(decisionsOf(pack(query)));
});

test('an answer does not change when the next query is solved', () => {
  const packer = new IncrementalPacker(PROBLEM);
  const first = packer.pack(queryFor(40, 20));
  const kept = JSON.stringify([...first.placements]);
  packer.pack(queryFor(400, 90));
  expect(JSON.stringify([...first.placements])).toBe(kept);
});

test('a thousand equal queries need no additional memory', () => {
  const packer = new IncrementalPacker(PROBLEM);
  for (let round = 0; round < 20; round++) packer.pack(queryFor(400, 90));
  const before = packer.memoryBytes;
  for (let round = 0; round < 1000; round++) packer.pack(queryFor(400, 90));
  expect(packer.memoryBytes).toBe(before);
});

test('each query has the full number of steps', () => {
  const { steps } = pack(queryFor(40, 20));
  const packer = new IncrementalPacker(PROBLEM, { steps });
  for (let round = 0; round < 3; round++) expect(packer.pack(queryFor(40, 20)).claimCount).toBeGreaterThan(0);
  expect(() => packer.pack(queryFor(40_000, 9_000))).toThrow(PackerLimitError);
});
