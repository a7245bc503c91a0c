/** The fleets that a real control plane runs: `conformance/cluster` records them, and tests compare the recordings. */

import {
  budget,
  KubernetesObject,
  NODE_CLASS,
  nodePool,
  PLAIN_REQUIREMENTS,
  podAffinity,
  requirement,
  spread,
  workload,
} from './objects';
import { Dice } from '../schedule-scenario/dice';

/** A change of the cluster at a time after the start, in seconds. */
export interface Step {
  readonly at: number;
  readonly scale?: { readonly to: number; readonly every: number };
  readonly patch?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly fields: object;
  };
  readonly dump?: string;
}

export interface RealFleet {
  readonly name: string;
  /** What the table of docs/conformance.md says. */
  readonly title: string;
  readonly objects: readonly KubernetesObject[];
  /** Seconds between two workloads. @default - all at once */
  readonly interval?: number;
  readonly steps?: readonly Step[];
  /** Seconds until a node registers. @default 26 */
  readonly nodeDelay?: number;
  /** Seconds without a change, after which the recording ends. @default 42 */
  readonly calm?: number;
  /** The scenario whose commands are compared with those of the recording, from the dump on. */
  readonly scenario?: 'consolidation' | 'drift';
}

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const CPUS = ['250m', '500m', '500m', '1', '1', '2'] as const;
const MEMORY = ['512Mi', '1Gi', '2Gi', '2Gi', '4Gi', '8Gi'] as const;
const REPLICAS = [1, 2, 3, 4, 5, 6, 8] as const;

/** Deployments of random sizes; `pod` gives the fields of each one's pods. */
function deployments(
  seed: number,
  count: number,
  pod: (app: string, index: number) => object = () => ({}),
  replicas: readonly number[] = REPLICAS,
): KubernetesObject[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const name = `app-${String(index).padStart(2, '0')}`;
    const requests = { cpu: dice.pick(CPUS), memory: dice.pick(MEMORY) };
    return workload({ name, replicas: dice.pick(replicas), requests, pod: pod(name, index) });
  });
}

const plain = [NODE_CLASS, nodePool()];
const disrupting = (disruption: object) => [NODE_CLASS, nodePool({ spec: { disruption } })];

const SPOT_REQUIREMENTS = PLAIN_REQUIREMENTS.map((entry) =>
  entry.key === 'karpenter.sh/capacity-type' ? requirement(entry.key, 'In', 'spot') : entry,
);

const PLACEMENT: readonly RealFleet[] = [
  { name: 'plain-small', title: '12 Deployments', objects: [...plain, ...deployments(1, 12)] },
  { name: 'plain', title: '26 Deployments', objects: [...plain, ...deployments(2, 26)] },
  {
    name: 'host-anti-affinity',
    title: 'hard anti-affinity over hosts',
    objects: [...plain, ...deployments(3, 14, (app) => podAffinity('podAntiAffinity', app, HOST))],
  },
  {
    name: 'zone-spread-hard',
    title: 'hard spread over zones',
    objects: [...plain, ...deployments(4, 18, (app) => spread(app, ZONE, 'DoNotSchedule'))],
  },
  {
    name: 'zone-spread-soft',
    title: 'soft spread over zones',
    objects: [...plain, ...deployments(5, 18, (app) => spread(app, ZONE, 'ScheduleAnyway'))],
  },
  {
    name: 'host-spread-soft',
    title: 'soft spread over hosts',
    objects: [...plain, ...deployments(6, 16, (app) => spread(app, HOST, 'ScheduleAnyway'))],
  },
  {
    name: 'together',
    title: 'pods that follow another workload into its zone',
    objects: [
      ...plain,
      ...deployments(7, 16, (_, index) =>
        index % 4 === 3 ? podAffinity('podAffinity', `app-${String(index - 1).padStart(2, '0')}`, ZONE) : {},
      ),
    ],
  },
];

