import { solveInput } from '../../src/scheduling';
import { CATALOG, input, isIn, node, pods, pool } from '../scheduling/builders';

const ZONE = 'topology.kubernetes.io/zone';
const LABELS = { app: 'web' };

/** Solver steps with so many nodes in a zone where the spread has no room, and of full nodes one before each of the first of these. */
function steps(nodes: number, full = 0): number {
  const spread = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: LABELS } };
  const web = pods('web', 20, { cpu: '100m' }, { labels: LABELS, topologySpread: [spread] });
  const labels = { [ZONE]: 'us-east-1a' };
  const existing = Array.from({ length: nodes }, (_, at) => node(`n${at + 100}`, { cpu: '2', memory: '4Gi' }, { labels }));
  for (let at = 0; at < full; at++) existing.push(node(`n${at + 99}-full`, { cpu: '50m', memory: '4Gi' }, { labels }));
  const { solved } = solveInput(input({ pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')])], pods: [web], nodes: existing }), CATALOG);
  return solved!.solution.steps;
}

test('one node more with the requirements of others costs a pod a step or two, however its pods are spread', () => {
  expect(steps(150) - steps(50)).toBeLessThan(100 * 20 * 2);
});

test('a full node is looked at once, however many pods come', () => {
  expect(steps(50, 50) - steps(50)).toBeLessThan(50 * 2);
});
