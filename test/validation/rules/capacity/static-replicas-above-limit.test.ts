import { staticReplicasAboveLimit } from '../../../../src/validation/rules/capacity/static-replicas-above-limit';
import { judge, nodeClass, nodePool, types } from '../judge';

const rule = staticReplicasAboveLimit;
const GATE = { StaticCapacity: true };
const pool = (replicas: number | undefined, limits?: Record<string, string | number>, fields = {}) =>
  nodePool('static', { requirements: [types('m5.large')], replicas, limits, ...fields });
const judged = (
  replicas: number | undefined,
  limits?: Record<string, string | number>,
  featureGates: Record<string, boolean> = GATE,
) => judge(rule, [nodeClass(), pool(replicas, limits)], { featureGates });

describe('KARP-321 static-replicas-above-limit', () => {
  test('reports more replicas than the limit of nodes', () => {
    const [{ message, remedy, object, path, evidence }] = judged(6, { nodes: 5 }).findings;
    expect(message).toBe(
      'has 6 replicas, but its limits allow 5 nodes: Karpenter launches only 5 nodes, and replaces none when it drifts',
    );
    expect(remedy).toBe(
      'raise limits.nodes above replicas, to 7 or more, so that a drifted node can be replaced, or lower replicas',
    );
    expect([object.locate(path).path, evidence]).toEqual(['spec.replicas', { replicas: 6, nodes: 5 }]);
  });

  test('does not speak of drift if Karpenter terminates drifted nodes first', () => {
    expect(judged(2, { nodes: '1' }, { ...GATE, TerminateFirstDrift: true }).findings[0].message).toBe(
      'has 2 replicas, but its limits allow 1 node: Karpenter launches only 1 node',
    );
  });

  test.each([5, '5', 8, '4500m'])('passes 5 replicas with a limit of %p nodes', (nodes) => {
    expect(judged(5, { nodes }).states).toEqual(['pass NodePool/static']);
  });

  test('passes a limit of 0, which disables the NodePool', () => {
    expect(judged(5, { nodes: 0 }).states).toEqual(['pass NodePool/static']);
  });

  test.each([
    [undefined, { nodes: 5 }],
    [5, undefined],
  ] as const)('does not apply to replicas %p with limits %j', (replicas, limits) => {
    expect(judged(replicas, limits).outcomes).toEqual([]);
  });

  test('does not apply while the feature gate is off', () => {
    expect(judged(6, { nodes: 5 }, {}).outcomes).toEqual([]);
  });

  test('does not apply to NodePools of EKS Auto Mode', () => {
    const autoMode = pool(
      6,
      { nodes: 5 },
      { nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' } },
    );
    expect(judge(rule, [autoMode], { featureGates: GATE }).outcomes).toEqual([]);
  });

  test('is not evaluated if the limit is known only at deployment', () => {
    expect(judged(6, { nodes: '${Token[TOKEN.8]}' }).states).toEqual(['not-evaluated NodePool/static']);
  });
});
