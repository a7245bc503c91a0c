import { solveInput } from '../../src/scheduling';
import { CATALOG, input, isIn, node, pods, pool } from '../scheduling/builders';

const ZONE = 'topology.kubernetes.io/zone';
const LABELS = { app: 'web' };

/** Solver steps with so many nodes in a zone where the spread has no room. */
function steps(nodes: number): number {
  const spread = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: LABELS } };
  const web = pods('web', 20, { cpu: '100m' }, { labels: LABELS, topologySpread: [spread] });
  const existing = Array.from({ length: nodes }, (_, at) => node(`n${at}`, { cpu: '2', memory: '4Gi' }, { labels: { [ZONE]: 'us-east-1a' } }));
  const { solved } = solveInput(input({ pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')])], pods: [web], nodes: existing }), CATALOG);
  return solved!.solution.steps;
}

test('one node more with the requirements of others costs a pod a step or two, however its pods are spread', () => {
  expect(steps(150) - steps(50)).toBeLessThan(100 * 20 * 2);
});
