import { pack, PackerLimitError, PackerProblem } from '../../src/kernel';
import { classify } from '../../src/scheduling/encoding/pod-classes';
import { encodeProblem } from '../../src/scheduling/encoding/problem';
import { templatesOf } from '../../src/scheduling/launch/pool-template';
import { CATALOG, daemonSet, input, pods, pool } from '../scheduling/builders';

function problem(count: number): PackerProblem {
  const scene = input({
    pools: [pool([])],
    pods: [pods('web', count, { cpu: '900m', memory: '1Gi' })],
    daemonSets: [daemonSet('agent', { cpu: '100m' })],
  });
  return encodeProblem({
    templates: templatesOf(scene, CATALOG),
    daemonSets: scene.daemonSets,
    relaxedDaemonSets: scene.daemonSets,
    nodes: [],
    groups: scene.pods,
    pods: classify(scene.pods, scene.nodePools, scene.settings),
    settings: scene.settings,
  }).problem;
}

test('pack returns the same bytes for the same problem', () => {
  expect(pack(problem(3000))).toEqual(pack(problem(3000)));
});

test('pack does not depend on earlier solves', () => {
  const before = pack(problem(10));
  pack(problem(5000));
  expect(pack(problem(10))).toEqual(before);
});

test('encodeProblem puts equal pods into one class, regardless of their number', () => {
  expect(problem(5000)).toMatchObject({ classCount: 1, runCount: 1, runs: Int32Array.of(0, 5000, 0) });
});

test('pack throws PackerLimitError with a remedy for a problem beyond the memory bound', () => {
  const huge = { ...problem(1), runs: Int32Array.of(0, 500_000_000, 0) };
  expect(() => pack(huge)).toThrow(PackerLimitError);
  expect(() => pack(huge)).toThrow('check fewer pods or NodePools at once');
});

test('PackerLimitError names the bound', () => {
  expect(() => pack(problem(100), { steps: 50 })).toThrow(
    'the problem needs more than 50 solver steps; check fewer pods or NodePools at once',
  );
  expect(() => pack(problem(100_000), { memoryBytes: 2 ** 20 })).toThrow(
    'the problem needs more than 1 MiB of solver memory',
  );
});

test('pack counts the same steps each time, and stops at the bound', () => {
  const { steps } = pack(problem(100));
  expect(pack(problem(100), { steps }).steps).toBe(steps);
  expect(() => pack(problem(100), { steps: steps - 1 })).toThrow(PackerLimitError);
});

test('pack throws if the compiled kernel lacks an input', () => {
  expect(() => pack({ ...problem(1), unknownInput: 1 } as PackerProblem)).toThrow(
    'the kernel exports no unknownInput; rebuild it',
  );
});
