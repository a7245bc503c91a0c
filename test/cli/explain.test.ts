import { join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const TAINTED = nodePool(['g5.xlarge'], 'gpu', '  weight: 10\n').replace('      nodeClassRef', '      taints: [{ key: gpu, effect: NoSchedule }]\n      nodeClassRef');
const SETUP = [NODE_CLASS, nodePool(['m5.large', 'm5.xlarge']), TAINTED, deployment('web', 3, 'cpu: 900m, memory: 1Gi'), deployment('big', 2, 'cpu: 5')].join('---\n');
const WITH_BROKEN_FILE = folderOf({ 'a.yaml': SETUP, 'b.yaml': 'a: [' });

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
  test('tells how a pod opens a node: the NodePools asked, what each constraint left, and the cheapest in the end', async () => {
    const { code, out, err } = await run(['explain', '-', '--pod', 'default/web-0'], SETUP);
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`default/web-0 opens default-0, a new node of NodePool default
  as number 1 of 3 pods; no planned node was there to join
  NodePool gpu (weight 10) refuses it: did not tolerate taint (taint=gpu:NoSchedule)
    but for the taint, 1 instance type would take the pod
    1363  catalogue
       1  node.kubernetes.io/instance-type In [g5.xlarge]
       1  karpenter.sh/capacity-type In [on-demand]
       1  an available offering
       1  allocatable left for pods
       1  limits.cpu, 1k left of 1k
       1  limits.memory, 1000Gi left of 1000Gi
       0  the taint gpu:NoSchedule, not tolerated
  NodePool default takes it on default-0
    1363  catalogue
       2  node.kubernetes.io/instance-type In [m5.large m5.xlarge]
       2  karpenter.sh/capacity-type In [on-demand]
       2  an available offering
       2  allocatable left for pods
       2  limits.cpu, 1k left of 1k
       2  limits.memory, 1000Gi left of 1000Gi
       2  offered as on-demand in us-east-1a or us-east-1b or us-east-1c
       2  cpu 900m
       2  memory 1Gi
       2  pods 1
  with all of its pods, default-0 can be of 1 instance type, the cheapest m5.xlarge on-demand in us-east-1a at 0.1920 USD per hour
`);
  });

  test('tells how a pod joins a node, and that others did the same', async () => {
    const { out } = await run(['explain', '-', '--pod', 'default/web-1', '--pod', 'web-2'], SETUP);
    expect(out).toMatch(/^default\/web-1 joins default-0, a planned node of NodePool default with 1 pod\n {2}as number 2 of 3 pods; 1 planned node was there to join\n {2}likewise default\/web-2\n/);
    expect(out).toContain('       2  the pod that it has already\n       2  this pod beside them: together they request cpu 1800m, memory 2Gi\n');
    expect(out).not.toContain('NodePool gpu');
  });

  test('tells why a pod fits nowhere, and what would help', async () => {
    const { code, out } = await run(['explain', '-', '--pod', 'big'], SETUP);
    expect(code).toBe(0);
    expect(out).toMatch(/^default\/big-0 fits nowhere\n.*\n {2}likewise default\/big-1\n/);
    expect(out).toContain('       0  cpu 5\n');
    expect(out).toContain('    short by 1080m of cpu on m5.xlarge, the nearest miss\n');
    expect(out).toMatch(/ {2}→ allow instance type \S+ in NodePool default: with it every pod of the workload fits \(1 change tried\)\n$/);
  });

  test('tells the same as JSON, with its keys in order', async () => {
    const [story, ...rest] = JSON.parse((await run(['explain', '-', '--pod', 'default/web-2', '--format', 'json'], SETUP)).out);
    expect(rest).toEqual([]);
    expect(Object.keys(story)).toEqual(['pod', 'alike', 'alikeElsewhere', 'outcome', 'position', 'placedPods', 'openNodeClaims', 'givenUp', 'node', 'nodePools', 'notTried', 'smallestChange', 'changesTried']);
    expect(story).toMatchObject({
      pod: 'default/web-2', alike: [], outcome: 'open-node-claim', position: 3, placedPods: 3, openNodeClaims: 1, nodePools: [], notTried: null, smallestChange: null, changesTried: 0,
    });
    expect(story.node).toMatchObject({ name: 'default-0', nodePool: 'default', podsBefore: 2, instanceTypes: { before: 2, withThisPod: 1, inTheEnd: 1 } });
    expect(Object.keys(story.node)).toEqual(['name', 'nodePool', 'podsBefore', 'instanceTypes', 'elimination', 'cheapest']);
  });

  test('tells the refusals of an unschedulable pod as JSON', async () => {
    const [story] = JSON.parse((await run(['explain', '-', '--pod', 'big-0', '--format', 'json'], SETUP)).out);
    expect(story).toMatchObject({ outcome: 'unschedulable', position: null, node: null, changesTried: 1 });
    expect(story.nodePools.map(({ nodePool: name, outcome }: Record<string, string>) => [name, outcome])).toEqual([['gpu', 'refuses'], ['default', 'refuses']]);
    expect(Object.keys(story.nodePools[0])).toEqual(['nodePool', 'weight', 'outcome', 'message', 'diagnosis', 'elimination']);
  });

  test('of many workloads stops somewhere and says so', async () => {
    const many = [NODE_CLASS, nodePool(['m5.large']), ...Array.from({ length: 23 }, (_, i) => deployment(`w${i}`, 1, SMALL))].join('---\n');
    expect((await run(['explain', '-', '--pod', '*'], many)).out).toMatch(/\nand \d+ pods more: name fewer at once\n$/);
  });
});

