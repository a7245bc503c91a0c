import { createHash } from 'node:crypto';
import { drawPlay, end, PLAYED, Played } from './played';
import { DisruptionDraft, DisruptionFeature, podsOf } from '../disruption/scenario/draft';
import { DEMANDS, DisruptionScenario, EVENTS, momentOf, plain } from '../disruption/scenario/generate';
import { inhabit } from '../disruption/scenario/inhabit';
import { addMachine } from '../disruption/scenario/machines';
import { disruptionOf } from '../disruption/scenario/pool-features';
import { Dice } from '../schedule/scenario/dice';
import { Json } from '../schedule/scenario/draft';
import { withFeature } from '../schedule/scenario/generate';
import { nodePool } from '../schedule/scenario/pools';

/** A cluster that time passes in. */
export interface PlayScenario extends Omit<DisruptionScenario, 'later'> {
  readonly played: Played;
  /** The cluster that the oracle begins with. @default - the same */
  readonly afterwards?: string;
  /** Seconds. */
  readonly times: { readonly nodeStart: number; readonly podStart: number; readonly podStop: number; readonly horizon: number };
}

/**
 * What both sides imitate alike. Not among them: pods that wait when it begins, and nodes on their way up, which `check` places and has come up before;
 * nor CapacityBuffers, which have no room then, and what Karpenter knows of its own alone.
 */
const LEFT_OUT = ['waitingPods', 'nodesComingUp', 'capacityBuffers', 'nominatedNodes', 'unreadyPods', 'driftedNodes', 'unhealthyNodes', 'repairOfReservedNodes'];
const FEATURES: readonly DisruptionFeature[] = [...DEMANDS, ...EVENTS].filter(({ name }) => !LEFT_OUT.includes(name));

const MOST_NODES = 16;
const HORIZON = 3_600;

/**
 * The scenario with this number: always the same for a seed.
 *
 * @param wanted a feature that it has in any case, or the name of what is played
 */
export function generate(seed: number, number: number, wanted?: string): PlayScenario {
  const dice = new Dice(seed, number);
  const draft = plain(dice);
  const drawn = number % 2 === 0
    ? [FEATURES[(number / 2) % FEATURES.length]]
    : dice.some(FEATURES, dice.between(0, 4));
  const isPlay = PLAYED.some((each) => each === wanted);
  const features = withFeature(FEATURES, drawn, number, isPlay ? undefined : wanted);
  for (const feature of features) if (DEMANDS.includes(feature)) feature.apply(draft);
  const count = Math.ceil(MOST_NODES ** dice.fraction());
  for (let at = 0; at < count; at += 1) addMachine(draft, dice.pick(draft.pools));
  inhabit(draft);
  for (const feature of features) if (EVENTS.includes(feature)) feature.apply(draft);
  giveOrdinals(draft);
  label(draft);
  untaint(draft);
  replaceOver(draft);
  // As scenarios begin.
  for (const pod of podsOf(draft)) pod.status.conditions[0].status = 'True';
  const played = drawPlay(draft, wanted);
  const isLeft = ({ metadata, spec }: Json) => spec.replicas === undefined && !(played.of?.kind === 'nodepool' && played.of.name === metadata.name);
  // Without any other Karpenter's scheduler, by which both sides bind pods, does not look at nodes.
  if (!draft.pools.some(isLeft)) draft.pools.push(exhaustedPool(draft));
  return {
    name: `${seed}-${number}`,
    features: [played.play, ...features.map(({ name }) => name)],
    settings: draft.settings,
    ...momentOf(draft),
    ...(played.ended ? { afterwards: momentOf(end(draft, played.ended)).cluster } : {}),
    played,
    times: { nodeStart: dice.pick([30, 60, 120]), podStart: dice.pick([1, 5, 20]), podStop: dice.pick([1, 10, 10, 45]), horizon: HORIZON },
  };
}

/** A pod of a StatefulSet that is over Kubernetes has made again by then. */
function replaceOver(draft: DisruptionDraft): void {
  for (const { metadata, status } of podsOf(draft)) {
    if (metadata.ownerReferences?.[0].kind === 'StatefulSet' && ['Succeeded', 'Failed'].includes(status.phase)) status.phase = 'Running';
  }
}

/** StatefulSets know their pods by ordinals. */
function giveOrdinals(draft: DisruptionDraft): void {
  podsOf(draft).filter(({ metadata }) => metadata.ownerReferences?.[0].name === 'filler').forEach(({ metadata }, ordinal) => { metadata.name = `filler-${ordinal}`; });
}

/** Nodes have the labels of their claims. */
function label({ machines }: DisruptionDraft): void {
  const key = 'karpenter.k8s.aws/capacity-reservation-id';
  for (const { node, claim } of machines) if (claim?.metadata.labels[key] !== undefined) node.metadata.labels[key] = claim.metadata.labels[key];
}

/** That a command is under way Karpenter knows of its own: here it has begun nothing yet. */
function untaint({ machines }: DisruptionDraft): void {
  for (const { node, claim } of machines) {
    if (claim?.metadata.deletionTimestamp === undefined) node.spec.taints = node.spec.taints.filter(({ key }: Json) => key !== 'karpenter.sh/disrupted');
  }
}

/** One that nothing can be launched of. */
function exhaustedPool({ dice }: DisruptionDraft): Json {
  const pool = nodePool(dice, 0, 'default');
  return { ...pool, metadata: { name: 'exhausted' }, spec: { ...pool.spec, limits: { cpu: '0' }, disruption: disruptionOf({ dice }) } };
}

export function scenarioHash({ manifests, cluster, played, times }: PlayScenario): string {
  return createHash('sha256').update(manifests + cluster + JSON.stringify([played, times])).digest('hex').slice(0, 12);
}
