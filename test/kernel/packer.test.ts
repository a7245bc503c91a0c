import { pack, PackerLimitError, PackerProblem } from '../../src/kernel';
import { classify } from '../../src/scheduling/pod-classes';
import { encodeProblem } from '../../src/scheduling/problem';
import { templatesOf } from '../../src/scheduling/templates';
import { CATALOG, daemonSet, input, pods, pool } from '../scheduling/builders';

function problem(count: number): PackerProblem {
  const scene = input({ pools: [pool([])], pods: [pods('web', count, { cpu: '900m', memory: '1Gi' })], daemonSets: [daemonSet('agent', { cpu: '100m' })] });
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

test('the same problem gives the same bytes', () => {
  expect(pack(problem(3000))).toEqual(pack(problem(3000)));
});

test('one solve leaves nothing behind for the next', () => {
  const before = pack(problem(10));
  pack(problem(5000));
  expect(pack(problem(10))).toEqual(before);
});

test('equal pods are one class, however many', () => {
  expect(problem(5000)).toMatchObject({ classCount: 1, runCount: 1, runs: Int32Array.of(0, 5000, 0) });
});

test('a problem beyond the memory bound is an error that says what to do', () => {
  const huge = { ...problem(1), runs: Int32Array.of(0, 500_000_000, 0) };
  expect(() => pack(huge)).toThrow(PackerLimitError);
  expect(() => pack(huge)).toThrow('check fewer pods or NodePools at once');
});

test('each bound is named where it is hit, with what to do', () => {
  expect(() => pack(problem(100), { steps: 50 })).toThrow('the problem needs more than 50 solver steps; check fewer pods or NodePools at once');
  expect(() => pack(problem(100_000), { memoryBytes: 2 ** 20 })).toThrow('the problem needs more than 1 MiB of solver memory');
});

test('a problem takes the same steps each time, and no more than its bound', () => {
  const { steps } = pack(problem(100));
  expect(pack(problem(100), { steps }).steps).toBe(steps);
  expect(() => pack(problem(100), { steps: steps - 1 })).toThrow(PackerLimitError);
});

test('a kernel that lacks an input is named as the reason', () => {
  expect(() => pack({ ...problem(1), unheardOf: 1 } as PackerProblem)).toThrow('the kernel exports no unheardOf; rebuild it');
});
