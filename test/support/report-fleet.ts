import { SourceFile } from '../../src/validation';

/** Pods request one of these amounts: most of them small, a few with much memory. */
const SIZES = [
  ['250m', '256Mi'],
  ['500m', '1Gi'],
  ['1', '2Gi'],
  ['2', '4Gi'],
  ['500m', '4Gi'],
  ['4', '8Gi'],
] as const;
const NAMESPACES = ['data', 'ml', 'payments', 'platform', 'search', 'shop'];
const NAMES = ['web', 'api', 'worker', 'cache', 'index', 'feature', 'ingest', 'report', 'mail', 'auth'];

const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: KarpenterNodeRole
  amiSelectorTerms: [{ alias: al2023@v20250915 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: fleet } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: fleet } }]
`;

const POOLS = [
  pool('general', ['spot', 'on-demand'], ['c', 'm', 'r'], 'amd64'),
  pool('arm', ['spot'], ['c', 'm', 'r'], 'arm64', { weight: 10, taint: 'arch=arm64:NoSchedule' }),
  pool('batch', ['spot'], ['c'], 'amd64', { taint: 'team=batch:NoSchedule' }),
  pool('critical', ['on-demand'], ['m', 'r'], 'amd64', { taint: 'critical=true:NoSchedule' }),
  pool('gpu', ['on-demand'], ['g'], 'amd64', { taint: 'nvidia.com/gpu=true:NoSchedule' }),
];

function pool(
  name: string,
  capacityTypes: readonly string[],
  categories: readonly string[],
  arch: string,
  { weight = 0, taint = '' } = {},
): string {
  const [key, value, effect] = taint.split(/[=:]/);
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
${weight > 0 ? `  weight: ${weight}\n` : ''}  limits: { cpu: 1000 }
  disruption: { consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 1m }
  template:
    metadata: { labels: { pool: ${name} } }
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
${taint === '' ? '' : `      taints: [{ key: ${key}, value: "${value}", effect: ${effect} }]\n`}      requirements:
      - { key: karpenter.sh/capacity-type, operator: In, values: [${capacityTypes.join(', ')}] }
      - { key: karpenter.k8s.aws/instance-category, operator: In, values: [${categories.join(', ')}] }
      - { key: kubernetes.io/arch, operator: In, values: [${arch}] }
      - { key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["4"] }
`;
}

function deployment(index: number, replicas: number): string {
  const namespace = NAMESPACES[index % NAMESPACES.length];
  const name = `${NAMES[Math.floor(index / NAMESPACES.length) % NAMES.length]}${index < 60 ? '' : `-${index}`}`;
  const [cpu, memory] = SIZES[(index * 7) % SIZES.length];
  const isGpu = index % 29 === 7;
  const poolOf = isGpu
    ? 'gpu'
    : index % 7 === 3
      ? 'arm'
      : index % 11 === 5
        ? 'batch'
        : index % 13 === 1
          ? 'critical'
          : 'general';
  const spread =
    index % 3 === 0
      ? `      topologySpreadConstraints:
      - { topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway, labelSelector: { matchLabels: { app: ${name} } } }
`
      : '';
  const tolerations = poolOf === 'general' ? '' : '      tolerations: [{ operator: Exists }]\n';
  const pdb =
    index % 2 === 0
      ? `---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${name}, namespace: ${namespace} }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: ${name} } } }
`
      : '';
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  replicas: ${isGpu ? 3 : replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      nodeSelector: { pool: ${poolOf} }
${tolerations}${spread}      containers:
      - name: main
        image: registry.example/${name}:1.4
        resources: { requests: { cpu: ${cpu}, memory: ${memory}${isGpu ? ', nvidia.com/gpu: 1' : ''} }, limits: { memory: ${memory}${isGpu ? ', nvidia.com/gpu: 1' : ''} } }
${pdb}`;
}

const DAEMON_SET = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: platform }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      tolerations: [{ operator: Exists }]
      containers:
      - { name: agent, image: registry.example/agent:2.0, resources: { requests: { cpu: 100m, memory: 128Mi }, limits: { memory: 128Mi } } }
`;

/**
 * A setup of five NodePools and as many Deployments as given, for reports. With 60 Deployments it has about 580 pods.
 */
export function reportFleet(
  deployments = 60,
  replicas = (index: number): number => 2 + ((index * 5) % 17),
): SourceFile[] {
  const workloads = Array.from({ length: deployments }, (_, index) => deployment(index, replicas(index)));
  return [
    { path: 'karpenter/nodepools.yaml', text: [CLASS, ...POOLS].join('---\n') },
    { path: 'apps/workloads.yaml', text: [DAEMON_SET, ...workloads].join('---\n') },
  ];
}

/** About a thousand nodes of four vCPUs, for the limits of reports. */
export function largeReportFleet(): SourceFile[] {
  const small = POOLS[0]
    .replace('{ cpu: 1000 }', '{ cpu: 10000 }')
    .replace(
      '      requirements:\n',
      '      requirements:\n      - { key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["4"] }\n',
    );
  const deployments = Array.from(
    { length: 100 },
    (_, index) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: app-${index}, namespace: ${NAMESPACES[index % NAMESPACES.length]} }
spec:
  replicas: 62
  selector: { matchLabels: { app: app-${index} } }
  template:
    metadata: { labels: { app: app-${index} } }
    spec:
      containers:
      - { name: main, image: registry.example/app:1.4, resources: { requests: { cpu: ${450 + 10 * (index % 7)}m, memory: 1Gi }, limits: { memory: 1Gi } } }
`,
  );
  return [{ path: 'large.yaml', text: [CLASS, small, ...deployments].join('---\n') }];
}
