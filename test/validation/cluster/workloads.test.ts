import { dump, karpenterNode, node, nodeClaim, object, Plain, pod } from './dump';
import { check, Verdict } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const POOL = nodePool(['m5.large', 'm5.4xlarge']);

function verdict(workloads: string, ...items: Plain[]): Verdict {
  return check(manifests(POOL, NODE_CLASS, workloads), { cluster: dump(...items) });
}

function placed({ filledNodes, nodeClaims }: Verdict): Record<string, readonly string[]> {
  return Object.fromEntries([...filledNodes.map(({ node: name, pods }) => [name, pods]), ...nodeClaims.map(({ id, pods }) => [id, pods])]);
}

const WEB = deployment('web', 3, 'cpu: 1, memory: 64Mi');
const OF_WEB = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { 'pod-template-hash': '5d9c' }, cpu: '1' };

describe('with a cluster', () => {
  test('pods go to the nodes that are there before any is launched', () => {
    const result = verdict(WEB, node('n1'));
    expect(placed(result)).toEqual({ 'n1': ['default/web-0', 'default/web-1'], 'default-0': ['default/web-2'] });
    expect(result.filledNodes).toEqual([{ node: 'n1', nodePool: null, pods: ['default/web-0', 'default/web-1'] }]);
    expect([result.summary.pods, result.summary.scheduledPods, result.summary.nodes]).toEqual([3, 3, 1]);
  });

  test('a node says of which NodePool it is', () => {
    expect(verdict(WEB, karpenterNode('n1'), nodeClaim('c', { of: 'n1' })).filledNodes[0].nodePool).toBe('default');
  });

  test('of a workload only the pods are placed that do not run yet', () => {
    const result = verdict(WEB, node('n1'), pod('web-5d9c-a', { on: 'n1', ...OF_WEB }), pod('web-5d9c-b', { on: 'n1', ...OF_WEB }));
    expect(placed(result)).toEqual({ 'default-0': ['default/web-2'] });
  });

  test('a workload with more pods than it wants needs no place', () => {
    const pods = ['a', 'b', 'c', 'd'].map((name) => pod(name, { on: 'n1', ...OF_WEB, cpu: '100m' }));
    expect(verdict(WEB, node('n1'), ...pods).summary.pods).toBe(0);
  });

  describe('a workload whose manifest does not say how many pods it wants', () => {
    const scaled = WEB.replace(/ *replicas: 3\n/, '');
    const hpa = object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
      spec: { minReplicas: 2, maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    }, 'default');
    const running = ['a', 'b'].map((name) => pod(`web-5d9c-${name}`, { on: 'n1', ...OF_WEB }));

    test('wants one where the cluster has none', () => {
      expect(verdict(scaled, node('n1')).summary.pods).toBe(1);
    });

    test('wants those as well that wait for a node', () => {
      expect(placed(verdict(scaled, node('n1'), ...running, pod('web-5d9c-c', OF_WEB)))).toEqual({ 'default-0': ['default/web-2'] });
    });

    test('wants those as well that need another place', () => {
      const going = [karpenterNode('n2'), nodeClaim('c', { of: 'n2', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })];
      expect(placed(verdict(scaled, node('n1'), ...running, ...going, pod('web-5d9c-d', { on: 'n2', ...OF_WEB })))).toEqual({ 'default-0': ['default/web-2'] });
    });

    test('wants as many as the cluster wants of it, and no more than its autoscaler gives it', () => {
      const own = object('apps/v1', 'Deployment', 'web', { spec: { replicas: 5 } }, 'default');
      expect(verdict(scaled, node('n1'), own, ...running).summary.pods).toBe(3);
      expect(verdict(scaled, node('n1'), own, hpa, ...running).summary.pods).toBe(1);
      expect(verdict(scaled, node('n1'), object('apps/v1', 'Deployment', 'web', { spec: { replicas: 0 } }, 'default')).summary.pods).toBe(0);
    });
  });

  test.each<[string, string, readonly [string, string], Plain]>([
    ['StatefulSet', 'db', ['StatefulSet', 'db'], {}],
    ['Job', 'load', ['Job', 'load'], {}],
    ['CronJob', 'nightly', ['Job', 'nightly-29371680'], {}],
    ['ReplicaSet', 'web-5d9c', ['ReplicaSet', 'web-5d9c'], {}],
    ['Pod', 'alone', ['Unknown', 'x'], {}],
  ])('the pod of a %s that runs is not placed again', (kind, name, owner) => {
    const spec = { containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '64Mi' } } }], restartPolicy: 'Never' };
    const template = { template: { metadata: { labels: { a: 'b' } }, spec } };
    const manifest: Record<string, Plain> = {
      StatefulSet: object('apps/v1', kind, name, { spec: { replicas: 1, serviceName: 'x', selector: { matchLabels: { a: 'b' } }, ...template } }),
      ReplicaSet: object('apps/v1', kind, name, { spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, ...template } }),
      Job: object('batch/v1', kind, name, { spec: template }),
      CronJob: object('batch/v1', kind, name, { spec: { schedule: '@daily', jobTemplate: { spec: template } } }),
      Pod: object('v1', kind, name, { spec }),
    };
    const running = pod(kind === 'Pod' ? name : `${name}-x`, { on: 'n1', owner });
    expect(verdict(JSON.stringify(manifest[kind]), node('n1')).summary.pods).toBe(1);
    expect(verdict(JSON.stringify(manifest[kind]), node('n1'), running).summary.pods).toBe(0);
  });

  test('the pod of a StatefulSet that ends is made again where it was, once it is gone, but not where no pod comes any more', () => {
    const spec = { containers: [{ name: 'main', resources: { requests: { cpu: '1500m', memory: '64Mi' } } }] };
    const set = object('apps/v1', 'StatefulSet', 'db', {
      spec: { replicas: 1, serviceName: 'x', selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
    });
    const ending = pod('db-0', { on: 'n1', cpu: '1500m', owner: ['StatefulSet', 'db'], metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
    expect(verdict(JSON.stringify(set), node('n1'), ending).summary.pods).toBe(0);
    const cordoned = node('n1', { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] });
    expect(placed(verdict(JSON.stringify(set), cordoned, ending))).toEqual({ 'default-0': ['default/db-0'] });
  });

  test('a Job wants no more pods than it has still to complete', () => {
    const job = object('batch/v1', 'Job', 'load', {
      spec: { parallelism: 3, completions: 4, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '1Gi' } } }] } } },
    });
    const done = ['a', 'b'].map((name) => pod(name, { on: 'n1', owner: ['Job', 'load'], status: { phase: 'Succeeded' } }));
    const active = pod('c', { on: 'n1', owner: ['Job', 'load'] });
    expect(placed(verdict(JSON.stringify(job), node('n1'), ...done, active))).toEqual({ n1: ['default/load-2'] });
  });

  test('pods of the cluster that wait for a node are placed as well, the oldest of equal ones first', () => {
    const born = (creationTimestamp: string) => ({ metadata: { creationTimestamp }, cpu: '1500m' });
    const result = verdict('', node('n1'), pod('young', born('2026-01-02T00:00:00Z')), pod('old', born('2026-01-01T00:00:00Z')));
    expect(placed(result)).toEqual({ 'n1': ['default/old'], 'default-0': ['default/young'] });
  });

  test('pods that wait and belong to a workload of the manifests are counted once', () => {
    expect(verdict(WEB, pod('web-5d9c-a', OF_WEB)).summary.pods).toBe(3);
  });

  test.each<[string, Plain]>([
    ['that no scheduler has seen', pod('p', { status: { conditions: [] } })],
    ['with gates', pod('p', { status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] } })],
    ['that drives others out', pod('p', { status: { nominatedNodeName: 'n1' } })],
    ['of a DaemonSet', pod('p', { owner: ['DaemonSet', 'agent'] })],
    ['that stays on a node', pod('p', { on: 'n1' })],
  ])('a pod %s does not wait for Karpenter', (_, waiting) => {
    expect(verdict('', node('n1'), waiting).summary.pods).toBe(0);
  });

  describe('and a node that goes', () => {
    const GOING = [karpenterNode('n1'), nodeClaim('c', { of: 'n1', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })];
    const budget = (name: string, spec: Plain) => object('policy/v1', 'PodDisruptionBudget', name, { spec: { selector: { matchLabels: { app: 'web' } }, ...spec } }, 'default');
    const one = (fields: Parameters<typeof pod>[1] = {}) => pod('p', { on: 'n1', labels: { app: 'web' }, ...fields });

    test('its pods need another place', () => {
      expect(placed(verdict('', ...GOING, one()))).toEqual({ 'default-0': ['default/p'] });
    });

    test('its pods of a workload of the manifests do as well, once', () => {
      expect(placed(verdict(WEB, ...GOING, pod('web-5d9c-a', { on: 'n1', ...OF_WEB })))['default-0']).toHaveLength(3);
    });

    test.each<[string, Plain[]]>([
      ['of a DaemonSet', [one({ owner: ['DaemonSet', 'agent'] })]],
      ['that may not be disrupted', [one({ metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } })]],
      ['that may not be disrupted for some time', [one({ metadata: { annotations: { 'karpenter.sh/do-not-disrupt': '1h30m' } } })]],
      ['that is going', [one({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })]],
      ['that a budget never lets go', [one(), budget('b', { maxUnavailable: 0 })]],
      ['that a budget wants all of', [one(), budget('b', { minAvailable: '100%' })]],
      ['with two budgets', [one(), budget('a', { maxUnavailable: 1 }), budget('b', { maxUnavailable: 1 })]],
    ])('a pod %s does not', (_, items) => {
      expect(verdict('', ...GOING, ...items).summary.pods).toBe(0);
    });

    test.each<[string, Plain[]]>([
      ['with an annotation that means nothing', [one({ metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'soon' } } })]],
      ['of a StatefulSet that is going', [one({ owner: ['StatefulSet', 'db'], metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })]],
      ['with a budget that lets some go', [one(), budget('b', { maxUnavailable: 1 })]],
      ['of a StatefulSet that is going, whatever a budget says', [one({ owner: ['StatefulSet', 'db'], metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), budget('b', { maxUnavailable: 0 })]],
      ['that nobody evicts, whatever a budget says', [one({ spec: { tolerations: [{ operator: 'Exists' }] } }), budget('b', { maxUnavailable: 0 })]],
      ['that is not ready and may go then', [one({ status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] } }), budget('b', { maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' })]],
    ])('a pod %s does', (_, items) => {
      expect(verdict('', ...GOING, ...items).summary.pods).toBe(1);
    });
  });

  test('DaemonSets of the cluster take room on new nodes', () => {
    const agent = object('apps/v1', 'DaemonSet', 'agent', { spec: { template: { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } } } }, 'kube-system');
    expect(verdict(deployment('web', 1, 'cpu: 1, memory: 64Mi'), agent).nodeClaims[0].requests.cpu).toBe('2');
  });

  test('NodePools and node classes of the cluster serve workloads that come without', () => {
    const result = check(manifests(WEB), { cluster: [{ path: 'cluster.yaml', text: [POOL, NODE_CLASS].join('---\n') }] });
    expect(result.nodePools.map(({ name }) => name)).toEqual(['default']);
    expect(result.summary.scheduledPods).toBe(3);
    expect(result.findings.filter(({ subject }) => subject.kind !== 'Deployment')).toEqual([]);
  });

  test('a manifest goes before what the cluster has of it', () => {
    const result = check(manifests(nodePool(['c5.large']), NODE_CLASS, WEB), { cluster: [{ path: 'cluster.yaml', text: POOL }] });
    expect(result.nodePools).toHaveLength(1);
    expect(result.nodePools[0].instanceTypes).toEqual(['c5.large']);
  });

  test('limits count the nodes that a NodePool has', () => {
    const few = nodePool(['m5.large'], 'default').replace('cpu: 1000', 'cpu: 3');
    const full = [karpenterNode('n1', { amounts: { cpu: '2', memory: '1Gi', pods: '1' } }), nodeClaim('c', { of: 'n1' }), pod('p', { on: 'n1' })];
    const { unschedulable } = check(manifests(few, NODE_CLASS, deployment('web', 1, 'cpu: 1, memory: 64Mi')), { cluster: dump(...full) });
    expect(unschedulable[0].reasons[0].message).toContain('all available instance types exceed limits for nodepool');
  });

  test('the pods of a claim with a volume go where the volume is', () => {
    const volume = object('v1', 'PersistentVolume', 'pv1', {
      spec: { csi: { driver: 'ebs.csi.aws.com' }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] }] }] } } },
    });
    const claim = { ...object('v1', 'PersistentVolumeClaim', 'data', { spec: { volumeName: 'pv1' }, status: { phase: 'Bound' } }, 'default') };
    (claim.metadata as Plain).annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
    const written = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { storageClassName: gp3 }\n';
    const web = deployment('web', 1, 'cpu: 1, memory: 64Mi', '      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]\n');
    expect(verdict(`${web}---\n${written}`, volume, claim).nodeClaims[0].zones).toEqual(['us-east-1b']);
  });

  test('the verdict says what it takes for granted of the cluster', () => {
    const { assumptions } = verdict('', node('n1'), pod('a', { on: 'n1', owner: ['DaemonSet', 'agent'] }), nodeClaim('c', { status: { providerID: '' } }));
    expect(assumptions).toEqual(expect.arrayContaining([
      'the cluster has 1 node that stays, with 1 pod: these stay where they are, also those of a workload that changes',
      'of each workload as many pods wait for a node as it wants more than it has in the cluster, and all of them at once',
      'NodeClaim c has no instance yet, and is left out',
      'DaemonSet default/agent is not in the input: new nodes are judged without its pods',
    ]));
    expect(assumptions.join()).not.toContain('the cluster is empty');
  });

  test('static nodes are capacity as any other, and those that are there are not launched again', () => {
    const staticPool = nodePool(['m5.large'], 'fixed', '  replicas: 1\n').replace(/ {2}limits.*\n/, '');
    const amounts = { cpu: '2', memory: '8Gi', pods: '29' };
    const labels = { 'karpenter.sh/nodepool': 'fixed' };
    const options = { featureGates: { StaticCapacity: true } };
    const sources = manifests(POOL, staticPool, NODE_CLASS, deployment('web', 2, 'cpu: 1, memory: 64Mi'));
    const result = check(sources, { ...options, cluster: dump(karpenterNode('n1', { labels, amounts }), nodeClaim('c', { of: 'n1', labels })) });
    expect(result.filledNodes).toEqual([{ node: 'n1', nodePool: 'fixed', pods: ['default/web-0', 'default/web-1'] }]);
    expect(result.nodeClaims).toEqual([]);
    expect(check(sources, options).nodeClaims.map(({ id }) => id)).toEqual(['default-0', 'fixed-0']);
  });
});
