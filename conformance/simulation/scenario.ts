import { createHash } from 'node:crypto';
import { chooseScenario, withEndedJob, SCENARIOS, ScenarioChoice } from './scenario-choice';
import { DisruptionDraft, DisruptionFeature, podsOf } from '../../test/support/disruption-scenario/draft';
import {
  POOL_AND_WORKLOAD_FEATURES,
  DisruptionScenario,
  RUNNING_CLUSTER_FEATURES,
  snapshotOf,
  plain,
} from '../../test/support/disruption-scenario/generate';
import { addMachine } from '../../test/support/disruption-scenario/machines';
import { placePods } from '../../test/support/disruption-scenario/place-pods';
import { disruptionOf } from '../../test/support/disruption-scenario/pool-features';
import { Dice } from '../../test/support/schedule-scenario/dice';
import { Json } from '../../test/support/schedule-scenario/draft';
import { withFeature } from '../../test/support/schedule-scenario/generate';
import { nodePool } from '../../test/support/schedule-scenario/pools';

/** A cluster and the scenario that is simulated in it. */
export interface SimulationScenario extends Omit<DisruptionScenario, 'later'> {
  readonly choice: ScenarioChoice;
  /** The cluster with which the oracle starts. @default - `cluster` */
  readonly afterwards?: string;
  /** Seconds. */
  readonly times: {
    readonly nodeStart: number;
    readonly podStart: number;
    readonly podStop: number;
    readonly horizon: number;
  };
}

/**
 * Features on which the two sides differ by design. `check` schedules pending pods and initializes starting nodes
 * before the simulation starts. CapacityBuffers then have no room, and some facts exist only in Karpenter's memory.
 */
const LEFT_OUT = [
  'waitingPods',
  'nodesComingUp',
  'capacityBuffers',
  'nominatedNodes',
  'unreadyPods',
  'driftedNodes',
  'unhealthyNodes',
  'repairOfReservedNodes',
];
const FEATURES: readonly DisruptionFeature[] = [...POOL_AND_WORKLOAD_FEATURES, ...RUNNING_CLUSTER_FEATURES].filter(
  ({ name }) => !LEFT_OUT.includes(name),
);

const MOST_NODES = 16;
const HORIZON = 3_600;

/**
 * Generates the scenario of a number: always the same for the same seed.
 *
 * @param wanted a feature that the scenario always has, or the name of the scenario to simulate
 */
export function generate(seed: number, number: number, wanted?: string): SimulationScenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const drawn = number % 2 === 0 ? [FEATURES[(number / 2) % FEATURES.length]] : dice.some(FEATURES, dice.between(0, 4));
  const isScenario = SCENARIOS.some((each) => each === wanted);
  const features = withFeature(FEATURES, drawn, number, isScenario ? undefined : wanted);
  for (const feature of features) if (POOL_AND_WORKLOAD_FEATURES.includes(feature)) feature.apply(draft);
  const count = Math.ceil(MOST_NODES ** dice.fraction());
  for (let at = 0; at < count; at += 1) addMachine(draft, dice.pick(draft.pools));
  placePods(draft);
  for (const feature of features) if (RUNNING_CLUSTER_FEATURES.includes(feature)) feature.apply(draft);
  giveOrdinals(draft);
  label(draft);
  untaint(draft);
  replaceOver(draft);
  // Our simulation starts with all pods ready.
  for (const pod of podsOf(draft)) pod.status.conditions[0].status = 'True';
  const choice = chooseScenario(draft, wanted);
  const isLeft = ({ metadata, spec }: Json) =>
    spec.replicas === undefined && !(choice.of?.kind === 'nodepool' && choice.of.name === metadata.name);
  // Without a dynamic pool, Karpenter's scheduler, which binds pods on both sides, does not consider nodes.
  if (!draft.pools.some(isLeft)) draft.pools.push(exhaustedPool(draft));
  return {
    name: `${seed}-${number}`,
    features: [choice.scenario, ...features.map(({ name }) => name)],
    settings: draft.settings,
    ...snapshotOf(draft),
    ...(choice.ended ? { afterwards: snapshotOf(withEndedJob(draft, choice.ended)).cluster } : {}),
    choice,
    times: {
      nodeStart: dice.pick([30, 60, 120]),
      podStart: dice.pick([1, 5, 20]),
      podStop: dice.pick([1, 10, 10, 45]),
      horizon: HORIZON,
    },
  };
}

/** Replaces finished pods of StatefulSets, which Kubernetes would have recreated by then. */
function replaceOver(draft: DisruptionDraft): void {
  for (const { metadata, status } of podsOf(draft)) {
    if (metadata.ownerReferences?.[0].kind === 'StatefulSet' && ['Succeeded', 'Failed'].includes(status.phase))
      status.phase = 'Running';
  }
}

/** Names pods of StatefulSets by ordinal. */
function giveOrdinals(draft: DisruptionDraft): void {
  podsOf(draft)
    .filter(({ metadata }) => metadata.ownerReferences?.[0].name === 'filler')
    .forEach(({ metadata }, ordinal) => {
      metadata.name = `filler-${ordinal}`;
    });
}

/** Copies the reservation label of NodeClaims to their nodes. */
function label({ machines }: DisruptionDraft): void {
  const key = 'karpenter.k8s.aws/capacity-reservation-id';
  for (const { node, claim } of machines)
    if (claim?.metadata.labels[key] !== undefined) node.metadata.labels[key] = claim.metadata.labels[key];
}

/** Removes the disruption taint: Karpenter's running commands are only in its memory, and here none is running. */
function untaint({ machines }: DisruptionDraft): void {
  for (const { node, claim } of machines) {
    if (claim?.metadata.deletionTimestamp === undefined)
      node.spec.taints = node.spec.taints.filter(({ key }: Json) => key !== 'karpenter.sh/disrupted');
  }
}

/** A NodePool whose limits allow no node. */
function exhaustedPool({ dice }: DisruptionDraft): Json {
  const pool = nodePool(dice, 0, 'default');
  return {
    ...pool,
    metadata: { name: 'exhausted' },
    spec: { ...pool.spec, limits: { cpu: '0' }, disruption: disruptionOf({ dice }) },
  };
}

export function scenarioHash({ manifests, cluster, choice, times }: SimulationScenario): string {
  return createHash('sha256')
    .update(manifests + cluster + JSON.stringify([choice, times]))
    .digest('hex')
    .slice(0, 12);
}
