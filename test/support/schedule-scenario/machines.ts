import { Draft, Json, podOf, poolTemplate } from './draft';
import { requests } from './workloads';
import { Catalog, DEFAULT_NODE_CLASS, describeInstanceType } from '../../../src/catalog';
import { uniformFigures } from '../uniform-figures';

/** Instance types of running nodes; a new node may not be allowed to use them. */
const TYPES = [
  'm5.large',
  'm5.large',
  'm5.xlarge',
  'c5.large',
  'c5.2xlarge',
  'r5.xlarge',
  't3.medium',
  'm6g.large',
  'm6i.2xlarge',
  'm6a.4xlarge',
  'g4dn.xlarge',
  'm5d.large',
];
const APPS = ['web', 'api', 'worker', 'cache', 'search', 'queue', 'legacy'];
const READY = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };

/** A node of the cluster with its NodeClaim and pods. */
export interface Machine {
  readonly name: string;
  /** Absent if Karpenter did not launch the node. */
  readonly claim?: Json;
  readonly node: Json;
}

/** @param pool NodePool of the node; absent for nodes that Karpenter did not launch */
export function addMachine(draft: Draft, pool: Json | undefined): Machine {
  const { dice, settings, cluster } = draft;
  const name = unused(`${pool?.metadata.name ?? 'own'}-${dice.pick(['a', 'k', 'z'])}${cluster.length}`, cluster);
  const zone = dice.pick(settings.zones);
  const type = described(dice.pick(TYPES));
  const capacityType = dice.pick(['spot', 'on-demand', 'on-demand']);
  const providerID = `aws:///${zone}/i-${name}`;
  const amounts = { capacity: type.capacity, allocatable: type.allocatable };
  const labels = {
    ...(pool
      ? { ...type.labels, ...labelsOf(pool) }
      : { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', team: 'blue' }),
    'topology.kubernetes.io/zone': zone,
    'topology.kubernetes.io/region': settings.region,
    'kubernetes.io/hostname': name,
    ...(pool ? { 'karpenter.sh/nodepool': pool.metadata.name, 'karpenter.sh/capacity-type': capacityType } : {}),
  };
  const taints: Json[] = pool
    ? (poolTemplate(pool).spec.taints ?? [])
    : dice.pick<Json[]>([[], [], [{ key: 'dedicated', value: 'web', effect: 'NoExecute' }]]);
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels, ...(pool ? READY : {}) } },
    spec: { providerID, taints },
    status: { ...amounts },
  };
  const claim = pool && {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, labels: { ...labels } },
    spec: { ...claimSpec(pool), taints },
    status: { providerID, nodeName: name, ...amounts },
  };
  cluster.push(node, ...(claim ? [claim] : []));
  addDaemonPods(draft, node);
  return { name, node, ...(claim ? { claim } : {}) };
}

function claimSpec(pool: Json): Json {
  const { nodeClassRef, requirements, startupTaints } = poolTemplate(pool).spec;
  return { nodeClassRef, requirements, startupTaints };
}

const known = Catalog.load({ figures: uniformFigures('us-east-1') }).resolve(DEFAULT_NODE_CLASS);

/** The objects of the machine that are still in the cluster. */
function unused(name: string, cluster: readonly Json[]): string {
  return cluster.some(({ metadata }) => metadata?.name === name) ? unused(`${name}x`, cluster) : name;
}

function described(name: string) {
  return describeInstanceType(known, known.names.indexOf(name));
}

/** The labels of a node of the pool that do not depend on its instance type. */
function labelsOf(pool: Json): Json {
  const { metadata, spec } = poolTemplate(pool);
  const custom = (spec.requirements as Json[])
    .filter(({ key, operator }) => /^(team|tier)/.test(key) && operator === 'In')
    .map(({ key, values }) => [key, values[0]]);
  return {
    ...Object.fromEntries(custom),
    ...metadata.labels,
    'karpenter.k8s.aws/ec2nodeclass': spec.nodeClassRef.name,
  };
}

/** The pods of the DaemonSets on the node; sometimes one is still missing. */
function addDaemonPods(draft: Draft, node: Json): void {
  const { dice, daemonSets, cluster } = draft;
  for (const {
    metadata: { name, namespace },
    spec: { template },
  } of daemonSets) {
    if (!dice.chance(0.7)) continue;
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      name,
      uid: `daemonset-${namespace}-${name}`,
      controller: true,
    };
    const spec = {
      ...template.spec,
      tolerations: [
        ...(template.spec.tolerations ?? []),
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
      ],
    };
    cluster.push(
      pod(draft, `${name}-${node.metadata.name}`, {
        namespace,
        owner,
        labels: template.metadata.labels,
        spec: { ...spec, nodeName: node.metadata.name },
      }),
    );
  }
}

interface PodFields {
  readonly spec: Json;
  readonly namespace?: string;
  readonly owner?: Json;
  readonly labels?: Json;
  readonly status?: Json;
  readonly metadata?: Json;
}

