import { deployment, manifests, NODE_CLASS, nodePool } from './setup';
import { check, CheckOptions } from '../../src/validation';

const ON: CheckOptions = { featureGates: { CapacityBuffer: true } };
const POOL = nodePool(['m5.large']);
const buffer = (name: string, workload: string, replicas: number) => `apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: { name: ${name} }
spec: { scalableRef: { kind: Deployment, name: ${workload} }, replicas: ${replicas} }
`;
const HALF = 'cpu: 900m, memory: 1Gi';

describe('a capacity buffer', () => {
  test('launches nodes for pods that are not there yet, numbered from 1, and says how many', () => {
    const verdict = check(manifests(NODE_CLASS, POOL, deployment('web', 2, HALF), buffer('spare', 'web', 3)), ON);
    expect(verdict.nodeClaims.flatMap(({ pods }) => pods)).toEqual([
      'default/web-0', 'default/web-1', 'default/capacity-buffer-spare-1', 'default/capacity-buffer-spare-2', 'default/capacity-buffer-spare-3',
    ]);
    expect(verdict.summary).toMatchObject({ pods: 5, scheduledPods: 5, nodes: 3 });
    expect(verdict.capacityBuffers).toEqual([{ name: 'default/spare', pods: 3, scheduledPods: 3 }]);
  });

  test('comes in its turn by the size of its pods: room for large ones is taken before real small ones are placed', () => {
    const small = deployment('small', 1, 'cpu: 100m, memory: 64Mi');
    const large = deployment('large', 0, 'cpu: 1900m, memory: 1Gi');
    const { nodeClaims } = check(manifests(NODE_CLASS, POOL, small, large, buffer('spare', 'large', 1)), ON);
    expect(nodeClaims.map(({ pods }) => pods)).toEqual([['default/capacity-buffer-spare-1'], ['default/small-0']]);
  });

  test('without a place is told like any pod without one', () => {
    const verdict = check(manifests(NODE_CLASS, POOL, deployment('big', 0, 'cpu: 64, memory: 1Gi'), buffer('spare', 'big', 1)), ON);
    expect(verdict.unschedulable).toMatchObject([{ pod: 'default/capacity-buffer-spare-1', reasons: [{ nodePool: 'default' }] }]);
    expect(verdict.capacityBuffers).toEqual([{ name: 'default/spare', pods: 1, scheduledPods: 0 }]);
  });

  test('keeps no room while the feature gate is off', () => {
    const verdict = check(manifests(NODE_CLASS, POOL, deployment('web', 2, HALF), buffer('spare', 'web', 3)));
    expect(verdict.summary).toMatchObject({ pods: 2, nodes: 1 });
    expect(verdict.capacityBuffers).toEqual([]);
  });

  test('for what is not in the input is said to keep no room', () => {
    const { assumptions } = check(manifests(NODE_CLASS, POOL, buffer('spare', 'web', 3)), ON);
    expect(assumptions).toContain('no room is kept for CapacityBuffer default/spare: it is for pods of Deployment default/web, which is not in the input');
  });

  test('of pods that select a label that Karpenter refuses is scheduled nevertheless: nothing asks whether they can be let in', () => {
    const picky = deployment('web', 1, HALF, '      nodeSelector: { karpenter.sh/registered: "true" }\n');
    const verdict = check(manifests(NODE_CLASS, POOL, picky, buffer('spare', 'web', 1)), ON);
    expect(verdict.unschedulable.map(({ pod }) => pod)).toEqual(['default/web-0']);
    expect(verdict.capacityBuffers).toMatchObject([{ scheduledPods: 1 }]);
  });
});
