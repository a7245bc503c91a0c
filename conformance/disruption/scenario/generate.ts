import { BUFFER_FEATURES } from './buffer-features';
import { CHANGE_FEATURES } from './change-features';
import { DisruptionDraft, DisruptionFeature, HOUR, MINUTE } from './draft';
import { inhabit } from './inhabit';
import { addMachine } from './machines';
import { MEANWHILE_FEATURES } from './meanwhile-features';
import { NODE_FEATURES } from './node-features';
import { DISRUPTION_POOL_FEATURES, disruptionOf } from './pool-features';
import { RUN_FEATURES } from './run-features';
import { TERMINATE_FIRST_FEATURES } from './terminate-first-features';
import { SECOND_LOOK } from '../../../src/disruption/second-look';
import { CAPACITY_FEATURES } from '../../schedule/scenario/capacity-features';
import { Dice } from '../../schedule/scenario/dice';
import { Json, ScenarioSettings } from '../../schedule/scenario/draft';
import { documents, plainSettings, withFeature } from '../../schedule/scenario/generate';
import { PLACEMENT_FEATURES } from '../../schedule/scenario/placement-features';
import { POD_FEATURES } from '../../schedule/scenario/pod-features';
import { POOL_FEATURES } from '../../schedule/scenario/pool-features';
import { nodeClass, nodePool } from '../../schedule/scenario/pools';
import { SETTINGS_FEATURES } from '../../schedule/scenario/settings-features';
import { TOPOLOGY_FEATURES } from '../../schedule/scenario/topology-features';
import { offeredTypes } from '../../schedule/scenario/types';
import { workloads } from '../../schedule/scenario/workloads';

/** A cluster as it is at some time. */
export interface Moment {
  /** One document an object. */
  readonly manifests: string;
  /** What is there: nodes, claims and pods. */
  readonly cluster: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Names of nodes that are kept for pods that wait. */
  readonly nominated: readonly string[];
}

export interface DisruptionScenario extends Moment {
  readonly name: string;
  /** Those applied, in order. */
  readonly features: readonly string[];
  readonly settings: ScenarioSettings;
  /** When Karpenter looks again at what it has decided. @default - nothing has changed by then */
  readonly later?: Moment;
}

/**
 * Static pools, priorities and buffers are made otherwise here; of nodes that run resource claims say nothing, and many a controller is not
 * there.
 */
const LEFT_OUT = ['staticPools', 'priorities', 'capacityBuffers', 'resourceClaims', 'defaultSpread'];
/** Before there are nodes: what pools and workloads ask for. */
export const DEMANDS: readonly DisruptionFeature[] = [
  ...[...SETTINGS_FEATURES, ...POOL_FEATURES, ...PLACEMENT_FEATURES, ...POD_FEATURES, ...TOPOLOGY_FEATURES, ...CAPACITY_FEATURES]
    .filter(({ name }) => !LEFT_OUT.includes(name)),
  ...DISRUPTION_POOL_FEATURES,
];
/** What happens on nodes. */
export const EVENTS: readonly DisruptionFeature[] = [
  ...RUN_FEATURES, ...NODE_FEATURES, ...CHANGE_FEATURES, ...BUFFER_FEATURES, ...TERMINATE_FIRST_FEATURES,
];
const FEATURES = [...DEMANDS, ...EVENTS, ...MEANWHILE_FEATURES];

const START = Date.UTC(2026, 2, 2, 6);
const WEEK_HOURS = 168;

/**
 * The scenario with this number: always the same for a seed. Even numbers try one feature alone, odd ones several together.
 *
 * @param wanted a feature that it has in any case
 */
export function generate(seed: number, number: number, wanted?: string): DisruptionScenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const drawn = number % 2 === 0
    ? [FEATURES[(number / 2) % FEATURES.length]]
    : [
      ...dice.some(DEMANDS, dice.pick([0, 1, 1, 2, 3])),
      ...dice.some(EVENTS, dice.pick([1, 2, 3, 4])),
      ...dice.some(MEANWHILE_FEATURES, dice.pick([0, 0, 1, 2])),
    ];
  const features = withFeature(FEATURES, drawn, number, wanted);
  for (const feature of features) if (DEMANDS.includes(feature)) feature.apply(draft);
  const count = Math.ceil(MOST_NODES ** dice.fraction());
  for (let at = 0; at < count; at += 1) addMachine(draft, dice.pick(draft.pools));
  inhabit(draft);
  for (const feature of features) if (EVENTS.includes(feature)) feature.apply(draft);
  const meanwhile = MEANWHILE_FEATURES.filter((feature) => features.includes(feature));
  return {
    name: `${seed}-${number}`,
    features: features.map(({ name }) => name),
    settings: draft.settings,
    ...momentOf(draft),
    ...(meanwhile.length > 0 ? { later: momentOf(later(draft, meanwhile)) } : {}),
  };
}

export function momentOf({ nodeClasses, pools, others, daemonSets, cluster, machines, now, nominated }: DisruptionDraft): Moment {
  return {
    manifests: documents([...nodeClasses, ...pools, ...others, ...daemonSets]),
    cluster: documents([...cluster, ...machines.flatMap(({ node, claim, pods }): Json[] => [node, ...(claim ? [claim] : []), ...pods])]),
    now,
    nominated,
  };
}

/** Who was kept a node for 15 seconds ago is not any more. */
function later({ dice, ...draft }: DisruptionDraft, meanwhile: readonly DisruptionFeature[]): DisruptionDraft {
  const result = { ...structuredClone(draft), dice, now: draft.now + SECOND_LOOK, nominated: [] };
  for (const feature of meanwhile) feature.apply(result);
  return result;
}

const MOST_NODES = 40;
const MOST_PODS = 120;
/** Karpenter takes long where it can choose among all types. */
const ALL_TYPES = 0.03;
/** As few types as scenarios of the scheduler with so many pods have. */
const AS_OF_PODS = [50, 150, 150, 300];

export function plain(dice: Dice): DisruptionDraft {
  const pods = Math.floor((MOST_PODS + 1) ** dice.fraction());
  const pools = dice.pick([1, 1, 1, 2, 2, 3]);
  return {
    dice,
    settings: { ...plainSettings(), ...(dice.chance(ALL_TYPES) ? {} : offeredTypes(dice, dice.pick(AS_OF_PODS))) },
    nodeClasses: [nodeClass('default')],
    pools: Array.from({ length: pools }, (_, at) => {
      const pool = nodePool(dice, at, 'default');
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