describe('names that mean nothing', () => {
  test('end with those that were likely meant', async () => {
    const { code, out, err } = await run(['explain', '-', '--pod', 'default/wep-0'], SETUP);
    expect([code, out, err]).toEqual([2, '', 'error: --pod: there is no such pod or workload, got "default/wep-0"; write default/web\n']);
  });

  test('end with what to do where there is no workload at all', async () => {
    const { code, err } = await run(['explain', '-', '--pod', 'web'], NODE_CLASS);
    expect([code, err]).toEqual([2, 'error: --pod: there is no such pod or workload, got "web"; pass the manifests of its workload\n']);
  });

  test.each([
    ['runs on every node', deployment('web', 1, SMALL).replace('kind: Deployment', 'kind: DaemonSet').replace('  replicas: 1\n', ''), 'DaemonSet default/web has a pod on every node that it fits, which nothing places'],
    ['has no replicas', deployment('web', 0, SMALL), 'Deployment default/web has 0 pods'],
    ['the API server refuses', deployment('web', 1, 'cpu: -1'), 'Deployment default/web is not judged'],
  ])('end with what is to say of a workload that %s', async (_, workload, why) => {
    const { code, err } = await run(['explain', '-', '--pod', 'web-0'], [NODE_CLASS, workload].join('---\n'));
    expect([code, err]).toEqual([2, `error: --pod: ${why}, got "web-0"; name a workload with pods to place\n`]);
  });

  test('end with what is to say of a workload whose pods run already', async () => {
    const { code, err } = await run(['explain', join(WITH_CLUSTER, 'set.yaml'), '--cluster', join(WITH_CLUSTER, 'cluster.yaml'), '--pod', 'web']);
    expect([code, err]).toEqual([2, 'error: --pod: all pods of StatefulSet default/web run in the cluster already, got "web"; name a workload with pods to place\n']);
  });

  test('and none at all is a mistake, too', async () => {
    const { code, err } = await run(['explain', '-'], SETUP);
    expect(code).toBe(2);
    expect(err).toContain('required option \'--pod <name>\' not specified');
  });
});

test('input that cannot be read is told, and the rest is still explained', async () => {
  const { code, out, err } = await run(['explain', WITH_BROKEN_FILE, '--pod', 'web-0']);
  expect(code).toBe(2);
  expect(err).toMatch(/^error: .*b\.yaml:/);
  expect(out).toMatch(/^default\/web-0 opens default-0/);
});

test('the help says how pods are named and gives examples', async () => {
  const { code, out } = await run(['explain', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('<workload>-<ordinal>, from 0');
  expect(out).toContain('karpenter-constructs explain manifests/ --pod shop/web-3');
});

describe('check --explain', () => {
  test('tells how the pods of each workload come to their nodes, those that met with the same once', async () => {
    const { out } = await run(['check', '-', '--explain', '--fail-on', 'never'], SETUP);
    expect(out).toContain('\nHow the pods come to their nodes\n  default/web-0 opens default-0, a new node of NodePool default\n');
    expect(out).toContain('\n  default/web-1 joins default-0, a planned node of NodePool default with 1 pod\n');
    expect(out).not.toContain('big-0 fits nowhere');
  });

  test('puts the stories into the JSON, too; without it there are none', async () => {
    const placements = async (...flags: string[]) => JSON.parse((await run(['check', '-', '--format', 'json', ...flags], SETUP)).out).placements;
    expect(await placements()).toEqual([]);
    expect((await placements('--explain')).map(({ pod, alike }: { pod: string; alike: string[] }) => [pod, alike]))
      .toEqual([['default/web-0', []], ['default/web-1', ['default/web-2']]]);
  });
});
