import { fuzzTable, ZONES } from './catalogue';
import { amounts, requirement, selector, several, taint, TEAMS, toleration } from './requirements';
import { Catalog, InstanceTypeTable, NodeClassFacts } from '../../../src/catalog';
import { Label } from '../../../src/model';
import {
  DaemonSetSpec,
  ExistingNode,
  HostPort,
  NodePoolSpec,
  PodAffinity,
  PodAffinityTerm,
  PodGroup,
  PodShape,
  ScheduleInput,
  TopologySpread,
} from '../../../src/scheduling';
import { Dice } from '../../support/schedule-scenario/dice';

/** An input, and the instance types of its node classes. */
export interface FuzzScenario {
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
}

const LOADED = Catalog.load();
const NAMESPACES = ['default', 'other'];
const KEYS = [Label.ZONE, Label.HOSTNAME, Label.CAPACITY_TYPE, Label.ARCH, 'team', 'example.com/nowhere'];
const MAX_PODS = 12;
/** PersistentVolumeClaims and their CSI drivers. */
const CLAIMS: ReadonlyArray<readonly [string, string]> = [
  ['default/a', 'ebs'],
  ['default/b', 'ebs'],
  ['default/c', 'fsx'],
];

/** A small input, generated from a seed and a number, that uses all features of the solver. */
export function fuzzScenario(seed: number, number: number): FuzzScenario {
  const dice = new Dice(seed, number);
  const tables = new Map<string, InstanceTypeTable>(
    ['first', 'second'].slice(0, dice.between(1, 2)).map((name) => [name, fuzzTable(dice)]),
  );
  // The tables of one problem have the same instance types, and differ only in amounts and offerings.
  const [first] = tables.values();
  const views = new Map(
    [...tables].map(([name, table]) => [name, table.names.length === first.names.length ? table : first]),
  );
  const catalog = Object.assign(Object.create(LOADED) as Catalog, {
    resolve: ({ name }: NodeClassFacts) => views.get(name),
  });
  return { input: scheduleInput(dice, [...views.keys()]), catalog };
}

function scheduleInput(dice: Dice, classes: readonly string[]): ScheduleInput {
  let left = dice.between(1, MAX_PODS);
  const pods: PodGroup[] = [];
  while (left > 0) {
    const count = dice.chance(0.5) ? 1 : dice.between(0, left);
    pods.push({ namespace: dice.pick(NAMESPACES), name: `app-${pods.length}`, count, shape: shape(dice) });
    left -= Math.max(1, count);
  }
  return {
    nodePools: Array.from({ length: dice.between(1, 3) }, (_, index) => nodePool(dice, `pool-${index}`, classes)),
    nodeClasses: new Map(classes.map((name) => [name, { name, amiFamily: 'AL2023' } as NodeClassFacts])),
    nodes: dice.chance(0.4) ? several(dice, 3, (index) => node(dice, `node-${index}`)) : [],
    pods,
    daemonSets: several(
      dice,
      2,
      (index): DaemonSetSpec => ({ namespace: 'kube-system', name: `daemon-${index}`, shape: daemonShape(dice) }),
    ),
    settings: {
      preferencePolicy: dice.pick(['Respect', 'Respect', 'Ignore']),
      minValuesPolicy: dice.pick(['Strict', 'BestEffort']),
    },
    namespaces: new Map([['other', { team: 'a' }]]),
  };
}

function nodePool(dice: Dice, name: string, classes: readonly string[]): NodePoolSpec {
  return {
    name,
    weight: dice.pick([0, 0, 10, 100]),
    nodeClass: dice.pick(classes),
    labels: dice.chance(0.3) ? { team: dice.pick(TEAMS) } : {},
    requirements: dice.chance(0.4) ? several(dice, 2, () => requirement(dice, true)) : [],
    taints: dice.chance(0.2) ? [taint(dice)] : [],
    limits: dice.chance(0.25)
      ? new Map([
          ...(dice.chance(0.2) ? amounts(dice) : [['cpu', dice.pick([2000n, 8000n, 64_000n])] as const]),
          ...(dice.chance(0.3) ? [['nodes', BigInt(dice.between(0, 3))] as const] : []),
        ])
      : new Map(),
    ...(dice.chance(0.03) ? { replicas: dice.between(0, 3) } : {}),
  };
}

