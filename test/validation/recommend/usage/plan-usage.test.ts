import { check, planUsage, renderUsageText, SourceFile, UsagePlan } from '../../../../src/validation';
import { deployment, manifests, NODE_CLASS } from '../../setup';

/** Nodes of 2 CPUs and 8 GiB at $0.096/h: 1.93 CPUs and 6.7 GiB are free. */
const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec:
  limits: { cpu: 1000, memory: 4000Gi }
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
        - { key: node.kubernetes.io/instance-type, operator: In, values: [m5.large] }
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
`;
const OPTIONS = { karpenterVersion: '1.15.1', region: 'us-east-1' };
const GI = 2 ** 30;
const MIB = 2 ** 20;

const vpa = (cpu: string, memory: string, name = 'web', container = 'main'): SourceFile => ({
  path: 'vpa.yaml',
  text: `apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: { name: ${name}, namespace: default }
spec: { targetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} } }
status:
  recommendation:
    containerRecommendations:
      - { containerName: ${container}, target: { cpu: ${cpu}, memory: ${memory} }, upperBound: { cpu: 8, memory: 64Gi } }
`,
});
const prometheus = (resource: string, value: string, pod = 'web-7d9f8c6b5-x2x4z'): SourceFile => ({
  path: `${resource}.json`,
  text: JSON.stringify({
    status: 'success',
    data: {
      resultType: 'vector',
      result: [{ metric: { namespace: 'default', pod, container: 'main', resource }, value: [1, value] }],
    },
  }),
});
const planOf = (workload: string, ...usage: readonly SourceFile[]): UsagePlan =>
  planUsage(manifests(NODE_CLASS, POOL, workload), usage, 0.15, OPTIONS);

describe('planUsage', () => {
  test('plans fewer nodes if CPU binds', () => {
    // 1500m: one pod a node. 0.348 CPUs and 15 % are 400.2m, so 401m: 4 × 401m = 1604m are on one node.
    const plan = planOf(deployment('web', 4, 'cpu: 1500m, memory: 1Gi'), prometheus('cpu', '0.348'));
    expect([plan.before.nodes, plan.before.usdPerHour]).toEqual([4, 0.384]);
    expect([plan.after.nodes, plan.after.usdPerHour]).toEqual([1, 0.096]);
    expect(plan.workloads).toMatchObject([
      {
        workload: 'Deployment web',
        replicas: 4,
        requests: [{ container: 'main', resource: 'cpu', before: 1500, after: 401, source: 'measured' }],
        usdPerMonth: { before: 280.32, after: 70.08 },
      },
    ]);
    expect(renderUsageText(plan)).toMatch(/\n- prices of \d{4}-\d\d-\d\d\n$/);
    expect(renderUsageText(plan)).toContain('$280/month on 4 nodes → $70/month on 1 node, saves $210/month (75%).');
  });

  test('says that memory binds if smaller CPU requests save nothing', () => {
    // 5 GiB: one pod a node, whatever its CPU is.
    const plan = planOf(deployment('web', 4, 'cpu: 1, memory: 5Gi'), prometheus('cpu', '0.1'));
    expect([plan.before.usdPerHour, plan.after.usdPerHour]).toEqual([0.384, 0.384]);
    expect(plan.shrunk.cpu).toMatchObject({ nodes: 4, savesNothing: true, binding: ['memory'] });
    expect(renderUsageText(plan)).toMatch(
      /saves nothing\..*\nSmaller CPU requests save nothing by themselves: memory binds \(7\d% of the nodes' memory is requested, \d+% of their CPU\)\.\n/,
    );
  });

  test('tells the resources apart if both shrink and only memory saves', () => {
    // 3 GiB: two pods a node.
    const plan = planOf(deployment('web', 4, 'cpu: 300m, memory: 5Gi'), vpa('100m', '3Gi'));
    expect([plan.before.nodes, plan.after.nodes]).toEqual([4, 2]);
    expect([plan.shrunk.cpu?.savesNothing, plan.shrunk.memory?.savesNothing]).toEqual([true, false]);
  });

  test('says what raised memory requests take back of the saving', () => {
    // 250m and 1 GiB: four pods are on one node. 5 GiB: one pod a node again.
    const plan = planOf(deployment('web', 4, 'cpu: 1500m, memory: 1Gi'), vpa('250m', '5Gi'));
    expect([plan.before.nodes, plan.after.nodes, plan.shrunk.cpu?.nodes]).toEqual([4, 4, 1]);
    expect(renderUsageText(plan)).toContain(
      'With only the CPU requests from usage, it is $70/month: the memory requests add $210/month.\n',
    );
  });

  test('calls no resource binding if anti-affinity keeps the nodes', () => {
    const affinity = `      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } }
`;
    const plan = planOf(deployment('web', 3, 'cpu: 1, memory: 3Gi', affinity), prometheus('cpu', '0.1'));
    expect([plan.before.nodes, plan.shrunk.cpu?.savesNothing, plan.shrunk.cpu?.binding]).toEqual([3, true, []]);
    expect(renderUsageText(plan)).toContain('something other than CPU and memory keeps the nodes');
  });

  test.each([
    // 1500m: one pod a node. 1300m as well, and two pods of 650m are on one node.
    ['cpu: 1500m, memory: 1Gi', '1300m', ['cpu'], 'they shrink too little for fewer or smaller nodes'],
    // 1 CPU and 5 GiB: one pod a node, for either resource. Two pods of 490m and 2.5 GiB are on one node.
    ['cpu: 1, memory: 5Gi', '980m', ['cpu', 'memory'], 'CPU and memory keep the nodes together (7'],
  ])('says why smaller CPU requests save nothing: %s to %s', (now, cpu, binding, text) => {
    const plan = planOf(deployment('web', 4, now), vpa(cpu, now.replace(/.*memory: /, '')));
    expect(plan.shrunk.cpu).toMatchObject({ nodes: 4, savesNothing: true, binding });
    expect(renderUsageText(plan)).toContain(`Smaller CPU requests save nothing by themselves: ${text}`);
  });

  test('says that advice raises memory, and what that costs', () => {
    const plan = planOf(deployment('web', 2, 'cpu: 500m, memory: 1Gi'), vpa('250m', '5Gi'));
    expect([plan.before.nodes, plan.after.nodes]).toEqual([1, 2]);
    const text = renderUsageText(plan);
    expect(text).toContain('$70/month on 1 node → $140/month on 2 nodes, costs $70/month more (100%).\n');
    expect(text).toContain('Usage raises the memory request of Deployment web.\n');
  });

  test('adds no headroom to advised requests', () => {
    const [{ requests }] = planOf(deployment('web', 1, 'cpu: 1, memory: 1Gi'), vpa('163m', '1572864k')).workloads;
    expect(requests.map(({ after, source }) => [after, source])).toEqual([
      [163, 'VPA'],
      [1572864000, 'VPA'],
    ]);
  });

  test('takes the higher one of advice and measured usage', () => {
    const [{ requests }] = planOf(
      deployment('web', 1, 'cpu: 1, memory: 1Gi'),
      vpa('163m', '1Gi'),
      prometheus('cpu', '0.2'),
    ).workloads;
    expect(requests.map(({ resource, after, source }) => [resource, after, source])).toEqual([
      ['cpu', 230, 'measured'],
      ['memory', GI, 'VPA'],
    ]);
  });

  test('names containers whose measured memory is above their limit, and raises the limit in the plan', () => {
    const workload = deployment('web', 1, 'cpu: 1, memory: 256Mi').replace(
      'requests:',
      'limits: { memory: 512Mi }, requests:',
    );
    const plan = planOf(workload, prometheus('memory', String(600 * 2 ** 20)));
    expect(plan.oomKills).toEqual([
      { workload: 'Deployment web', container: 'main', limit: 512 * 2 ** 20, peak: 600 * 2 ** 20 },
    ]);
    expect(plan.workloads[0].requests).toMatchObject([{ after: 690 * 2 ** 20, raisesLimit: true }]);
    expect(plan.after.scheduledPods).toBe(1);
    expect(renderUsageText(plan)).toContain('Deployment web, container main: 600 MiB; the limit is 512 MiB\n');
  });

  test('names no container within its limit', () => {
    const workload = deployment('web', 1, 'cpu: 1, memory: 256Mi').replace(
      'requests:',
      'limits: { memory: 1Gi }, requests:',
    );
    expect(planOf(workload, prometheus('memory', String(600 * 2 ** 20))).oomKills).toEqual([]);
  });

  test('has the price that a check of manifests with these requests has', () => {
    const plan = planOf(deployment('web', 7, 'cpu: 1, memory: 5Gi'), vpa('700m', '2Gi'));
    const written = manifests(NODE_CLASS, POOL, deployment('web', 7, 'cpu: 700m, memory: 2Gi'));
    expect(plan.after.usdPerHour).toBe(check(written, OPTIONS).summary.cost.usdPerHour);
  });

  test('notes usage without a workload or container, and uses the rest', () => {
    const plan = planOf(
      deployment('web', 1, 'cpu: 1, memory: 1Gi'),
      vpa('1', '1Gi', 'gone'),
      { ...vpa('1', '1Gi', 'web', 'proxy'), path: 'proxy.yaml' },
      prometheus('cpu', '0.2'),
    );
    expect(plan.notes).toEqual([
      { message: 'no manifest of Deployment default/gone: not used', places: ['vpa.yaml:8'] },
      { message: 'Deployment web has no container proxy in the manifests: not used', places: ['proxy.yaml:8'] },
    ]);
    expect(plan.workloads.map(({ workload }) => workload)).toEqual(['Deployment web']);
  });

  test('does not use CPU in millicores', () => {
    const { notes, workloads } = planOf(deployment('web', 1, 'cpu: 500m, memory: 1Gi'), prometheus('cpu', '250'));
    expect(workloads).toEqual([]);
    expect(notes.map(({ message }) => message)).toEqual([expect.stringContaining('as if it were in millicores')]);
  });

  test.each([
    ['VPA', vpa('900', '1Gi'), 'as if the m of millicores were missing'],
    ['memory', prometheus('memory', String(1.5 * MIB)), 'as if it were in KiB; the unit is bytes'],
  ])('does not use a figure of %s that is in another unit', (_, usage, message) => {
    const { notes, workloads } = planOf(deployment('web', 1, 'cpu: 500m, memory: 1Gi'), usage);
    expect(workloads.flatMap(({ requests }) => requests.filter(({ after, before }) => after !== before))).toEqual([]);
    expect(notes.map(({ message: text }) => text)).toEqual([expect.stringContaining(message)]);
  });

  test('uses the highest of several figures of one source, and says so', () => {
    const { notes, workloads } = planOf(
      deployment('web', 1, 'cpu: 500m, memory: 1Gi'),
      { ...vpa('163m', '1Gi'), path: 'first.yaml' },
      { ...vpa('200m', '1Gi'), path: 'second.yaml' },
    );
    expect(workloads[0].requests).toMatchObject([{ after: 200 }, { after: GI }]);
    expect(notes).toEqual([
      {
        message: 'several CPU figures of VPA for one container: the highest is used',
        places: ['first.yaml:8', 'second.yaml:8'],
      },
      {
        message: 'several memory figures of VPA for one container: the highest is used',
        places: ['first.yaml:8', 'second.yaml:8'],
      },
    ]);
  });

  test('says nothing about pods of a workload with different usage', () => {
    const { notes } = planOf(
      deployment('web', 2, 'cpu: 500m, memory: 1Gi'),
      prometheus('cpu', '0.1'),
      prometheus('cpu', '0.2', 'web-7d9f8c6b5-b2b4b'),
    );
    expect(notes).toEqual([]);
  });

  test('does not use the usage of a pod that may belong to two workloads', () => {
    // The DaemonSet `web-b` and the Deployment `web` name pods alike.
    const daemonSet = deployment('web-b', 1, 'cpu: 100m')
      .replace('Deployment', 'DaemonSet')
      .replace('  replicas: 1\n', '');
    const files = manifests(NODE_CLASS, POOL, deployment('web', 1, 'cpu: 500m'), daemonSet);
    const { notes } = planUsage(files, [prometheus('cpu', '0.1', 'web-b-x2x4z')], 0.15, OPTIONS);
    expect(notes.map(({ message }) => message)).toEqual([
      'pod default/web-b-x2x4z may belong to Deployment web or DaemonSet web-b: not used',
    ]);
  });

  test('sizes the pods of a Rollout', () => {
    const rollout = deployment('web', 4, 'cpu: 1500m, memory: 1Gi')
      .replace('apps/v1', 'argoproj.io/v1alpha1')
      .replace('kind: Deployment', 'kind: Rollout');
    const plan = planOf(rollout, prometheus('cpu', '0.348'));
    expect([plan.before.nodes, plan.after.nodes, plan.workloads[0].replicas]).toEqual([4, 1, 4]);
  });

  test('sizes DaemonSets, whose pods run on each node', () => {
    const daemonSet = deployment('agent', 1, 'cpu: 1, memory: 128Mi')
      .replace('Deployment', 'DaemonSet')
      .replace('  replicas: 1\n', '');
    const files = manifests(NODE_CLASS, POOL, deployment('web', 2, 'cpu: 700m, memory: 1Gi'), daemonSet);
    const plan = planUsage(files, [prometheus('cpu', '0.1', 'agent-x2x4z')], 0.15, OPTIONS);
    expect([plan.before.nodes, plan.after.nodes]).toEqual([2, 1]);
    expect(plan.shrunk.cpu).toMatchObject({ nodes: 1, savesNothing: false });
  });

  test('states no saving if pods get a node that have none now', () => {
    // The limit of 2 CPUs allows one node, which has room for one pod of 1500m, and for four of 401m.
    const files = manifests(
      NODE_CLASS,
      POOL.replace('cpu: 1000', 'cpu: 2'),
      deployment('web', 4, 'cpu: 1500m, memory: 1Gi'),
    );
    const plan = planUsage(files, [prometheus('cpu', '0.348')], 0.15, OPTIONS);
    expect([plan.before.scheduledPods, plan.after.scheduledPods, plan.shrunk.cpu?.savesNothing]).toEqual([1, 4, false]);
    const text = renderUsageText(plan);
    expect(text).not.toContain('saves');
    expect(text).toContain('3 pods without a node now would have one, so the prices are of different loads.\n');
  });

  test('notes pods that no node takes with the new requests', () => {
    const plan = planOf(deployment('web', 2, 'cpu: 1, memory: 1Gi'), vpa('1', '20Gi'));
    expect(renderUsageText(plan)).toContain('2 pods with a node now would have none.\n');
  });

  test('notes an autoscaler by utilization, whose replicas depend on the request', () => {
    const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 2
  maxReplicas: 4
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 70 } } }]
`;
    const files = manifests(NODE_CLASS, POOL, deployment('web', 2, 'cpu: 1, memory: 1Gi'), autoscaler);
    const { notes } = planUsage(files, [prometheus('cpu', '0.2')], 0.15, OPTIONS);
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringContaining('the HorizontalPodAutoscaler of Deployment web scales by utilization of the cpu request'),
    ]);
  });

  test('says that nothing changes if no usage belongs to a workload', () => {
    const plan = planOf(deployment('web', 1, 'cpu: 1, memory: 1Gi'), vpa('1', '1Gi', 'gone'));
    expect(renderUsageText(plan)).toMatch(/^No request changes, because no usage belongs to a workload: \$70\/month/);
  });

  test('returns the same plan twice', () => {
    const once = () =>
      planOf(deployment('web', 3, 'cpu: 1, memory: 5Gi'), vpa('250m', '3Gi'), prometheus('cpu', '0.3'));
    expect(JSON.stringify(once())).toBe(JSON.stringify(once()));
  });
});