/** A creation time before those of the manifests' objects, and later for each further object. */
export function pod(
  { cluster }: Draft,
  name: string,
  { spec, namespace = 'default', owner, labels, status = { phase: 'Running' }, metadata }: PodFields,
): Json {
  const age = String(cluster.length).padStart(4, '0');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels,
      uid: `uid-${age}`,
      creationTimestamp: `2025-12-01T0${Math.min(9, Math.floor(cluster.length / 60))}:${String(cluster.length % 60).padStart(2, '0')}:00Z`,
      ...(owner ? { ownerReferences: [owner] } : {}),
      ...metadata,
    },
    spec,
    status,
  };
}

/** Pods of workloads that are in no manifest. */
export function addStrangers(draft: Draft, { name: nodeName, node }: Machine, extras: () => Json = () => ({})): void {
  const { dice, cluster } = draft;
  let left = Number.parseInt(node.status.allocatable.cpu, 10);
  for (let count = dice.between(0, 4); count > 0; count -= 1) {
    const asked = requests(dice);
    left -= millis(asked.cpu ?? '0');
    if (left < 0) return;
    const app = dice.pick(APPS);
    const owner = {
      apiVersion: 'apps/v1',
      kind: dice.pick(['ReplicaSet', 'ReplicaSet', 'StatefulSet']),
      name: `${app}-old`,
      uid: `old-${app}`,
      controller: true,
    };
    const labels = { app, tier: dice.pick(['front', 'back']), version: 'v1' };
    const spec = {
      nodeName,
      containers: [
        { name: 'main', image: 'registry.example/app:1', resources: { requests: asked }, ...strangersPorts(draft) },
      ],
      ...strangersAffinity(draft, labels),
    };
    cluster.push(
      pod(draft, `${app}-old-${cluster.length}`, {
        namespace: dice.pick(['default', 'default', 'prod']),
        owner,
        labels,
        spec,
        ...extras(),
      }),
    );
  }
}

function strangersPorts({ dice }: Draft): Json {
  return dice.chance(0.1) ? { ports: [{ containerPort: 8080, hostPort: 8080 }] } : {};
}

/** Running pods with anti-affinity, which also affects new pods. */
function strangersAffinity({ dice }: Draft, labels: Json): Json {
  if (!dice.chance(0.15)) return {};
  const topologyKey = dice.pick(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
  const matchLabels = dice.pick<Json>([{ app: labels.app }, { tier: labels.tier }]);
  return {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels } }],
      },
    },
  };
}

function millis(cpu: string): number {
  return cpu.endsWith('m') ? Number.parseInt(cpu, 10) : Number(cpu) * 1000;
}

/** Adds running pods of the workload to the node. */
export function addReplicas(draft: Draft, workload: Json, { name: nodeName }: Machine, count: number): void {
  const {
    metadata: { name, namespace = 'default' },
    kind,
    spec: { ordinals, replicas },
  } = workload;
  const { metadata, spec } = podOf(workload);
  const lost = draft.cluster
    .filter(({ status }) => status?.phase === 'Lost')
    .map((claim) => claim.metadata.name as string);
  const numbers = Array.from({ length: replicas }, (_, index) => (ordinals?.start ?? 0) + index).filter(
    (ordinal) => !lost.some((claim) => claim.endsWith(`-${name}-${ordinal}`)),
  );
  const taken = workload.spec.volumeClaimTemplates ? draft.dice.some(numbers, count) : numbers;
  for (let index = 0; index < Math.min(count, kind === 'StatefulSet' ? taken.length : count); index += 1) {
    const hash = { 'pod-template-hash': 'abc12' };
    const ofDeployment = kind === 'Deployment';
    const owner = {
      apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
      kind: ofDeployment ? 'ReplicaSet' : kind,
      name: ofDeployment ? `${name}-abc12` : name,
      uid: `of-${name}`,
      controller: true,
    };
    const labels = { ...metadata.labels, ...(ofDeployment ? hash : {}) };
    const ordinal = kind === 'StatefulSet' ? taken[index] : undefined;
    const own = { ...spec, ...mounts(workload, ordinal), nodeName };
    draft.cluster.push(
      pod(draft, ordinal === undefined ? `${name}-run-${draft.cluster.length}` : `${name}-${ordinal}`, {
        namespace,
        owner,
        labels,
        spec: own,
      }),
    );
  }
}

/** The volume claim of one pod of a StatefulSet. */
function mounts(workload: Json, ordinal: number | undefined): Json {
  const templates: Json[] = workload.spec.volumeClaimTemplates ?? [];
  const claimed = templates.map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: `${name}-${workload.metadata.name}-${ordinal}` },
  }));
  const others = ((podOf(workload).spec.volumes as Json[] | undefined) ?? []).filter(
    ({ name }) => !claimed.some((each) => each.name === name),
  );
  return claimed.length === 0 ? {} : { volumes: [...others, ...claimed] };
}
