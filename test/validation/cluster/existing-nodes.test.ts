import { dump, karpenterNode, node, nodeClaim, object, Plain, pod } from './dump';
import { ExistingNode } from '../../../src/scheduling';
import { readManifests } from '../../../src/validation';

function nodesOf(...items: Plain[]): readonly ExistingNode[] {
  const { cluster, problems } = readManifests([], { cluster: dump(...items) });
  expect(problems).toEqual([]);
  return cluster!.nodes;
}

function only(...items: Plain[]): ExistingNode {
  const nodes = nodesOf(...items);
  expect(nodes).toHaveLength(1);
  return nodes[0];
}

const taint = (key: string, effect = 'NoSchedule', value?: string) => ({ key, effect, value });
const STARTING = { 'karpenter.sh/initialized': 'false' };
const UNREGISTERED = { ...STARTING, 'karpenter.sh/registered': 'false' };

describe('StateNode', () => {
  test('has the labels, taints, capacity and allocatable of its Node', () => {
    const amounts = { cpu: '1930m', memory: '7Gi', pods: '29' };
    const read = only(node('n1', { labels: { team: 'a' }, taints: [taint('gpu', 'NoSchedule', 'yes')], amounts }));
    expect(read.name).toBe('n1');
    expect(read.labels.team).toBe('a');
    expect(read.taints).toEqual([taint('gpu', 'NoSchedule', 'yes')]);
    expect(read.allocatable).toEqual(
      new Map([
        ['cpu', 1930n],
        ['memory', 7000n * 2n ** 30n],
        ['pods', 29n],
      ]),
    );
    expect(read.initialized).toBe(true);
  });

  test('joins a Node and its NodeClaim', () => {
    expect(only(karpenterNode('n1'), nodeClaim('default-x', { of: 'n1' })).name).toBe('n1');
  });

  test('has the name, labels and taints of its NodeClaim until it is registered', () => {
    const claim = nodeClaim('default-x', { of: 'n1', labels: { team: 'a' }, spec: { taints: [taint('team')] } });
    const read = only(karpenterNode('n1', { labels: UNREGISTERED, taints: [taint('other')] }), claim);
    expect([read.name, read.labels.team, read.initialized]).toEqual(['default-x', 'a', false]);
    expect(read.taints).toEqual([taint('team')]);
  });

  test('is reported in a note if it has a NodePool but no NodeClaim', () => {
    const notes = (...items: Plain[]) => readManifests([], { cluster: dump(...items) }).cluster!.notes;
    expect(notes(node('n0'), karpenterNode('n1'), nodeClaim('default-x', { of: 'n1' }))).toEqual([]);
    expect(
      notes(karpenterNode('n1'), karpenterNode('n2'), karpenterNode('n3'), nodeClaim('default-x', { of: 'n1' })),
    ).toEqual([
      'Node n2 and 1 more have no NodeClaim in the input: scenarios treat a Node without NodeClaim as unmanaged, and do not disrupt it',
    ]);
  });

  test('can be a NodeClaim without a Node', () => {
    const read = only(nodeClaim('default-x'));
    expect([read.name, read.initialized, read.allocatable.get('cpu')]).toEqual(['default-x', false, 2000n]);
  });

  test('ignores NodeClaims of other node classes, such as those of EKS Auto Mode', () => {
    const ofAutoMode = { spec: { nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' } } };
    expect(nodesOf(nodeClaim('general-purpose-x', ofAutoMode))).toEqual([]);
    const read = only(
      karpenterNode('n1', { labels: STARTING, taints: [taint('karpenter.sh/disrupted')] }),
      nodeClaim('general-purpose-y', { of: 'n1', ...ofAutoMode }),
    );
    expect([read.name, read.initialized, read.markedForDeletion, read.taints]).toEqual([
      'n1',
      true,
      undefined,
      [taint('karpenter.sh/disrupted')],
    ]);
    const { cluster } = readManifests([], {
      cluster: dump(nodeClaim('general-purpose-z', { ...ofAutoMode, status: { providerID: '' } })),
    });
    expect(cluster!.notes).toEqual([]);
  });

  test.each<[string, Plain]>([
    ['not ready', taint('node.kubernetes.io/not-ready')],
    ['unreachable', taint('node.kubernetes.io/unreachable')],
    ['not known to the cloud provider', taint('node.cloudprovider.kubernetes.io/uninitialized', 'NoSchedule', 'true')],
    ['not registered', taint('karpenter.sh/unregistered', 'NoExecute')],
    ['waiting for something else', taint('readiness.k8s.io/network')],
    ['starting', taint('cilium', 'NoExecute')],
  ])('leaves out the taint of a node that is %s while it starts', (_, startup) => {
    const claim = nodeClaim('default-x', { of: 'n1', spec: { startupTaints: [taint('cilium', 'NoExecute')] } });
    expect(only(karpenterNode('n1', { labels: STARTING, taints: [startup, taint('gpu')] }), claim).taints).toEqual([
      taint('gpu'),
    ]);
    expect(only(karpenterNode('n1', { taints: [startup] }), claim).taints).toEqual([startup]);
  });

  test('keeps all taints of the Node object while it starts', () => {
    const notReady = taint('node.kubernetes.io/not-ready');
    const read = only(
      karpenterNode('n1', { labels: STARTING, taints: [notReady] }),
      nodeClaim('default-x', { of: 'n1' }),
    );
    expect([read.taints, read.nodeObjectTaints]).toEqual([[], [notReady]]);
  });

  test('keeps the labels of the Node object until it is registered, with its name as default hostname', () => {
    const claim = nodeClaim('default-x', { of: 'n1', labels: { team: 'a' } });
    const read = (labels: Plain) =>
      only(karpenterNode('n1', { labels: { ...UNREGISTERED, ...labels } }), claim).nodeObjectLabels;
    expect(read({ team: 'b' })).toMatchObject({ team: 'b', 'kubernetes.io/hostname': 'n1' });
    expect(read({ 'kubernetes.io/hostname': 'ip-1' })).toMatchObject({ 'kubernetes.io/hostname': 'ip-1' });
    expect(only(karpenterNode('n1'), claim).nodeObjectLabels).toBeUndefined();
    expect(only(claim).nodeObjectLabels).toBeUndefined();
  });

  test('keeps the taints of a node that Karpenter did not launch', () => {
    expect(only(node('n1', { taints: [taint('node.kubernetes.io/not-ready')] })).taints).toHaveLength(1);
  });

  test('uses the amounts of its NodeClaim for resources that the Node does not report yet', () => {
    const claim = nodeClaim('default-x', { of: 'n1', status: { allocatable: { 'nvidia.com/gpu': '1', cpu: '9' } } });
    const amounts = { cpu: '2', 'nvidia.com/gpu': '0' };
    expect(only(karpenterNode('n1', { labels: STARTING, amounts }), claim).allocatable).toEqual(
      new Map([
        ['nvidia.com/gpu', 1n],
        ['cpu', 2000n],
      ]),
    );
    expect(only(karpenterNode('n1', { amounts }), claim).allocatable.get('nvidia.com/gpu')).toBe(0n);
  });

  test.each<[string, Plain[]]>([
    [
      'whose NodeClaim is being deleted',
      [karpenterNode('n1'), nodeClaim('c', { of: 'n1', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    ],
    [
      'whose instance is being terminated',
      [
        karpenterNode('n1'),
        nodeClaim('c', { of: 'n1', status: { conditions: [{ type: 'InstanceTerminating', status: 'True' }] } }),
      ],
    ],
    [
      'that Karpenter is disrupting',
      [karpenterNode('n1', { taints: [taint('karpenter.sh/disrupted')] }), nodeClaim('c', { of: 'n1' })],
    ],
    [
      'without NodeClaim that is being deleted',
      [node('n1', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    ],
    [
      'that Karpenter launched and that has no instance type label yet',
      [karpenterNode('n1', { labels: { 'karpenter.sh/initialized': '', 'node.kubernetes.io/instance-type': '' } })],
    ],
    ['that is not launched yet', [nodeClaim('c', { status: { providerID: '' } })]],
  ])('takes no pods: a node %s', (_, items) => {
    expect(nodesOf(...items).filter(({ markedForDeletion }) => !markedForDeletion)).toEqual([]);
  });

  test('has the volume limits of its CSINode', () => {
    const csi = object('storage.k8s.io/v1', 'CSINode', 'n1', {
      spec: { drivers: [{ name: 'ebs.csi.aws.com', allocatable: { count: 25 } }, { name: 'efs.csi.aws.com' }] },
    });
    expect(only(node('n1'), csi).volumeLimits).toEqual(new Map([['ebs.csi.aws.com', 25]]));
  });
});

describe('pods of a node', () => {
  const on = (...pods: Plain[]) => only(node('n1'), ...pods).pods;

  test('have their requests and labels', () => {
    const [running] = on(pod('web-1', { on: 'n1', labels: { app: 'web' } }));
    expect([running.namespace, running.name, running.daemon, running.terminating]).toEqual([
      'default',
      'web-1',
      false,
      undefined,
    ]);
    expect(running.shape.requests.get('cpu')).toBe(500n);
    expect(running.shape.labels).toEqual({ app: 'web' });
  });

  test('are marked if a DaemonSet owns them', () => {
    expect(on(pod('agent-1', { on: 'n1', owner: ['DaemonSet', 'agent'] }))[0].daemon).toBe(true);
  });

  test('include terminating pods', () => {
    expect(on(pod('web-1', { on: 'n1', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))[0].terminating).toBe(
      true,
    );
  });

  test.each(['Succeeded', 'Failed'])('leave out pods in phase %s', (phase) => {
    expect(on(pod('job-1', { on: 'n1', status: { phase } }))).toEqual([]);
  });

  test('request their allocated resources during a resize', () => {
    const allocated = {
      containerStatuses: [
        { name: 'main', resources: { requests: { cpu: '2' } }, allocatedResources: { cpu: '1', memory: '1Gi' } },
      ],
    };
    expect(on(pod('web-1', { on: 'n1', status: allocated }))[0].shape.requests).toEqual(
      new Map([
        ['cpu', 2000n],
        ['memory', 1000n * 2n ** 30n],
      ]),
    );
  });

  test('mount their claims with the driver of the volume', () => {
    const volume = object('v1', 'PersistentVolume', 'pv1', { spec: { csi: { driver: 'ebs.csi.aws.com' } } });
    const claim = object(
      'v1',
      'PersistentVolumeClaim',
      'data',
      { spec: { volumeName: 'pv1' }, status: { phase: 'Bound' } },
      'default',
    );
    const mounted = {
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      containers: [{ name: 'main' }],
    };
    (claim.metadata as Plain).annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
    expect(
      on(volume, claim, pod('db', { on: 'n1', spec: { nodeName: 'n1', ...mounted } }))[0].shape.mountedClaims,
    ).toEqual(new Map([['default/data', 'ebs.csi.aws.com']]));
  });
});

describe('cluster files', () => {
  const problemsOf = (text: string) =>
    readManifests([], { cluster: [{ path: 'cluster.yaml', text }] }).problems.map(
      ({ rule, location, message }) => `${location.file}:${location.line}:${location.column} ${rule} ${message}`,
    );

  test('are reported if they are not YAML', () => {
    expect(problemsOf('kind: [')).toEqual([expect.stringMatching(/^cluster.yaml:1:\d+ KARP-001 invalid YAML: /)]);
  });

  test('are reported if a quantity is invalid, and the node is ignored', () => {
    const text = 'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus:\n  allocatable: { cpu: 1O0m }\n';
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(
        /^cluster.yaml:5:18 KARP-001 status.allocatable.cpu: .*, got "1O0m"; this Node of the cluster is ignored$/,
      ),
    ]);
  });

  test.each([
    'apiVersion: v1\nkind: Node\nmetadata: 7\nspec: []\nstatus: x\n',
    'apiVersion: v1\nkind: Pod\nmetadata: { name: p, ownerReferences: 3, labels: [] }\nspec: { nodeName: 7, containers: 8 }\nstatus: { conditions: {} }\n',
    'apiVersion: karpenter.sh/v1\nkind: NodeClaim\nmetadata: { name: c }\nspec: { taints: 7 }\nstatus: { providerID: 8, conditions: 1 }\n',
    'apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: { name: n }\nspec: { drivers: { a: 1 } }\n',
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: b }\nspec: { selector: 7 }\n',
    'CapacityReservations: [7, { CapacityReservationId: cr-1, AvailableInstanceCount: -1 }]\n',
  ])('do not throw for unexpected types (%#)', (text) => {
    expect(() => readManifests([], { cluster: [{ path: 'cluster.yaml', text }] })).not.toThrow();
  });
});
