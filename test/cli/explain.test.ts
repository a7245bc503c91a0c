import { join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const TAINTED = nodePool(['g5.xlarge'], 'gpu', '  weight: 10\n').replace(
  '      nodeClassRef',
  '      taints: [{ key: gpu, effect: NoSchedule }]\n      nodeClassRef',
);
const SETUP = [
  NODE_CLASS,
  nodePool(['m5.large', 'm5.xlarge']),
  TAINTED,
  deployment('web', 3, 'cpu: 900m, memory: 1Gi'),
  deployment('big', 2, 'cpu: 5'),
].join('---\n');
/** Figures without the requests of aws-node and kube-proxy. */
const WITHOUT_SYSTEM = ['--system-daemonsets', 'none'];
const WITH_BROKEN_FILE = folderOf({ 'a.yaml': SETUP, 'b.yaml': 'apiVersion: v1\nkind: Pod\na: [' });

const ON_NODE = `apiVersion: v1
kind: Node
metadata: { name: a }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" }, conditions: [{ type: Ready, status: "True" }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web-0, namespace: default, labels: { app: web }, ownerReferences: [{ apiVersion: apps/v1, kind: StatefulSet, name: web, controller: true }] }
spec: { nodeName: a, containers: [{ name: main, resources: { requests: { ${SMALL} } } }] }
status: { phase: Running }
`;
const WITH_CLUSTER = folderOf({
  'set.yaml': [NODE_CLASS, deployment('web', 1, SMALL).replace('kind: Deployment', 'kind: StatefulSet')].join('---\n'),
  'cluster.yaml': ON_NODE,
});

describe('explain', () => {
  test('prints how a pod opens a node: NodePools in order, instance types after each constraint, and the cheapest offering', async () => {
    const { code, out, err } = await run(['explain', ...WITHOUT_SYSTEM, '-', '--pod', 'default/web-0'], SETUP);
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`default/web-0 opens default-0, a new node of NodePool default
  scheduled as pod 1 of 3; no planned node to join
  NodePool gpu (weight 10) rejects the pod: did not tolerate taint (taint=gpu:NoSchedule)
    the pod does not tolerate gpu:NoSchedule
    1,391  all instance types
       1  node.kubernetes.io/instance-type In [g5.xlarge]
       1  karpenter.sh/capacity-type In [on-demand]
       1  an available offering
       1  allocatable left for pods
       1  limits.cpu, 1k of 1k left
       1  limits.memory, 1000Gi of 1000Gi left
       0  the taint gpu:NoSchedule, not tolerated
  NodePool default takes the pod on default-0
    1,391  all instance types
       2  node.kubernetes.io/instance-type In [m5.large m5.xlarge]
       2  karpenter.sh/capacity-type In [on-demand]
       2  an available offering
       2  allocatable left for pods
       2  limits.cpu, 1k of 1k left
       2  limits.memory, 1000Gi of 1000Gi left
       2  offered as on-demand in us-east-1a or us-east-1b or us-east-1c
       2  cpu 900m
       2  memory 1Gi
       2  pods 1
  with all its pods, default-0 can be 1 instance type; cheapest: m5.xlarge on-demand in us-east-1a at $0.1920/h
`);
  });

  test('prints how a pod joins a node, and the pods that do the same', async () => {
    const { out } = await run(['explain', ...WITHOUT_SYSTEM, '-', '--pod', 'default/web-1', '--pod', 'web-2'], SETUP);
    expect(out).toMatch(
      /^default\/web-1 joins default-0, a planned node of NodePool default with 1 pod\n {2}scheduled as pod 2 of 3; 1 planned node to join\n {2}same for default\/web-2\n/,
    );
    expect(out).toContain(
      '       2  the pod already on it\n       2  this pod added: together they request cpu 1800m, memory 2Gi\n',
    );
    expect(out).not.toContain('NodePool gpu');
  });

  test('prints why a pod fits nowhere, and what would help', async () => {
    const { code, out } = await run(['explain', ...WITHOUT_SYSTEM, '-', '--pod', 'big'], SETUP);
    expect(code).toBe(0);
    expect(out).toMatch(/^default\/big-0 fits nowhere\n.*\n {2}same for default\/big-1\n/);
    expect(out).toContain('       0  cpu 5\n');
    expect(out).toContain('    needs 5 CPUs; the largest allowed type, m5.xlarge, has 3.92\n');
    expect(out).toMatch(
      / {2}→ allow instance type \S+ in NodePool default \(the nodes of the plan then cost .*\/h\): then every pod of the workload fits \(1 change tried\)\n$/,
    );
  });

  test('prints the same as JSON, with keys in order', async () => {
    const [report, ...rest] = JSON.parse(
      (await run(['explain', ...WITHOUT_SYSTEM, '-', '--pod', 'default/web-2', '--format', 'json'], SETUP)).out,
    );
    expect(rest).toEqual([]);
    expect(Object.keys(report)).toEqual([
      'pod',
      'alike',
      'alikeElsewhere',
      'outcome',
      'position',
      'placedPods',
      'openNodeClaims',
      'givenUp',
      'node',
      'nodePools',
      'notTried',
      'smallestChange',
      'changesTried',
    ]);
    expect(report).toMatchObject({
      pod: 'default/web-2',
      alike: [],
      outcome: 'open-node-claim',
      position: 3,
      placedPods: 3,
      openNodeClaims: 1,
      nodePools: [],
      notTried: null,
      smallestChange: null,
      changesTried: 0,
    });
    expect(report.node).toMatchObject({
      name: 'default-0',
      nodePool: 'default',
      podsBefore: 2,
      instanceTypes: { before: 2, withThisPod: 1, inTheEnd: 1 },
    });
    expect(Object.keys(report.node)).toEqual([
      'name',
      'nodePool',
      'podsBefore',
      'instanceTypes',
      'elimination',
      'cheapest',
    ]);
  });

  test('prints the rejections of an unschedulable pod as JSON', async () => {
    const [report] = JSON.parse(
      (await run(['explain', ...WITHOUT_SYSTEM, '-', '--pod', 'big-0', '--format', 'json'], SETUP)).out,
    );
    expect(report).toMatchObject({ outcome: 'unschedulable', position: null, node: null, changesTried: 1 });
    expect(report.nodePools.map(({ nodePool: name, outcome }: Record<string, string>) => [name, outcome])).toEqual([
      ['gpu', 'refuses'],
      ['default', 'refuses'],
    ]);
    expect(Object.keys(report.nodePools[0])).toEqual([
      'nodePool',
      'weight',
      'outcome',
      'message',
      'diagnosis',
      'elimination',
    ]);
  });

  test('prints at most 20 reports, and counts the other pods', async () => {
    const many = [
      NODE_CLASS,
      nodePool(['m5.large']),
      ...Array.from({ length: 23 }, (_, i) => deployment(`w${i}`, 1, SMALL)),
    ].join('---\n');
    expect((await run(['explain', ...WITHOUT_SYSTEM, '-', '--pod', '*'], many)).out).toMatch(
      /\nand \d+ more pods: name fewer pods at once\n$/,
    );
  });
});

