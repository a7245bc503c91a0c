/** Builders of the objects of fleets that a real control plane runs. */

export type KubernetesObject = Readonly<Record<string, unknown>>;

export const NODE_CLASS: KubernetesObject = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    role: 'nodes',
    amiSelectorTerms: [{ alias: 'al2023@v20250915' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'oracle' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'oracle' } }],
  },
};

export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export const requirement = (key: string, operator: string, ...values: string[]): Requirement => ({
  key,
  operator,
  values,
});

/** On-demand amd64 instances with at most 16 CPUs. */
export const PLAIN_REQUIREMENTS: readonly Requirement[] = [
  requirement('kubernetes.io/arch', 'In', 'amd64'),
  requirement('karpenter.sh/capacity-type', 'In', 'on-demand'),
  requirement('karpenter.k8s.aws/instance-category', 'In', 'c', 'm', 'r'),
  requirement('karpenter.k8s.aws/instance-generation', 'Gt', '4'),
  requirement('karpenter.k8s.aws/instance-cpu', 'Lt', '17'),
];

export interface PoolOptions {
  readonly name?: string;
  readonly requirements?: readonly Requirement[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly object[];
  /** Other fields of the spec, such as limits and weight. */
  readonly spec?: object;
}

/** A NodePool that disrupts nothing, unless its spec says otherwise. */
export function nodePool({
  name = 'default',
  requirements = PLAIN_REQUIREMENTS,
  labels = {},
  taints,
  spec = {},
}: PoolOptions = {}): KubernetesObject {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        metadata: { labels },
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          expireAfter: 'Never',
          requirements,
          ...(taints ? { taints } : {}),
        },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
      ...spec,
    },
  };
}

export interface WorkloadOptions {
  readonly kind?: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  readonly name: string;
  readonly replicas: number;
  readonly requests: Readonly<Record<string, string>>;
  /** Fields of the pod's spec. */
  readonly pod?: object;
}

export function workload({
  kind = 'Deployment',
  name,
  replicas,
  requests,
  pod = {},
}: WorkloadOptions): KubernetesObject {
  const labels = { app: name };
  const extended = Object.fromEntries(Object.entries(requests).filter(([resource]) => resource.includes('/')));
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'default', labels },
    spec: {
      ...(kind === 'DaemonSet' ? {} : { replicas }),
      ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 30,
          containers: [{ name: 'main', image: 'example.com/main', resources: { requests, limits: extended } }],
          ...pod,
        },
      },
    },
  };
}

export function budget(app: string, spec: object): KubernetesObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app, namespace: 'default' },
    spec: { selector: { matchLabels: { app } }, ...spec },
  };
}

/** A hard or soft spread of a workload's pods. */
export function spread(app: string, topologyKey: string, whenUnsatisfiable: string): object {
  return {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: { app } } },
    ],
  };
}

/** A hard affinity or anti-affinity between the pods of a workload and those of another one, or of itself. */
export function podAffinity(kind: 'podAffinity' | 'podAntiAffinity', app: string, topologyKey: string): object {
  const term = { topologyKey, labelSelector: { matchLabels: { app } } };
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}
