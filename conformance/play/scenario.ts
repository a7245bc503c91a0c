import { createHash } from 'node:crypto';
import { ScenarioName } from '../../src/disruption';

import { ago, DisruptionDraft, DisruptionFeature, podsOf } from '../disruption/scenario/draft';
import { DEMANDS, DisruptionScenario, EVENTS, momentOf, plain } from '../disruption/scenario/generate';
import { inhabit } from '../disruption/scenario/inhabit';
import { addMachine, condition } from '../disruption/scenario/machines';
import { Dice } from '../schedule/scenario/dice';
import { withFeature } from '../schedule/scenario/generate';

/** A cluster that time passes in. */
export interface PlayScenario extends Omit<DisruptionScenario, 'later'> {
  readonly play: PlayedScenario;
  /** Seconds. */
  readonly times: { readonly nodeStart: number; readonly podStart: number; readonly podStop: number; readonly horizon: number };
}

const PLAYED = ['consolidation', 'drift', 'expiration'] as const satisfies readonly ScenarioName[];
export type PlayedScenario = typeof PLAYED[number];

/** What both sides imitate alike: nothing of DaemonSets, and no pods that wait or end of themselves. */
const FEATURES: readonly DisruptionFeature[] = [...DEMANDS, ...EVENTS].filter(({ name }) => [
  'nodeSelector', 'requiredNodeAffinity', 'preferredNodeAffinity', 'taints', 'topologySpread', 'minDomains', 'requiredPodAntiAffinity', 'requiredPodAffinity',
  'preferredPodAntiAffinity', 'preferredPodAffinity', 'weights', 'limits', 'minValues', 'zonesOfPools', 'policies', 'consolidateAfter', 'budgets', 'spotToSpot',
  'terminationGracePeriods', 'protectedPods', 'podDisruptionBudgets', 'costlyPods', 'protectedNodes', 'recentlyUsedNodes',
].includes(name));

const MOST_NODES = 16;
const HORIZON = 3_600;

/** The scenario with this number: always the same for a seed. */
export function generate(seed: number, number: number, wanted?: string): PlayScenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const drawn = number % 2 === 0
    ? [FEATURES[(number / 2) % FEATURES.length]]
    : dice.some(FEATURES, dice.between(0, 4));
  const features = withFeature(FEATURES, drawn, number, wanted);
  for (const feature of features) if (DEMANDS.includes(feature)) feature.apply(draft);
  const count = Math.ceil(MOST_NODES ** dice.fraction());
  for (let at = 0; at < count; at += 1) addMachine(draft, dice.pick(draft.pools));
  inhabit(draft);
  for (const feature of features) if (EVENTS.includes(feature)) feature.apply(draft);
  // As scenarios begin.
  for (const pod of podsOf(draft)) pod.status.conditions[0].status = 'True';
  const play = dice.pick(PLAYED);
  if (play === 'drift') drifts(draft);
  if (play === 'expiration') expires(draft);
  return {
    name: `${seed}-${number}`,
    features: [play, ...features.map(({ name }) => name)],
    settings: draft.settings,
    ...momentOf(draft),
    play,
    times: { nodeStart: dice.pick([30, 60, 120]), podStart: dice.pick([1, 5, 20]), podStop: dice.pick([1, 10, 10, 45]), horizon: HORIZON },
  };
}

/** As after a new AMI. */
function drifts(draft: DisruptionDraft): void {
  for (const { claim } of draft.machines) claim.status.conditions.push(condition('Drifted', ago(draft, 0), 'AMIDrift'));
}

/** Within the time that is played. */
function expires({ dice, machines, now }: DisruptionDraft): void {
  for (const { claim } of machines) {
    if (claim !== machines[0].claim && dice.chance(0.3)) delete claim.spec.expireAfter;
    else claim.spec.expireAfter = `${Math.round((now - Date.parse(claim.metadata.creationTimestamp)) / 1_000) + dice.pick([0, 0, 10, 100, 1_000])}s`;
  }
}

export function scenarioHash({ manifests, cluster, play, times }: PlayScenario): string {
  return createHash('sha256').update(manifests + cluster + play + JSON.stringify(times)).digest('hex').slice(0, 12);
}