describe('names without pods', () => {
  test('are rejected with similar names', async () => {
    const { code, out, err } = await run(['explain', '-', '--pod', 'default/wep-0'], SETUP);
    expect([code, out, err]).toEqual([
      2,
      '',
      'error: --pod: no pod or workload is called "default/wep-0"; did you mean "default/web"?\n',
    ]);
  });

  test('are rejected without any workload', async () => {
    const { code, err } = await run(['explain', '-', '--pod', 'web'], NODE_CLASS);
    expect([code, err]).toEqual([
      2,
      'error: --pod: no pod or workload is called "web"; pass the manifests of its workload\n',
    ]);
  });

  test.each([
    [
      'runs on every node',
      deployment('web', 1, SMALL).replace('kind: Deployment', 'kind: DaemonSet').replace('  replicas: 1\n', ''),
      'DaemonSet default/web has a pod on every node where it fits, which is not scheduled by Karpenter',
    ],
    ['has no replicas', deployment('web', 0, SMALL), 'Deployment default/web has 0 pods'],
    ['the API server rejects', deployment('web', 1, 'cpu: -1'), 'Deployment default/web is not evaluated'],
  ])('are rejected with the reason for a workload that %s', async (_, workload, why) => {
    const { code, err } = await run(['explain', '-', '--pod', 'web-0'], [NODE_CLASS, workload].join('---\n'));
    expect([code, err]).toEqual([
      2,
      `error: --pod: "web-0" has no pod to explain, because ${why}; name another workload\n`,
    ]);
  });

  test('are rejected for a workload whose pods already run', async () => {
    const { code, err } = await run([
      'explain',
      join(WITH_CLUSTER, 'set.yaml'),
      '--cluster',
      join(WITH_CLUSTER, 'cluster.yaml'),
      '--pod',
      'web',
    ]);
    expect([code, err]).toEqual([
      2,
      'error: --pod: "web" has no pod to explain, because all pods of StatefulSet default/web already run in the cluster; name another workload\n',
    ]);
  });

  test('are required', async () => {
    const { code, err } = await run(['explain', '-'], SETUP);
    expect(code).toBe(2);
    expect(err).toContain('nothing to explain; name a pod with --pod, or a node with --node');
  });
});

test('explain reports unreadable input, and explains the rest', async () => {
  const { code, out, err } = await run(['explain', WITH_BROKEN_FILE, '--pod', 'web-0']);
  expect(code).toBe(2);
  expect(err).toMatch(/^error: .*b\.yaml:/);
  expect(out).toMatch(/^default\/web-0 opens default-0/);
});

test('explain --help describes names of pods, with examples', async () => {
  const { code, out } = await run(['explain', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('<workload>-<ordinal>, from 0');
  expect(out).toContain('karpenter-constructs explain manifests/ --pod shop/web-3');
});

describe('check --explain', () => {
  test("prints the placement of each workload's pods, similar pods once", async () => {
    const { out } = await run(['check', '-', '--explain', '--fail-on', 'never'], SETUP);
    expect(out).toContain('\nPlacements\n  default/web-0 opens default-0, a new node of NodePool default\n');
    expect(out).toContain('\n  default/web-1 joins default-0, a planned node of NodePool default with 1 pod\n');
    expect(out).not.toContain('big-0 fits nowhere');
  });

  test('includes placements in the JSON only if requested', async () => {
    const placements = async (...flags: string[]) =>
      JSON.parse((await run(['check', '-', '--format', 'json', ...flags], SETUP)).out).placements;
    expect(await placements()).toEqual([]);
    expect(
      (await placements('--explain')).map(({ pod, alike }: { pod: string; alike: string[] }) => [pod, alike]),
    ).toEqual([
      ['default/web-0', []],
      ['default/web-1', ['default/web-2']],
    ]);
  });
});
