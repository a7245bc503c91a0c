import { dump, karpenterNode, node, nodeClaim, object, Plain, pod } from './dump';
import { check, Verdict } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const POOL = nodePool(['m5.large', 'm5.4xlarge']);

function verdict(workloads: string, ...items: Plain[]): Verdict {
  return check(manifests(POOL, NODE_CLASS, workloads), { cluster: dump(...items) });
}

function placed({ filledNodes, nodeClaims }: Verdict): Record<string, readonly string[]> {
  return Object.fromEntries([
    ...filledNodes.map(({ node: name, pods }) => [name, pods]),
    ...nodeClaims.map(({ id, pods }) => [id, pods]),
  ]);
}

const WEB = deployment('web', 3, 'cpu: 1, memory: 64Mi');
const OF_WEB = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { 'pod-template-hash': '5d9c' }, cpu: '1' };

describe('check with a cluster', () => {
  test('fills existing nodes before it launches new ones', () => {
    const result = verdict(WEB, node('n1'));
    expect(placed(result)).toEqual({ n1: ['default/web-0', 'default/web-1'], 'default-0': ['default/web-2'] });
    expect(result.filledNodes).toEqual([{ node: 'n1', nodePool: null, pods: ['default/web-0', 'default/web-1'] }]);
    expect([result.summary.pods, result.summary.scheduledPods, result.summary.nodes]).toEqual([3, 3, 1]);
  });

  test('reports the NodePool of a filled node', () => {
    expect(verdict(WEB, karpenterNode('n1'), nodeClaim('c', { of: 'n1' })).filledNodes[0].nodePool).toBe('default');
  });

  test('places only the pods of a workload that do not run yet', () => {
    const result = verdict(
      WEB,
      node('n1'),
      pod('web-5d9c-a', { on: 'n1', ...OF_WEB }),
      pod('web-5d9c-b', { on: 'n1', ...OF_WEB }),
    );
    expect(placed(result)).toEqual({ 'default-0': ['default/web-2'] });
  });

  test('places no pods of a workload with more pods than it wants', () => {
    const pods = ['a', 'b', 'c', 'd'].map((name) => pod(name, { on: 'n1', ...OF_WEB, cpu: '100m' }));
    expect(verdict(WEB, node('n1'), ...pods).summary.pods).toBe(0);
  });

  describe('a workload whose running pods have another container', () => {
    const proxy = { name: 'proxy', resources: { requests: { cpu: '600m', memory: '64Mi' } } };
    const containers = [{ name: 'main', resources: { requests: { cpu: '1', memory: '64Mi' } } }, proxy];
    const replicaSet = (...names: string[]) =>
      object(
        'apps/v1',
        'ReplicaSet',
        'web-5d9c',
        { spec: { template: { spec: { containers: names.map((name) => ({ name })) } } } },
        'default',
      );
    const withProxy = (annotations?: Plain, ...others: Plain[]) =>
      verdict(
        WEB,
        node('n1', { amounts: { cpu: '1600m', memory: '8Gi', pods: '29', 'ephemeral-storage': '20Gi' } }),
        pod('web-5d9c-a', { on: 'n1', ...OF_WEB, spec: { containers }, metadata: { annotations } }),
        ...others,
      );
    const requested = ({ nodeClaims }: Verdict) => nodeClaims.map(({ requests }) => requests.cpu);

    test('gives it to new pods if the ReplicaSet lacks it, and says so', () => {
      const result = withProxy(undefined, replicaSet('main'));
      expect(requested(result)).toEqual(
        requested(withProxy({ 'sidecar.istio.io/status': '{"containers":["proxy"]}' })),
      );
      expect(requested(result)).not.toEqual(requested(withProxy()));
      expect(result.assumptions).toContain(
        'new pods of Deployment default/web are assumed to get what a webhook has added to the running pods: proxy (600m of cpu, 64Mi of memory)',
      );
    });

    test('does not give it to new pods if the ReplicaSet has it: the change removes it', () => {
      expect(requested(withProxy(undefined, replicaSet('main', 'proxy')))).toEqual(requested(withProxy()));
    });
  });

  describe('a workload without replicas in its manifest', () => {
    const scaled = WEB.replace(/ *replicas: 3\n/, '');
    const hpa = object(
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      'web',
      {
        spec: {
          minReplicas: 2,
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        },
      },
      'default',
    );
    const running = ['a', 'b'].map((name) => pod(`web-5d9c-${name}`, { on: 'n1', ...OF_WEB }));

    test('wants one pod if the cluster has none', () => {
      expect(verdict(scaled, node('n1')).summary.pods).toBe(1);
    });

    test('wants its pending pods too', () => {
      expect(placed(verdict(scaled, node('n1'), ...running, pod('web-5d9c-c', OF_WEB)))).toEqual({
        'default-0': ['default/web-2'],
      });
    });

    test('wants the pods of a node that is being deleted too', () => {
      const deletedNode = [
        karpenterNode('n2'),
        nodeClaim('c', { of: 'n2', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      ];
      expect(
        placed(verdict(scaled, node('n1'), ...running, ...deletedNode, pod('web-5d9c-d', { on: 'n2', ...OF_WEB }))),
      ).toEqual({ 'default-0': ['default/web-2'] });
    });

    test('wants the replicas of the cluster within the range of its autoscaler', () => {
      const clusterDeployment = object('apps/v1', 'Deployment', 'web', { spec: { replicas: 5 } }, 'default');
      expect(verdict(scaled, node('n1'), clusterDeployment, ...running).summary.pods).toBe(3);
      expect(verdict(scaled, node('n1'), clusterDeployment, hpa, ...running).summary.pods).toBe(1);
      expect(
        verdict(scaled, node('n1'), object('apps/v1', 'Deployment', 'web', { spec: { replicas: 0 } }, 'default'))
          .summary.pods,
      ).toBe(0);
    });
  });

  test.each<[string, string, readonly [string, string], Plain]>([
    ['StatefulSet', 'db', ['StatefulSet', 'db'], {}],
    ['Job', 'load', ['Job', 'load'], {}],
    ['CronJob', 'nightly', ['Job', 'nightly-29371680'], {}],
    ['ReplicaSet', 'web-5d9c', ['ReplicaSet', 'web-5d9c'], {}],
    ['Pod', 'alone', ['Unknown', 'x'], {}],
  ])('does not place the running pod of a %s again', (kind, name, owner) => {
    const spec = {
      containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '64Mi' } } }],
      restartPolicy: ['StatefulSet', 'ReplicaSet'].includes(kind) ? 'Always' : 'Never',
    };
    const template = { template: { metadata: { labels: { a: 'b' } }, spec } };
    const manifest: Record<string, Plain> = {
      StatefulSet: object('apps/v1', kind, name, {
        spec: { replicas: 1, serviceName: 'x', selector: { matchLabels: { a: 'b' } }, ...template },
      }),
      ReplicaSet: object('apps/v1', kind, name, {
        spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, ...template },
      }),
      Job: object('batch/v1', kind, name, { spec: template }),
      CronJob: object('batch/v1', kind, name, { spec: { schedule: '@daily', jobTemplate: { spec: template } } }),
      Pod: object('v1', kind, name, { spec }),
    };
    const running = pod(kind === 'Pod' ? name : `${name}-x`, { on: 'n1', owner });
    expect(verdict(JSON.stringify(manifest[kind]), node('n1')).summary.pods).toBe(1);
    expect(verdict(JSON.stringify(manifest[kind]), node('n1'), running).summary.pods).toBe(0);
  });

  test('places a terminating pod of a StatefulSet again only if its node is cordoned', () => {
    const spec = { containers: [{ name: 'main', resources: { requests: { cpu: '1500m', memory: '64Mi' } } }] };
    const set = object('apps/v1', 'StatefulSet', 'db', {
      spec: {
        replicas: 1,
        serviceName: 'x',
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec },
      },
    });
    const terminating = pod('db-0', {
      on: 'n1',
      cpu: '1500m',
      owner: ['StatefulSet', 'db'],
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    expect(verdict(JSON.stringify(set), node('n1'), terminating).summary.pods).toBe(0);
    const cordoned = node('n1', { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] });
    expect(placed(verdict(JSON.stringify(set), cordoned, terminating))).toEqual({ 'default-0': ['default/db-0'] });
  });

  test('places only the pods that a Job still has to complete', () => {
    const job = object('batch/v1', 'Job', 'load', {
      spec: {
        parallelism: 3,
        completions: 4,
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
          },
        },
      },
    });
    const succeeded = ['a', 'b'].map((name) =>
      pod(name, { on: 'n1', owner: ['Job', 'load'], status: { phase: 'Succeeded' } }),
    );
    const active = pod('c', { on: 'n1', owner: ['Job', 'load'] });
    expect(placed(verdict(JSON.stringify(job), node('n1'), ...succeeded, active))).toEqual({ n1: ['default/load-2'] });
  });

  test('places pending pods of the cluster, oldest first', () => {
    const createdAt = (creationTimestamp: string) => ({ metadata: { creationTimestamp }, cpu: '1500m' });
    const result = verdict(
      '',
      node('n1'),
      pod('young', createdAt('2026-01-02T00:00:00Z')),
      pod('old', createdAt('2026-01-01T00:00:00Z')),
    );
    expect(placed(result)).toEqual({ n1: ['default/old'], 'default-0': ['default/young'] });
  });

  test('counts pending pods of a workload of the manifests once', () => {
    expect(verdict(WEB, pod('web-5d9c-a', OF_WEB)).summary.pods).toBe(3);
  });

  test.each<[string, Plain]>([
    ['without a PodScheduled condition', pod('p', { status: { conditions: [] } })],
    [
      'with scheduling gates',
      pod('p', { status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] } }),
    ],
    ['that preempts other pods', pod('p', { status: { nominatedNodeName: 'n1' } })],
    ['of a DaemonSet', pod('p', { owner: ['DaemonSet', 'agent'] })],
    ['that runs on a node', pod('p', { on: 'n1' })],
  ])('does not place a pod %s', (_, clusterPod) => {
    expect(verdict('', node('n1'), clusterPod).summary.pods).toBe(0);
  });

  describe('and a node that is being deleted', () => {
    const DELETED_NODE = [
      karpenterNode('n1'),
      nodeClaim('c', { of: 'n1', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ];
    const budget = (name: string, spec: Plain) =>
      object(
        'policy/v1',
        'PodDisruptionBudget',
        name,
        { spec: { selector: { matchLabels: { app: 'web' } }, ...spec } },
        'default',
      );
    const podOnIt = (fields: Parameters<typeof pod>[1] = {}) =>
      pod('p', { on: 'n1', labels: { app: 'web' }, ...fields });

    test('places its pods', () => {
      expect(placed(verdict('', ...DELETED_NODE, podOnIt()))).toEqual({ 'default-0': ['default/p'] });
    });

    test('places its pods of a workload of the manifests once', () => {
      expect(
        placed(verdict(WEB, ...DELETED_NODE, pod('web-5d9c-a', { on: 'n1', ...OF_WEB })))['default-0'],
      ).toHaveLength(3);
    });

    test.each<[string, Plain[]]>([
      ['of a DaemonSet', [podOnIt({ owner: ['DaemonSet', 'agent'] })]],
      [
        'that may not be disrupted',
        [podOnIt({ metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } })],
      ],
      [
        'that may not be disrupted for some time',
        [podOnIt({ metadata: { annotations: { 'karpenter.sh/do-not-disrupt': '1h30m' } } })],
      ],
      ['that is terminating', [podOnIt({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })]],
      ['with a budget that allows no disruption', [podOnIt(), budget('b', { maxUnavailable: 0 })]],
      ['with a budget that requires all pods', [podOnIt(), budget('b', { minAvailable: '100%' })]],
      ['with two budgets', [podOnIt(), budget('a', { maxUnavailable: 1 }), budget('b', { maxUnavailable: 1 })]],
    ])('does not place a pod %s', (_, items) => {
      expect(verdict('', ...DELETED_NODE, ...items).summary.pods).toBe(0);
    });

    test.each<[string, Plain[]]>([
      [
        'with an invalid do-not-disrupt annotation',
        [podOnIt({ metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'soon' } } })],
      ],
      [
        'of a StatefulSet that is terminating',
        [podOnIt({ owner: ['StatefulSet', 'db'], metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
      ],
      ['with a budget that allows a disruption', [podOnIt(), budget('b', { maxUnavailable: 1 })]],
      [
        'of a StatefulSet that is terminating, despite a budget',
        [
          podOnIt({ owner: ['StatefulSet', 'db'], metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
          budget('b', { maxUnavailable: 0 }),
        ],
      ],
      [
        'that tolerates the disruption taint, despite a budget',
        [podOnIt({ spec: { tolerations: [{ operator: 'Exists' }] } }), budget('b', { maxUnavailable: 0 })],
      ],
      [
        'that is not ready, if the budget always allows that',
        [
          podOnIt({ status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] } }),
          budget('b', { maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
        ],
      ],
    ])('places a pod %s', (_, items) => {
      expect(verdict('', ...DELETED_NODE, ...items).summary.pods).toBe(1);
    });
  });

  test('reserves room for DaemonSets of the cluster on new nodes', () => {
    const agent = object(
      'apps/v1',
      'DaemonSet',
      'agent',
      { spec: { template: { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } } } },
      'kube-system',
    );
    expect(verdict(deployment('web', 1, 'cpu: 1, memory: 64Mi'), agent).nodeClaims[0].requests.cpu).toBe('2');
  });

  test('uses NodePools and node classes of the cluster for workloads', () => {
    const result = check(manifests(WEB), {
      cluster: [{ path: 'cluster.yaml', text: [POOL, NODE_CLASS].join('---\n') }],
    });
    expect(result.nodePools.map(({ name }) => name)).toEqual(['default']);
    expect(result.summary.scheduledPods).toBe(3);
    expect(result.findings.filter(({ subject }) => subject.kind !== 'Deployment')).toEqual([]);
  });

  test('prefers a manifest to the object in the cluster', () => {
    const result = check(manifests(nodePool(['c5.large']), NODE_CLASS, WEB), {
      cluster: [{ path: 'cluster.yaml', text: POOL }],
    });
    expect(result.nodePools).toHaveLength(1);
    expect(result.nodePools[0].instanceTypes).toEqual(['c5.large']);
  });

  test('counts existing nodes towards the limits of a NodePool', () => {
    const few = nodePool(['m5.large'], 'default').replace('cpu: 1000', 'cpu: 3');
    const full = [
      karpenterNode('n1', { amounts: { cpu: '2', memory: '1Gi', pods: '1' } }),
      nodeClaim('c', { of: 'n1' }),
      pod('p', { on: 'n1' }),
    ];
    const { unschedulable } = check(manifests(few, NODE_CLASS, deployment('web', 1, 'cpu: 1, memory: 64Mi')), {
      cluster: dump(...full),
    });
    expect(unschedulable[0].reasons[0].message).toContain('all available instance types exceed limits for nodepool');
  });

  test('places a pod in the zone of its bound volume', () => {
    const volume = object('v1', 'PersistentVolume', 'pv1', {
      spec: {
        csi: { driver: 'ebs.csi.aws.com' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] }] },
            ],
          },
        },
      },
    });
    const claim = {
      ...object(
        'v1',
        'PersistentVolumeClaim',
        'data',
        { spec: { volumeName: 'pv1' }, status: { phase: 'Bound' } },
        'default',
      ),
    };
    (claim.metadata as Plain).annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
    const claimManifest =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { storageClassName: gp3, resources: { requests: { storage: 1Gi } } }\n';
    const web = deployment(
      'web',
      1,
      'cpu: 1, memory: 64Mi',
      '      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]\n',
    );
    expect(verdict(`${web}---\n${claimManifest}`, volume, claim).nodeClaims[0].zones).toEqual(['us-east-1b']);
  });

  test('states its assumptions about the cluster', () => {
    const { assumptions } = verdict(
      '',
      node('n1'),
      pod('a', { on: 'n1', owner: ['DaemonSet', 'agent'] }),
      nodeClaim('c', { status: { providerID: '' } }),
    );
    expect(assumptions).toEqual(
      expect.arrayContaining([
        'the cluster keeps 1 node with 1 pod: running pods stay where they are, even if their workload changes',
        'each workload schedules only the pods that it does not have in the cluster yet, all at the same time',
        'NodeClaim c has no instance yet and is ignored',
        'DaemonSet default/agent is not in the input: new nodes are planned without its pods',
      ]),
    );
    expect(assumptions.join()).not.toContain('the cluster is empty');
  });

  test('fills static nodes, and does not launch existing ones again', () => {
    const staticPool = nodePool(['m5.large'], 'fixed', '  replicas: 1\n').replace(/ {2}limits.*\n/, '');
    const amounts = { cpu: '2', memory: '8Gi', pods: '29' };
    const labels = { 'karpenter.sh/nodepool': 'fixed' };
    const options = { featureGates: { StaticCapacity: true } };
    const sources = manifests(POOL, staticPool, NODE_CLASS, deployment('web', 2, 'cpu: 1, memory: 64Mi'));
    const result = check(sources, {
      ...options,
      cluster: dump(karpenterNode('n1', { labels, amounts }), nodeClaim('c', { of: 'n1', labels })),
    });
    expect(result.filledNodes).toEqual([{ node: 'n1', nodePool: 'fixed', pods: ['default/web-0', 'default/web-1'] }]);
    expect(result.nodeClaims).toEqual([]);
    expect(check(sources, options).nodeClaims.map(({ id }) => id)).toEqual(['default-0', 'fixed-0']);
  });
});