function node(dice: Dice, name: string): ExistingNode {
  const labels: Record<string, string> = {
    [Label.HOSTNAME]: name,
    [Label.ZONE]: dice.pick(ZONES),
    [Label.NODE_POOL]: 'pool-0',
  };
  if (dice.chance(0.3)) labels.team = dice.pick(TEAMS);
  const allocatable = new Map([
    ['cpu', 4000n],
    ['memory', 1000n * 2n ** 34n],
    ['pods', BigInt(dice.between(0, 8))],
    ...(dice.chance(0.1) ? amounts(dice) : []),
  ]);
  return {
    name,
    labels,
    taints: dice.chance(0.2) ? [taint(dice)] : [],
    allocatable,
    capacity: allocatable,
    initialized: dice.chance(0.8),
    pods: several(dice, 2, (index) => ({
      namespace: dice.pick(NAMESPACES),
      name: `running-${index}`,
      shape: shape(dice),
      daemon: dice.chance(0.2),
      terminating: dice.chance(0.1),
    })),
    ...(dice.chance(0.2)
      ? { volumeLimits: new Map([['ebs', dice.between(0, 2)], ...(dice.chance(0.3) ? [['fsx', 1] as const] : [])]) }
      : {}),
  };
}

function shape(dice: Dice): PodShape {
  return {
    requests: amounts(dice),
    nodeSelector: dice.chance(0.2)
      ? dice.pick<Record<string, string>>([{ team: 'a' }, { [Label.ARCH]: 'arm64' }, { [Label.ZONE]: 'zone-b' }])
      : {},
    requiredNodeAffinity: dice.chance(0.2)
      ? several(dice, 2, () => ({ matchExpressions: several(dice, 2, () => requirement(dice)) }))
      : [],
    preferredNodeAffinity: dice.chance(0.2)
      ? several(dice, 2, () => ({ weight: dice.between(1, 100), term: { matchExpressions: [requirement(dice)] } }))
      : [],
    tolerations: dice.chance(0.3) ? [toleration(dice)] : [],
    labels: dice.chance(0.8) ? { app: dice.pick(TEAMS) } : {},
    ...(dice.chance(0.3) ? { topologySpread: several(dice, 2, () => spread(dice)) } : {}),
    ...(dice.chance(0.15) ? { podAffinity: affinity(dice) } : {}),
    ...(dice.chance(0.2) ? { podAntiAffinity: affinity(dice) } : {}),
    ...(dice.chance(0.1) ? { hostPorts: several(dice, 2, () => hostPort(dice)) } : {}),
    ...(dice.chance(0.1) ? { volumeTopology: several(dice, 2, () => several(dice, 2, () => requirement(dice))) } : {}),
    ...(dice.chance(0.1) ? { volumes: new Map([['ebs', dice.between(0, 3)]]) } : {}),
    ...(dice.chance(0.15) ? { mountedClaims: new Map(several(dice, 3, () => dice.pick(CLAIMS))) } : {}),
    notEvaluated: [],
  };
}

function daemonShape(dice: Dice): PodShape {
  const { requests, nodeSelector, requiredNodeAffinity, tolerations, hostPorts } = shape(dice);
  // As in Karpenter, a DaemonSet with a negative request makes room for other pods, so there are none here.
  const nonNegative = new Map([...requests].filter(([, amount]) => amount >= 0n));
  return {
    requests: nonNegative,
    nodeSelector,
    requiredNodeAffinity,
    preferredNodeAffinity: [],
    tolerations,
    hostPorts,
    notEvaluated: [],
  };
}

function spread(dice: Dice): TopologySpread {
  return {
    maxSkew: dice.pick([1, 1, 2, 2 ** 31 - 1]),
    topologyKey: dice.pick(KEYS),
    whenUnsatisfiable: dice.pick(['DoNotSchedule', 'ScheduleAnyway']),
    labelSelector: selector(dice),
    ...(dice.chance(0.2) ? { minDomains: dice.pick([1, 2, 5, 2 ** 31 - 1]) } : {}),
    ...(dice.chance(0.2) ? { nodeAffinityPolicy: 'Ignore' } : {}),
    ...(dice.chance(0.2) ? { nodeTaintsPolicy: 'Honor' } : {}),
    ...(dice.chance(0.2) ? { matchLabelKeys: ['app'] } : {}),
  };
}

function affinity(dice: Dice): PodAffinity {
  const term = (): PodAffinityTerm => ({
    topologyKey: dice.pick(KEYS),
    labelSelector: selector(dice),
    ...(dice.chance(0.1) ? { namespaces: ['other'] } : {}),
    ...(dice.chance(0.1) ? { namespaceSelector: dice.pick([{}, { matchLabels: { team: 'a' } }]) } : {}),
  });
  return {
    required: several(dice, 2, term),
    preferred: several(dice, 1, () => ({ weight: dice.between(1, 100), term: term() })),
  };
}

function hostPort(dice: Dice): HostPort {
  return {
    ip: dice.pick(['0.0.0.0', '10.0.0.1', '::']),
    port: dice.pick([80, 443]),
    protocol: dice.pick(['TCP', 'UDP']),
  };
}
