import { BUFFER_FEATURES } from './buffer-features';
import { CHANGE_FEATURES } from './change-features';
import { DisruptionDraft, DisruptionFeature, HOUR, MINUTE } from './draft';
import { addMachine } from './machines';
import { MEANWHILE_FEATURES } from './meanwhile-features';
import { NODE_FEATURES } from './node-features';
import { placePods } from './place-pods';
import { DISRUPTION_POOL_FEATURES, disruptionOf } from './pool-features';
import { RUN_FEATURES } from './run-features';
import { TERMINATE_FIRST_FEATURES } from './terminate-first-features';
import { VALIDATION_DELAY } from '../../../src/disruption/validation';
import { CAPACITY_FEATURES } from '../schedule-scenario/capacity-features';
import { Dice } from '../schedule-scenario/dice';
import { Json, ScenarioSettings } from '../schedule-scenario/draft';
import { documents, plainSettings, withFeature } from '../schedule-scenario/generate';
import { PLACEMENT_FEATURES } from '../schedule-scenario/placement-features';
import { POD_FEATURES } from '../schedule-scenario/pod-features';
import { POOL_FEATURES } from '../schedule-scenario/pool-features';
import { nodeClass, nodePool } from '../schedule-scenario/pools';
import { SETTINGS_FEATURES } from '../schedule-scenario/settings-features';
import { TOPOLOGY_FEATURES } from '../schedule-scenario/topology-features';
import { offeredTypes } from '../schedule-scenario/types';
import { workloads } from '../schedule-scenario/workloads';

/** The state of a cluster at one time. */
export interface ClusterSnapshot {
  /** YAML documents, one for each object. */
  readonly manifests: string;
  /** Existing objects: nodes, NodeClaims and pods. */
  readonly cluster: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Names of nodes that are nominated for pending pods. */
  readonly nominated: readonly string[];
}

export interface DisruptionScenario extends ClusterSnapshot {
  readonly name: string;
  /** Names of the applied features, in order. */
  readonly features: readonly string[];
  readonly settings: ScenarioSettings;
  /** The cluster at the time of Karpenter's validation. @default - unchanged */
  readonly later?: ClusterSnapshot;
}

/**
 * Excluded features of the schedule scenarios. Static pools, priorities and buffers have generators of their own here.
 * Resource claims do not affect running nodes, and some controllers do not exist here.
 */
const LEFT_OUT = ['staticPools', 'priorities', 'capacityBuffers', 'resourceClaims', 'defaultSpread'];
/** Features of NodePools and workloads, applied before nodes exist. */
export const POOL_AND_WORKLOAD_FEATURES: readonly DisruptionFeature[] = [
  ...[
    ...SETTINGS_FEATURES,
    ...POOL_FEATURES,
    ...PLACEMENT_FEATURES,
    ...POD_FEATURES,
    ...TOPOLOGY_FEATURES,
    ...CAPACITY_FEATURES,
  ].filter(({ name }) => !LEFT_OUT.includes(name)),
  ...DISRUPTION_POOL_FEATURES,
];
/** Features of nodes and their pods. */
export const RUNNING_CLUSTER_FEATURES: readonly DisruptionFeature[] = [
  ...RUN_FEATURES,
  ...NODE_FEATURES,
  ...CHANGE_FEATURES,
  ...BUFFER_FEATURES,
  ...TERMINATE_FIRST_FEATURES,
];
const FEATURES = [...POOL_AND_WORKLOAD_FEATURES, ...RUNNING_CLUSTER_FEATURES, ...MEANWHILE_FEATURES];

const START = Date.UTC(2026, 2, 2, 6);
const WEEK_HOURS = 168;

/**
 * Generates the scenario of a number: always the same for the same seed. Even numbers get one feature, odd numbers
 * several.
 *
 * @param wanted name of a feature that the scenario always has
 */
export function generate(seed: number, number: number, wanted?: string): DisruptionScenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const drawn =
    number % 2 === 0
      ? [FEATURES[(number / 2) % FEATURES.length]]
      : [
          ...dice.some(POOL_AND_WORKLOAD_FEATURES, dice.pick([0, 1, 1, 2, 3])),
          ...dice.some(RUNNING_CLUSTER_FEATURES, dice.pick([1, 2, 3, 4])),
          ...dice.some(MEANWHILE_FEATURES, dice.pick([0, 0, 1, 2])),
        ];
  const features = withFeature(FEATURES, drawn, number, wanted);
  for (const feature of features) if (POOL_AND_WORKLOAD_FEATURES.includes(feature)) feature.apply(draft);
  const count = Math.ceil(MOST_NODES ** dice.fraction());
  for (let index = 0; index < count; index += 1) addMachine(draft, dice.pick(draft.pools));
  placePods(draft);
  for (const feature of features) if (RUNNING_CLUSTER_FEATURES.includes(feature)) feature.apply(draft);
  const meanwhile = MEANWHILE_FEATURES.filter((feature) => features.includes(feature));
  return {
    name: `${seed}-${number}`,
    features: features.map(({ name }) => name),
    settings: draft.settings,
    ...snapshotOf(draft),
    ...(meanwhile.length > 0 ? { later: snapshotOf(later(draft, meanwhile)) } : {}),
  };
}

export function snapshotOf({
  nodeClasses,
  pools,
  others,
  daemonSets,
  cluster,
  machines,
  now,
  nominated,
}: DisruptionDraft): ClusterSnapshot {
  return {
    manifests: documents([...nodeClasses, ...pools, ...others, ...daemonSets]),
    cluster: documents([
      ...cluster,
      ...machines.flatMap(({ node, claim, pods }): Json[] => [node, ...(claim ? [claim] : []), ...pods]),
    ]),
    now,
    nominated,
  };
}

/** Nominations end within the 15 seconds before validation. */
function later({ dice, ...draft }: DisruptionDraft, meanwhile: readonly DisruptionFeature[]): DisruptionDraft {
  const result = { ...structuredClone(draft), dice, now: draft.now + VALIDATION_DELAY, nominated: [] };
  for (const feature of meanwhile) feature.apply(result);
  return result;
}

const MOST_NODES = 40;
const MOST_PODS = 120;
/** Limits the instance types, because Karpenter is slow with all of them. */
const ALL_TYPES = 0.03;
/** The number of instance types that schedule scenarios with this many pods have. */
const AS_OF_PODS = [50, 150, 150, 300];

export function plain(dice: Dice): DisruptionDraft {
  const pods = Math.floor((MOST_PODS + 1) ** dice.fraction());
  const pools = dice.pick([1, 1, 1, 2, 2, 3]);
  return {
    dice,
    settings: { ...plainSettings(), ...(dice.chance(ALL_TYPES) ? {} : offeredTypes(dice, dice.pick(AS_OF_PODS))) },
    nodeClasses: [nodeClass('default')],
    pools: Array.from({ length: pools }, (_, index) => {
      const pool = nodePool(dice, index, 'default');
      return { ...pool, spec: { ...pool.spec, disruption: disruptionOf({ dice }) } };
    }),
    workloads: workloads(dice, pods),
    daemonSets: [],
    others: [],
    cluster: [],
    now: START + dice.between(0, WEEK_HOURS) * HOUR + dice.between(0, 59) * MINUTE,
    machines: [],
    nominated: [],
  };
}
