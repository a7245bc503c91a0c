import { ADMISSION_FEATURES } from './admission-features';
import { CAPACITY_FEATURES } from './capacity-features';
import { CLUSTER_FEATURES } from './cluster-features';
import { Dice } from './dice';
import { Draft, Feature, Json, ScenarioSettings } from './draft';
import { PLACEMENT_FEATURES } from './placement-features';
import { POD_FEATURES } from './pod-features';
import { POOL_FEATURES } from './pool-features';
import { nodeClass, nodePool } from './pools';
import { SETTINGS_FEATURES } from './settings-features';
import { STORAGE_FEATURES } from './storage-features';
import { TOPOLOGY_FEATURES } from './topology-features';
import { offeredTypes } from './types';
import { workloads } from './workloads';

export interface Scenario {
  readonly name: string;
  /** Names of the applied features, in order. */
  readonly features: readonly string[];
  /** YAML documents for `check`, one for each object. */
  readonly manifests: string;
  /** Input of `check --cluster`; empty if the cluster is empty. */
  readonly cluster: string;
  readonly settings: ScenarioSettings;
}

/** All features, in the order in which they are applied. */
const FEATURES: readonly Feature[] = [
  ...SETTINGS_FEATURES,
  ...POOL_FEATURES,
  ...PLACEMENT_FEATURES,
  ...POD_FEATURES,
  ...STORAGE_FEATURES,
  ...TOPOLOGY_FEATURES,
  ...CAPACITY_FEATURES,
  ...ADMISSION_FEATURES,
  ...CLUSTER_FEATURES,
];

/**
 * Generates the scenario of a number: always the same for the same seed. Even numbers get one feature, odd numbers
 * several.
 *
 * @param wanted name of a feature that the scenario always has
 */
export function generate(seed: number, number: number, wanted?: string): Scenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const drawn =
    number % 2 === 0
      ? [FEATURES[(number / 2) % FEATURES.length]]
      : dice.some(FEATURES, dice.pick([2, 2, 3, 3, 4, 6, 8]));
  const features = withFeature(FEATURES, drawn, number, wanted);
  for (const feature of features) feature.apply(draft);
  return {
    name: `${seed}-${number}`,
    features: features.map(({ name }) => name),
    manifests: documents(objectsOf(draft)),
    cluster: documents(draft.cluster),
    settings: draft.settings,
  };
}

/**
 * The drawn features in their order, plus the wanted one; for even numbers only the wanted one.
 *
 * @throws Error if no feature has this name
 */
export function withFeature<T extends { readonly name: string }>(
  all: readonly T[],
  drawn: readonly T[],
  number: number,
  wanted?: string,
): readonly T[] {
  if (wanted === undefined) return drawn;
  const names = all.map(({ name }) => name);
  if (!names.includes(wanted))
    throw new Error(`--features: none of that name, got ${wanted}; write one of ${names.join(', ')}`);
  return all.filter((feature) => feature.name === wanted || (number % 2 === 1 && drawn.includes(feature)));
}

export function plainSettings(): ScenarioSettings {
  return {
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    spotPriceRatio: 0.4,
    vmMemoryOverheadPercent: 0.075,
    reservedENIs: 0,
    preferencePolicy: 'Respect',
    minValuesPolicy: 'Strict',
    featureGates: {},
  };
}

const MOST_PODS = 500;

/**
 * One to five hundred pods, and one to six pools. Small scenarios are more frequent, because they show a difference
 * more clearly. They also use the whole catalog more often: Karpenter checks each type for each pod and each open
 * NodeClaim.
 */
function plain(dice: Dice): Draft {
  const pods = Math.floor((MOST_PODS + 1) ** dice.fraction());
  const pools = dice.pick([1, 1, 1, 2, 2, 3, 4, 6]);
  return {
    dice,
    settings: { ...plainSettings(), ...offeredTypes(dice, pods) },
    nodeClasses: [nodeClass('default')],
    pools: Array.from({ length: pools }, (_, index) => nodePool(dice, index, 'default')),
    workloads: workloads(dice, pods),
    daemonSets: [],
    others: [],
    cluster: [],
  };
}

export function documents(objects: readonly Json[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

function objectsOf({ nodeClasses, pools, others, daemonSets, workloads: pods }: Draft): Json[] {
  return [...nodeClasses, ...pools, ...others, ...daemonSets, ...pods];
}

/** Zones that no manifest names, which are therefore interchangeable. */
export function freeZones({ manifests, cluster, settings }: Scenario): string[] {
  return settings.zones.filter((zone) => !(manifests + cluster).includes(`"${zone}"`));
}
