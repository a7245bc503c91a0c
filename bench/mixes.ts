/**
 * Pods and pools as manifests, for Karpenter's scheduler and ours alike. The diverse mix and the one of preferences are those of
 * Karpenter's own benchmark (scheduling_benchmark_test.go of kubernetes-sigs/karpenter v1.15.0): same kinds, shares and sizes.
 */
import { Dice } from '../conformance/schedule/scenario/dice';

type Json = Readonly<Record<string, unknown>>;

export interface Mix {
  readonly name: string;
  readonly manifests: (pods: number) => string;
}

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const CPU = [100, 250, 500, 1000, 1500];
const MEMORY = [100, 256, 512, 1024, 2048, 4096];
const LABELS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

export const MIXES: readonly Mix[] = [
  { name: 'generic', manifests: (pods) => documents([POOL], many(pods, (dice) => pod(dice, { labels: mine(dice) }))) },
  { name: 'diverse', manifests: (pods) => documents([POOL], diverse(pods)) },
  { name: 'preferences', manifests: (pods) => documents([POOL], preferences(pods)) },
  { name: 'realistic', manifests: (pods) => documents(POOLS, realistic(pods)) },
  { name: 'all distinct', manifests: (pods) => documents([POOL], many(pods, (_, at) => sized(500 + at, 512 * 1024 + at, { labels: {} }))) },
];

export const DIVERSE = MIXES[1];

/** A fifth of each kind; what is left over is generic. */
function diverse(count: number): Json[] {
  const share = Math.floor(count / 5);
  const dice = new Dice(42);
  const spread = (key: string) => {
    const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: key, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: mine(dice) } }];
    return pod(dice, { labels: mine(dice), spec: { topologySpreadConstraints } });
  };
  const kinds: ReadonlyArray<() => Json> = [
    () => pod(dice, { labels: mine(dice) }),
    () => spread(ZONE),
    () => spread(HOST),
    () => apart(dice, { 'my-affinity': dice.pick(LABELS) }, 'podAffinity', ZONE),
    () => apart(dice, { app: 'nginx' }, 'podAntiAffinity', HOST),
  ];
  const pods = kinds.flatMap((kind) => Array.from({ length: share }, kind));
  return [...pods, ...Array.from({ length: count - pods.length }, kinds[0])];
}

function apart(dice: Dice, labels: Json, kind: string, topologyKey: string): Json {
  const term = { topologyKey, labelSelector: { matchLabels: labels } };
  return pod(dice, { labels, spec: { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } } });
}

/** Pods of one size with a preference for a zone, one that cannot be met, and one that can. */
function preferences(count: number): Json[] {
  const labels = { app: 'nginx' };
  const away = (weight: number, topologyKey: string) => ({ weight, podAffinityTerm: { topologyKey, labelSelector: { matchLabels: labels } } });
  const affinity = {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: ZONE, operator: 'In', values: [ZONES[0]] }] } },
      ],
    },
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [away(10, ZONE), away(1, HOST)] },
  };
  return many(count, () => sized(500, 512 * 1024, { labels, spec: { affinity } }));
}

/** Five hundred workloads, most small and some large, on pools for different purposes. */
function realistic(count: number): Json[] {
  const dice = new Dice(7);
  const skewed = (median: number) => median * Math.exp(1.1 * (dice.fraction() + dice.fraction() + dice.fraction() - 1.5) * 2);
  const kinds = Array.from({ length: Math.min(500, count) }, (_, at) => {
    const labels = { app: `app-${at}` };
    const selector = { labelSelector: { matchLabels: labels }, maxSkew: 1 };
    const spec = dice.pick<Json>([
      {}, {}, {},
      { nodeSelector: { 'kubernetes.io/arch': 'amd64' } },
      { nodeSelector: { 'karpenter.sh/capacity-type': 'on-demand' } },
      { tolerations: [{ key: 'batch', operator: 'Exists' }] },
      { topologySpreadConstraints: [{ ...selector, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }] },
      { topologySpreadConstraints: [{ ...selector, topologyKey: HOST, whenUnsatisfiable: 'ScheduleAnyway' }] },
    ]);
    const cpu = Math.min(8000, Math.ceil(skewed(250) / 10) * 10);
    return { cpu, memory: Math.min(2 ** 25, Math.ceil(skewed(512)) * 1024), more: { labels, spec } };
  });
  return Array.from({ length: count }, (_, at) => {
    const { cpu, memory, more } = kinds[at % kinds.length];
    return sized(cpu, memory, more);
  });
}

function many(count: number, make: (dice: Dice, at: number) => Json): Json[] {
  const dice = new Dice(42);
  return Array.from({ length: count }, (_, at) => make(dice, at));
}

function mine(dice: Dice): Json {
  return { 'my-label': dice.pick(LABELS) };
}

interface More {
  readonly labels: Json;
  readonly spec?: Json;
}

function pod(dice: Dice, more: More): Json {
  return sized(dice.pick(CPU), dice.pick(MEMORY) * 1024, more);
}

/** Of so many millicores and KiB. Names are given when all are there. */
function sized(cpu: number, memory: number, { labels, spec = {} }: More): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { labels },
    spec: { containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: `${cpu}m`, memory: `${memory}Ki` } } }], ...spec },
  };
}

export const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];

function pool(name: string, spec: Json = {}, requirements: readonly Json[] = []): Json {
  const { template, ...rest } = spec as { readonly template?: Json };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      ...rest,
      template: { spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements, ...template } },
    },
  };
}

const POOL = pool('default');

const is = (key: string, ...values: string[]): Json => ({ key, operator: 'In', values });

const POOLS: readonly Json[] = [
  pool('general', { weight: 10 }, [is('karpenter.k8s.aws/instance-category', 'c', 'm', 'r')]),
  pool('arm', { weight: 50 }, [is('kubernetes.io/arch', 'arm64'), is('karpenter.sh/capacity-type', 'spot')]),
  pool('batch', { template: { taints: [{ key: 'batch', effect: 'NoSchedule' }] } }, [is('karpenter.sh/capacity-type', 'spot')]),
  pool('memory', { weight: 5 }, [is('karpenter.k8s.aws/instance-category', 'r')]),
  pool('rest'),
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'kube-system' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { containers: [{ name: 'agent', image: 'agent', resources: { requests: { cpu: '100m', memory: '128Mi' } } }], tolerations: [{ operator: 'Exists' }] },
      },
    },
  },
];

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

function documents(pools: readonly Json[], pods: readonly Json[]): string {
  const named = pods.map((one, at) => ({ ...one, metadata: { ...one.metadata as Json, name: `pod-${at}` } }));
  return [NODE_CLASS, ...pools, ...named].map((document) => JSON.stringify(document)).join('\n---\n');
}
