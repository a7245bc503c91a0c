/** Fleets with spread, zones and anti-affinity, for the comparison of prices. The same seed gives the same fleet. */
import { Json, ZONE, ZONES } from './mix-pods';
import { documents } from './mixes';
import { SourceFile } from '../src/validation';
import { Dice } from '../test/support/schedule-scenario/dice';

export interface CostFleet {
  readonly seed: number;
  /** What the NodePools allow. */
  readonly pools: string;
  readonly sources: readonly SourceFile[];
}

const HOST = 'kubernetes.io/hostname';
const GPU = 'nvidia.com/gpu';
const GIB = 1024;
const DEPLOYMENTS = [20, 50, 100, 200];

interface Pools {
  readonly name: string;
  readonly pools: readonly Json[];
  readonly hasGpus?: boolean;
}

const requires = (key: string, operator: string, ...values: string[]): Json => ({ key, operator, values });
const CATEGORIES = requires('karpenter.k8s.aws/instance-category', 'In', 'c', 'm', 'r');
const GENERATION = requires('karpenter.k8s.aws/instance-generation', 'Gt', '4');
const ON_DEMAND = requires('karpenter.sh/capacity-type', 'In', 'on-demand');
const SPOT = requires('karpenter.sh/capacity-type', 'In', 'spot', 'on-demand');
const AMD64 = requires('kubernetes.io/arch', 'In', 'amd64');
const CAPPED = requires('karpenter.k8s.aws/instance-cpu', 'Lt', '33');

const POOLS: readonly Pools[] = [
  { name: 'all sizes', pools: [pool('default', [CATEGORIES, GENERATION, ON_DEMAND])] },
  { name: 'at most 32 CPUs', pools: [pool('default', [CATEGORIES, GENERATION, ON_DEMAND, CAPPED])] },
  { name: 'spot, all sizes', pools: [pool('default', [CATEGORIES, GENERATION, SPOT])] },
  {
    name: 'amd64 and arm64, at most 32 CPUs',
    pools: [
      pool('arm', [CATEGORIES, GENERATION, ON_DEMAND, CAPPED, requires('kubernetes.io/arch', 'In', 'arm64')], 10),
      pool('amd', [CATEGORIES, GENERATION, ON_DEMAND, CAPPED, AMD64]),
    ],
  },
  {
    name: 'with GPUs',
    hasGpus: true,
    pools: [
      pool('general', [CATEGORIES, GENERATION, ON_DEMAND, CAPPED]),
      pool('gpu', [requires('karpenter.k8s.aws/instance-family', 'In', 'g5', 'g6'), ON_DEMAND]),
    ],
  },
];

function pool(name: string, requirements: readonly Json[], weight?: number): Json {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: { ...(weight === undefined ? {} : { weight }), template: { spec: { nodeClassRef, requirements } } },
  };
}

const AGENT = {
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

export function costFleets(count: number): CostFleet[] {
  return Array.from({ length: count }, (_, index) => costFleet(index + 1));
}

export function costFleet(seed: number): CostFleet {
  const dice = new Dice(seed);
  const { name, pools, hasGpus = false } = POOLS[seed % POOLS.length];
  const count = DEPLOYMENTS[Math.floor((seed - 1) / POOLS.length) % DEPLOYMENTS.length];
  const deployments = Array.from({ length: count }, (_, index) =>
    deployment(dice, `app-${index}`, hasGpus && index % 20 === 0),
  );
  return { seed, pools: name, sources: [{ path: 'fleet.yaml', text: documents([...pools, AGENT, ...deployments]) }] };
}

function deployment(dice: Dice, name: string, hasGpu: boolean): Json {
  const cpu = dice.pick([100, 250, 500, 750, 1000, 1500, 2000, 3000]) + dice.pick([0, 0, 50, 120]);
  const memory = Math.ceil(((cpu * dice.pick([0.5, 1, 2, 3, 4, 6, 8])) / 1000) * GIB);
  const replicas = hasGpu ? dice.pick([1, 2, 3, 5]) : dice.pick([1, 2, 3, 4, 6, 9, 12, 20, 30, 60]);
  const requests = { cpu: `${cpu}m`, memory: `${memory}Mi`, ...(hasGpu ? { [GPU]: '1' } : {}) };
  const limits = hasGpu ? { limits: { [GPU]: '1' } } : {};
  const containers = [{ name: 'app', image: 'app:1', resources: { requests, ...limits } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers, ...constraints(dice, name) } },
    },
  };
}

function constraints(dice: Dice, name: string): Json {
  const labelSelector = { matchLabels: { app: name } };
  const spread = (topologyKey: string, maxSkew: number) => ({
    topologySpreadConstraints: [{ topologyKey, maxSkew, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
  });
  const term = { topologyKey: HOST, labelSelector };
  return dice.pick<Json>([
    {},
    {},
    {},
    spread(ZONE, 1),
    spread(ZONE, 1),
    spread(ZONE, 1),
    spread(HOST, dice.pick([1, 2, 4])),
    { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
    { nodeSelector: { 'kubernetes.io/arch': 'amd64' } },
    { nodeSelector: { [ZONE]: dice.pick(ZONES) } },
  ]);
}
