import { Dice } from './dice';
import { Draft, Feature, Json, ScenarioSettings } from './draft';
import { PLACEMENT_FEATURES } from './placement-features';
import { POD_FEATURES } from './pod-features';
import { POOL_FEATURES } from './pool-features';
import { nodeClass, nodePool } from './pools';
import { SETTINGS_FEATURES } from './settings-features';
import { TOPOLOGY_FEATURES } from './topology-features';
import { workloads } from './workloads';

export interface Scenario {
  readonly name: string;
  /** Those applied, in order. */
  readonly features: readonly string[];
  /** One document an object, as `check` reads them. */
  readonly manifests: string;
  readonly settings: ScenarioSettings;
}

/** In the order in which they are applied. */
const FEATURES: readonly Feature[] = [...SETTINGS_FEATURES, ...POOL_FEATURES, ...PLACEMENT_FEATURES, ...POD_FEATURES, ...TOPOLOGY_FEATURES];

/** The scenario with this number: always the same for a seed. Even numbers try one feature alone, odd ones several together. */
export function generate(seed: number, number: number): Scenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const features = number % 2 === 0
    ? [FEATURES[(number / 2) % FEATURES.length]]
    : dice.some(FEATURES, dice.pick([2, 2, 3, 3, 4, 6, 8]));
  for (const feature of features) feature.apply(draft);
  return {
    name: `${seed}-${number}`,
    features: features.map(({ name }) => name),
    manifests: objectsOf(draft).map((object) => JSON.stringify(object)).join('\n---\n'),
    settings: draft.settings,
  };
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
  };
}

/** From one pod to five hundred, and from one pool to six: most scenarios are small, as small ones say more clearly what differs. */
function plain(dice: Dice): Draft {
  const pods = dice.chance(0.75) ? dice.between(1, 25) : dice.chance(0.85) ? dice.between(26, 100) : dice.between(101, 500);
  const pools = dice.pick([1, 1, 1, 2, 2, 3, 4, 6]);
  return {
    dice,
    settings: plainSettings(),
    nodeClasses: [nodeClass('default')],
    pools: Array.from({ length: pools }, (_, at) => nodePool(dice, at, 'default')),
    workloads: workloads(dice, pods),
    daemonSets: [],
    others: [],
  };
}

function objectsOf({ nodeClasses, pools, others, daemonSets, workloads: pods }: Draft): Json[] {
  return [...nodeClasses, ...pools, ...others, ...daemonSets, ...pods];
}

/** Zones that no manifest names: nothing tells one from the other. */
export function freeZones({ manifests, settings }: Scenario): string[] {
  return settings.zones.filter((zone) => !manifests.includes(`"${zone}"`));
}
