import { check, CheckOptions } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const ON: CheckOptions = { featureGates: { CapacityBuffer: true } };
const POOL = nodePool(['m5.large']);
const buffer = (name: string, workload: string, replicas: number) => `apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: { name: ${name} }
spec: { scalableRef: { kind: Deployment, name: ${workload} }, replicas: ${replicas} }
`;
const HALF = 'cpu: 900m, memory: 1Gi';

describe('a CapacityBuffer', () => {
  test('launches nodes for its virtual pods, numbered from 1, and reports how many are scheduled', () => {
    const verdict = check(manifests(NODE_CLASS, POOL, deployment('web', 2, HALF), buffer('spare', 'web', 3)), ON);
    expect(verdict.nodeClaims.flatMap(({ pods }) => pods)).toEqual([
      'default/web-0',
      'default/web-1',
      'default/capacity-buffer-spare-1',
      'default/capacity-buffer-spare-2',
      'default/capacity-buffer-spare-3',
    ]);
    expect(verdict.summary).toMatchObject({ pods: 5, scheduledPods: 5, nodes: 3 });
    expect(verdict.capacityBuffers).toEqual([{ name: 'default/spare', pods: 3, scheduledPods: 3 }]);
  });

  test('schedules its virtual pods by size, so large ones before smaller real pods', () => {
    const small = deployment('small', 1, 'cpu: 100m, memory: 64Mi');
    const large = deployment('large', 0, 'cpu: 1900m, memory: 1Gi');
    const { nodeClaims } = check(manifests(NODE_CLASS, POOL, small, large, buffer('spare', 'large', 1)), ON);
    expect(nodeClaims.map(({ pods }) => pods)).toEqual([['default/capacity-buffer-spare-1'], ['default/small-0']]);
  });

  test('reports a virtual pod that does not fit as unschedulable', () => {
    const verdict = check(
      manifests(NODE_CLASS, POOL, deployment('big', 0, 'cpu: 64, memory: 1Gi'), buffer('spare', 'big', 1)),
      ON,
    );
    expect(verdict.unschedulable).toMatchObject([
      { pod: 'default/capacity-buffer-spare-1', reasons: [{ nodePool: 'default' }] },
    ]);
    expect(verdict.capacityBuffers).toEqual([{ name: 'default/spare', pods: 1, scheduledPods: 0 }]);
  });

  test('adds no labels of its virtual pods to their pod affinity, because only admission does that', () => {
    const apart =
      '      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, ' +
      'labelSelector: { matchLabels: { app: web } }, mismatchLabelKeys: [app] }] } }\n';
    const verdict = check(
      manifests(NODE_CLASS, POOL, deployment('web', 1, HALF, apart), buffer('spare', 'web', 1)),
      ON,
    );
    expect(verdict.unschedulable.map(({ pod }) => pod)).toEqual(['default/web-0']);
  });

  test('reserves nothing while the feature gate is off', () => {
    const verdict = check(manifests(NODE_CLASS, POOL, deployment('web', 2, HALF), buffer('spare', 'web', 3)));
    expect(verdict.summary).toMatchObject({ pods: 2, nodes: 1 });
    expect(verdict.capacityBuffers).toEqual([]);
  });

  test('reports that it reserves nothing for a workload that is not in the input', () => {
    const { assumptions } = check(manifests(NODE_CLASS, POOL, buffer('spare', 'web', 3)), ON);
    expect(assumptions).toContain(
      'CapacityBuffer default/spare reserves nothing: it is for pods of Deployment default/web, which is not in the input',
    );
  });

  test('schedules virtual pods with a node selector that Karpenter rejects for real pods, because admission does not check virtual pods', () => {
    const picky = deployment('web', 1, HALF, '      nodeSelector: { karpenter.sh/registered: "true" }\n');
    const verdict = check(manifests(NODE_CLASS, POOL, picky, buffer('spare', 'web', 1)), ON);
    expect(verdict.unschedulable.map(({ pod }) => pod)).toEqual(['default/web-0']);
    expect(verdict.capacityBuffers).toMatchObject([{ scheduledPods: 1 }]);
  });
});
