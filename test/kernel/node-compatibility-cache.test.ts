import { solveInput } from '../../src/scheduling';
import { CATALOG, input, isIn, node, pods, pool } from '../scheduling/builders';

const ZONE = 'topology.kubernetes.io/zone';
const LABELS = { app: 'web' };

/**
 * Solver steps with `nodes` nodes in a zone where topology spread allows no pod. `full` full nodes come before the
 * first of these.
 */
function steps(nodes: number, full = 0): number {
  const spread = {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: LABELS },
  };
  const web = pods('web', 20, { cpu: '100m' }, { labels: LABELS, topologySpread: [spread] });
  const labels = { [ZONE]: 'us-east-1a' };
  const existing = Array.from({ length: nodes }, (_, index) =>
    node(`n${index + 100}`, { cpu: '2', memory: '4Gi' }, { labels }),
  );
  for (let index = 0; index < full; index++)
    existing.push(node(`n${index + 99}-full`, { cpu: '50m', memory: '4Gi' }, { labels }));
  const { solved } = solveInput(
    input({ pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')])], pods: [web], nodes: existing }),
    CATALOG,
  );
  return solved!.solution.steps;
}

test('an additional node with known requirements costs at most two steps per pod with topology spread', () => {
  expect(steps(150) - steps(50)).toBeLessThan(100 * 20 * 2);
});

test('a full node is tried once, regardless of the number of pods', () => {
  expect(steps(50, 50) - steps(50)).toBeLessThan(50 * 2);
});
