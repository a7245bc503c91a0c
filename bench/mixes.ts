/**
 * Pods and NodePools for both schedulers. The diverse mix and the preference mix are those of Karpenter's own benchmark
 * (scheduling_benchmark_test.go of kubernetes-sigs/karpenter v1.15.0), with the same kinds, shares and sizes.
 */
import { allDistinct, diverse, generic, Json, preferences, realistic } from './mix-pods';

export interface Mix {
  readonly name: string;
  readonly pools: readonly Json[];
  readonly pods: (count: number) => Json[];
}

const NODE_CLASS: Json = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    role: 'KarpenterNodeRole',
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'cluster' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'cluster' } }],
  },
};

const AGENT: Json = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels: { app: 'agent' } },
      spec: {
        containers: [{ name: 'agent', image: 'agent', resources: { requests: { cpu: '100m', memory: '128Mi' } } }],
        tolerations: [{ operator: 'Exists' }],
      },
    },
  },
};

const is = (key: string, ...values: string[]): Json => ({ key, operator: 'In', values });

const POOLS: readonly Json[] = [
  pool('general', { weight: 10 }, [is('karpenter.k8s.aws/instance-category', 'c', 'm', 'r')]),
  pool('arm', { weight: 50 }, [is('kubernetes.io/arch', 'arm64'), is('karpenter.sh/capacity-type', 'spot')]),
  pool('batch', { template: { taints: [{ key: 'batch', effect: 'NoSchedule' }] } }, [
    is('karpenter.sh/capacity-type', 'spot'),
  ]),
  pool('memory', { weight: 5 }, [is('karpenter.k8s.aws/instance-category', 'r')]),
  pool('rest'),
];

export const DIVERSE: Mix = { name: 'diverse', pools: [pool('default')], pods: diverse };
export const REALISTIC: Mix = { name: 'realistic', pools: [...POOLS, AGENT], pods: realistic };

export const MIXES: readonly Mix[] = [
  { name: 'generic', pools: [pool('default')], pods: generic },
  DIVERSE,
  { name: 'preferences', pools: [pool('default')], pods: preferences },
  REALISTIC,
  { name: 'all distinct', pools: [pool('default')], pods: allDistinct },
];

function pool(name: string, spec: Json = {}, requirements: readonly Json[] = []): Json {
  const { template, ...rest } = spec as { readonly template?: Json };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      ...rest,
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements,
          ...template,
        },
      },
    },
  };
}

/** The mix as manifests, for Karpenter. */
export function manifestsOf(mix: Mix, pods: number): string {
  return documents([...mix.pools, ...mix.pods(pods)]);
}

export function documents(others: readonly Json[]): string {
  return [NODE_CLASS, ...others].map((document) => JSON.stringify(document)).join('\n---\n');
}
