import { check } from '../../../../src/validation';
import { reportFleet } from '../../../support/report-fleet';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../../setup';

const PDB = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }
`;

test('lists where the pods of each workload run, and what protects them', () => {
  const { workloads } = check(manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL), PDB));
  expect(workloads).toHaveLength(1);
  expect(workloads[0]).toMatchObject({
    kind: 'Deployment',
    namespace: 'default',
    name: 'web',
    location: { file: 'setup.yaml', line: 22 },
    pods: 2,
    scheduledPods: 2,
    nodes: { 'default-0': 2 },
    costPerHour: 0.096,
    protection: { disruptionBudgets: ['web'], spreadOver: [], doNotDisrupt: false },
  });
});

test('lists what keeps the pods of a workload apart: only constraints that select the pods themselves', () => {
  const podFields = `      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } }
          - { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: other } } }
          - { topologyKey: topology.kubernetes.io/zone, namespaces: [other], labelSelector: { matchLabels: { app: web } } }
      topologySpreadConstraints:
      - { maxSkew: 2, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: { matchLabels: { app: web } } }
      - { maxSkew: 1, topologyKey: kubernetes.io/arch, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }
`;
  const input = manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL, podFields));
  const antiAffinity = { by: 'anti-affinity', over: 'nodes', pods: 1, preferred: false };
  expect(check(input).workloads[0].separation).toEqual([
    antiAffinity,
    { by: 'topology-spread', over: 'zones', pods: 2, preferred: true },
  ]);
  expect(check(input, { preferencePolicy: 'Ignore' }).workloads[0].separation).toEqual([antiAffinity]);
});

test('divides the price of a node among its workloads by requests and the weights of OpenCost', () => {
  const { workloads, nodes } = check(
    manifests(
      NODE_CLASS,
      nodePool(['m5.xlarge']),
      deployment('big', 1, 'cpu: 3, memory: 6Gi'),
      deployment('small', 1, 'cpu: 500m, memory: 2Gi'),
    ),
  );
  const [big, small] = workloads.map(({ costPerHour }) => costPerHour!);
  const [cpu, memory] = [0.031611 * nodes[0].capacity.cpu, (0.004237 * nodes[0].capacity.memory) / 2 ** 30];
  expect(big / (big + small)).toBeCloseTo((cpu * (3 / 3.5) + memory * (6 / 8)) / (cpu + memory), 5);
});

test('leaves the cost open if two workloads have the same name', () => {
  const statefulSet = deployment('web', 1, SMALL).replace('kind: Deployment', 'kind: StatefulSet');
  const { workloads } = check(manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL), statefulSet));
  expect(workloads.map(({ kind, costPerHour }) => [kind, costPerHour])).toEqual([
    ['Deployment', null],
    ['StatefulSet', null],
  ]);
});

test('the costs of all workloads add up to the price of all nodes', () => {
  const { workloads, summary } = check(reportFleet());
  const sum = workloads.reduce((total, { costPerHour }) => total + (costPerHour ?? 0), 0);
  expect(sum).toBeCloseTo(summary.cost.usdPerHour!, 3);
});