const POOLS: readonly RealFleet[] = [
  {
    name: 'limits',
    title: 'limits for half of the pods',
    objects: [NODE_CLASS, nodePool({ spec: { limits: { cpu: '32' } } }), ...deployments(8, 18)],
  },
  {
    name: 'daemons',
    title: 'three DaemonSets',
    objects: [
      ...plain,
      ...['200m', '100m', '500m'].map((cpu, index) =>
        workload({ kind: 'DaemonSet', name: `agent-${index}`, replicas: 0, requests: { cpu, memory: '256Mi' } }),
      ),
      ...deployments(9, 18),
    ],
  },
  {
    name: 'gpu',
    title: 'GPU pods in a tainted pool, others in a second one',
    objects: [
      ...plain,
      nodePool({
        name: 'gpu',
        requirements: [
          requirement('karpenter.sh/capacity-type', 'In', 'on-demand'),
          requirement('karpenter.k8s.aws/instance-family', 'In', 'g5', 'g6'),
        ],
        taints: [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }],
      }),
      workload({
        name: 'train',
        replicas: 5,
        requests: { cpu: '3', memory: '8Gi', 'nvidia.com/gpu': '1' },
        pod: { tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] },
      }),
      ...deployments(10, 8),
    ],
  },
  {
    name: 'stuck',
    title: 'three pods that fit nowhere',
    objects: [
      ...plain,
      ...deployments(11, 16),
      workload({ name: 'huge', replicas: 2, requests: { cpu: '60', memory: '8Gi' } }),
      workload({
        name: 'arm',
        replicas: 1,
        requests: { cpu: '1' },
        pod: { nodeSelector: { 'kubernetes.io/arch': 'arm64' } },
      }),
    ],
  },
  {
    name: 'sequence',
    title: '14 Deployments, one every five seconds',
    objects: [...plain, ...deployments(12, 14)],
    interval: 5,
  },
  {
    name: 'spot',
    title: 'spot instances',
    objects: [NODE_CLASS, nodePool({ requirements: SPOT_REQUIREMENTS }), ...deployments(13, 18)],
  },
  {
    name: 'weighted',
    title: 'a spot pool with weight and limits, and an on-demand pool',
    objects: [
      NODE_CLASS,
      nodePool(),
      nodePool({ name: 'spot', requirements: SPOT_REQUIREMENTS, spec: { weight: 50, limits: { cpu: '24' } } }),
      ...deployments(14, 18),
    ],
  },
  {
    name: 'large-pods',
    title: 'pods of 3 to 12 CPUs',
    objects: [
      ...plain,
      ...['3', '5', '7', '9', '12'].map((cpu, index) =>
        workload({ name: `large-${index}`, replicas: 6 - index, requests: { cpu, memory: `${8 + 4 * index}Gi` } }),
      ),
      ...deployments(15, 6),
    ],
  },
  {
    name: 'stateful',
    title: 'StatefulSets with spread over hosts, and Deployments',
    objects: [
      ...plain,
      ...['db', 'queue', 'cache'].map((name) =>
        workload({
          kind: 'StatefulSet',
          name,
          replicas: 5,
          requests: { cpu: '1', memory: '4Gi' },
          pod: spread(name, HOST, 'DoNotSchedule'),
        }),
      ),
      ...deployments(16, 12),
    ],
  },
];

const UNDERUTILIZED = {
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: '30s',
  budgets: [{ nodes: '100%' }],
};

const patchPool = (at: number, fields: object): Step => ({
  at,
  patch: { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', fields },
});

/** Halves the workloads, then allows consolidation; the dump is the cluster right after. */
const halved = (disruption: object): Step[] => [
  { at: 80, scale: { to: 0, every: 2 } },
  patchPool(100, { spec: { disruption } }),
  { at: 102, dump: 'before' },
];

const DISRUPTION: readonly RealFleet[] = [
  {
    name: 'consolidation',
    title: 'every second Deployment is scaled to 0',
    objects: [...plain, ...deployments(17, 16)],
    steps: halved(UNDERUTILIZED),
    calm: 100,
    nodeDelay: 30,
    scenario: 'consolidation',
  },
  {
    name: 'consolidation-pdb',
    title: 'the same with PodDisruptionBudgets',
    objects: [
      ...plain,
      ...deployments(18, 16),
      ...Array.from({ length: 8 }, (_, index) =>
        budget(`app-${String(2 * index + 1).padStart(2, '0')}`, { maxUnavailable: 1 }),
      ),
    ],
    steps: halved(UNDERUTILIZED),
    calm: 100,
    nodeDelay: 30,
    scenario: 'consolidation',
  },
  {
    name: 'consolidation-empty',
    title: 'the same with WhenEmpty',
    objects: [
      ...plain,
      ...deployments(19, 14, (_, index) => (index % 2 === 0 ? { nodeSelector: { [ZONE]: 'us-east-1a' } } : {})),
    ],
    steps: halved({ consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '100%' }] }),
    calm: 60,
    nodeDelay: 30,
    scenario: 'consolidation',
  },
  {
    name: 'drift',
    title: 'drift with a budget of one node and PodDisruptionBudgets',
    objects: [
      ...disrupting({ consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '1' }] }),
      ...deployments(20, 12),
      ...Array.from({ length: 12 }, (_, index) =>
        budget(`app-${String(index).padStart(2, '0')}`, { maxUnavailable: 1 }),
      ),
    ],
    steps: [
      { at: 110, dump: 'before' },
      patchPool(112, { spec: { template: { metadata: { labels: { rolled: 'yes' } } } } }),
    ],
    calm: 90,
    scenario: 'drift',
  },
];

export const REAL_FLEETS: readonly RealFleet[] = [...PLACEMENT, ...POOLS, ...DISRUPTION];

export function manifestsOf({ objects }: RealFleet): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}
