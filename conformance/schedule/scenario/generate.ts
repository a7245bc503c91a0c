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
  /** Those applied, in order. */
  readonly features: readonly string[];
  /** One document an object, as `check` reads them. */
  readonly manifests: string;
  /** What `check --cluster` reads; empty where the cluster is. */
  readonly cluster: string;
  readonly settings: ScenarioSettings;
}

/** In the order in which they are applied. */
const FEATURES: readonly Feature[] = [
  ...SETTINGS_FEATURES, ...POOL_FEATURES, ...PLACEMENT_FEATURES, ...POD_FEATURES, ...STORAGE_FEATURES, ...TOPOLOGY_FEATURES, ...CAPACITY_FEATURES,
  ...CLUSTER_FEATURES,
];

/**
 * The scenario with this number: always the same for a seed. Even numbers try one feature alone, odd ones several together.
 *
 * @param wanted a feature that it has in any case
 */
export function generate(seed: number, number: number, wanted?: string): Scenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const drawn = number % 2 === 0
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
 * Those that are drawn, in their order, and one that is wanted; of even numbers that one alone.
 *
 * @throws Error where there is none of the name
 */
export function withFeature<T extends { readonly name: string }>(
  all: readonly T[], drawn: readonly T[], number: number, wanted?: string,
): readonly T[] {
  if (wanted === undefined) return drawn;
  const names = all.map(({ name }) => name);
  if (!names.includes(wanted)) throw new Error(`--features: none of that name, got ${wanted}; write one of ${names.join(', ')}`);
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
 * From one pod to five hundred, and from one pool to six. Small scenarios are the more frequent, as they say more clearly what differs,
 * and have the whole catalogue the more often: Karpenter looks at each type for each pod and each open claim.
 */
function plain(dice: Dice): Draft {
  const pods = Math.floor((MOST_PODS + 1) ** dice.fraction());
  const pools = dice.pick([1, 1, 1, 2, 2, 3, 4, 6]);
  return {
    dice,
    settings: { ...plainSettings(), ...offeredTypes(dice, pods) },
    nodeClasses: [nodeClass('default')],
    pools: Array.from({ length: pools }, (_, at) => nodePool(dice, at, 'default')),
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

/** Zones that no manifest names: nothing tells one from the other. */
export function freeZones({ manifests, cluster, settings }: Scenario): string[] {
  return settings.zones.filter((zone) => !(manifests + cluster).includes(`"${zone}"`));
}
