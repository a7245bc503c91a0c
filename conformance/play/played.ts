import { DeletionTarget, ScenarioName } from '../../src/disruption';
import { ago, DisruptionDraft, Machine } from '../disruption/scenario/draft';
import { condition } from '../disruption/scenario/machines';
import { Json } from '../schedule/scenario/draft';

/** What time brings to a cluster. */
export interface Played {
  readonly play: PlayedScenario;
  /** What happens when it begins, in the words of the oracle. */
  readonly happens?: ReadonlyArray<{ readonly what: string; readonly name: string }>;
  /** Which of our reports tells of it. @default - the first */
  readonly subject?: string;
  /** What is deleted. */
  readonly of?: DeletionTarget;
  /** Workloads whose pods have ended, for the oracle before it begins. */
  readonly ended?: { readonly kind: string; readonly namespace: string; readonly name: string };
}

export const PLAYED = ['consolidation', 'drift', 'expiration', 'spot-interruption', 'deletion', 'scale-down', 'job-end', 'node-repair', 'capacity-block', 'zone-outage'] as const satisfies readonly ScenarioName[];
export type PlayedScenario = typeof PLAYED[number];

/**
 * Has the cluster be one for what is drawn, or else for the first of all, for which any will do.
 *
 * @param wanted the name of a scenario, or of something else
 */
export function drawPlay(draft: DisruptionDraft, wanted?: string): Played {
  const drawn = draft.dice.pick(PLAYED);
  const play = PLAYED.find((each) => each === wanted) ?? drawn;
  return BY_NAME[play](draft) ?? { play: 'consolidation' };
}

const BY_NAME: Readonly<Record<PlayedScenario, (draft: DisruptionDraft) => Played | undefined>> = {
  'consolidation': () => ({ play: 'consolidation' }),
  'drift': drift,
  'expiration': expire,
  'spot-interruption': interrupt,
  'deletion': remove,
  'scale-down': scaleDown,
  'job-end': endJob,
  'node-repair': silence,
  'capacity-block': endBlock,
  'zone-outage': failZone,
};

/** As after a new AMI. */
function drift(draft: DisruptionDraft): Played {
  for (const { claim } of draft.machines) claim?.status.conditions.push(condition('Drifted', ago(draft, 0), 'AMIDrift'));
  return { play: 'drift' };
}

/** Within the time that is played. */
function expire(draft: DisruptionDraft): Played {
  const { dice, now } = draft;
  const machines = launched(draft);
  for (const { claim } of machines) {
    if (claim !== machines[0].claim && dice.chance(0.3)) delete claim.spec.expireAfter;
    else claim.spec.expireAfter = `${Math.round((now - Date.parse(claim.metadata.creationTimestamp)) / 1_000) + dice.pick([0, 0, 10, 100, 1_000])}s`;
  }
  return { play: 'expiration' };
}

/** A spot node, or all that are of its type and in its zone. */
function interrupt(draft: DisruptionDraft): Played | undefined {
  const { dice } = draft;
  const spot = launched(draft).filter((machine) => labelOf(machine, 'karpenter.sh/capacity-type') === 'spot');
  if (spot.length === 0) return undefined;
  const one = dice.pick(spot);
  const [type, zone] = ['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone'].map((key) => labelOf(one, key));
  const equal = spot.filter((each) => labelOf(each, 'node.kubernetes.io/instance-type') === type && labelOf(each, 'topology.kubernetes.io/zone') === zone);
  const together = equal.length > 1 && dice.chance(0.7);
  return {
    play: 'spot-interruption',
    happens: (together ? equal : [one]).map(({ name }) => ({ what: 'interrupt', name })),
    subject: together ? `${type} in ${zone}` : `node ${one.name}`,
  };
}

function remove(draft: DisruptionDraft): Played | undefined {
  const machines = launched(draft);
  if (machines.length === 0) return undefined;
  const { name, claim } = draft.dice.pick(machines);
  const of = draft.dice.pick<DeletionTarget>([
    { kind: 'node', name }, { kind: 'nodeclaim', name: claim.metadata.name }, { kind: 'nodepool', name: claim.metadata.labels['karpenter.sh/nodepool'] },
  ]);
  const isKnown = of.kind !== 'nodepool' || draft.pools.some(({ metadata }) => metadata.name === of.name);
  return isKnown ? { play: 'deletion', of, happens: [{ what: of.kind, name: of.name }] } : undefined;
}

/** A static pool, or one that is made so. */
function scaleDown(draft: DisruptionDraft): Played | undefined {
  const { dice, settings, pools } = draft;
  // Nodes that go already count for nothing: where only these are too many nothing is scaled down.
  const staying = launched(draft).filter(({ claim }) => claim.metadata.deletionTimestamp === undefined);
  const ownOf = ({ metadata }: Json) => staying.filter((machine) => labelOf(machine, 'karpenter.sh/nodepool') === metadata.name);
  const inhabited = pools.filter((pool) => ownOf(pool).length > 0);
  if (inhabited.length === 0) return undefined;
  const pool = dice.pick(inhabited);
  const own = ownOf(pool);
  // Of nodes that are as dear Karpenter takes any: all of those go that have no pods, and the others are not as old.
  const idle = own.filter(({ pods }) => pods.every(({ metadata }) => metadata.ownerReferences?.[0].kind === 'DaemonSet')).length;
  for (const { claim } of own) claim.spec.expireAfter = '720h';
  settings.featureGates.StaticCapacity = true;
  pool.spec.replicas = own.length - dice.between(Math.max(1, idle), own.length);
  delete pool.spec.weight;
  delete pool.spec.limits;
  const { name } = pool.metadata;
  return { play: 'scale-down', happens: [{ what: 'scaleDown', name }], subject: `NodePool ${name}` };
}

function endJob(draft: DisruptionDraft): Played | undefined {
  const jobs = launched(draft).flatMap(({ pods }) => pods).flatMap(({ metadata }): Array<NonNullable<Played['ended']>> => {
    const [owner] = (metadata.ownerReferences ?? []) as Json[];
    return owner?.kind === 'Job' ? [{ kind: 'Job', namespace: metadata.namespace, name: owner.name }] : [];
  });
  if (jobs.length === 0) return undefined;
  const ended = draft.dice.pick(jobs);
  return { play: 'job-end', ended, subject: `Job ${ended.namespace}/${ended.name}` };
}

/** A node of which nothing is heard. */
function silence(draft: DisruptionDraft): Played | undefined {
  const { dice, settings } = draft;
  const machines = launched(draft).filter(({ claim }) => claim.metadata.deletionTimestamp === undefined);
  if (machines.length === 0) return undefined;
  settings.featureGates.NodeRepair = dice.chance(0.8);
  const { name } = dice.pick(machines);
  return { play: 'node-repair', happens: [{ what: 'silence', name }], subject: `node ${name}` };
}

function endBlock(draft: DisruptionDraft): Played | undefined {
  const blocks = launched(draft).filter((machine) => labelOf(machine, 'karpenter.k8s.aws/capacity-reservation-type') === 'capacity-block');
  if (blocks.length === 0) return undefined;
  const name = labelOf(draft.dice.pick(blocks), 'karpenter.k8s.aws/capacity-reservation-id')!;
  return { play: 'capacity-block', happens: [{ what: 'endBlock', name }], subject: `capacity block ${name}` };
}

/** Kubernetes counts zones that have nodes, and the oracle has Karpenter's scheduler stand for it, which counts others: none is to matter. */
function failZone({ dice, machines }: DisruptionDraft): Played | undefined {
  const spread: Json[] = machines.flatMap(({ pods }) => pods.flatMap(({ spec }) => spec.topologySpreadConstraints ?? []));
  if (spread.some(({ topologyKey, whenUnsatisfiable }) => topologyKey === 'topology.kubernetes.io/zone' && whenUnsatisfiable === 'DoNotSchedule')) return undefined;
  const zones = [...new Set(machines.flatMap((machine) => labelOf(machine, 'topology.kubernetes.io/zone') ?? []))].sort();
  if (zones.length === 0) return undefined;
  const zone = dice.pick(zones);
  return { play: 'zone-outage', happens: [{ what: 'zone', name: zone }], subject: zone };
}

/** The cluster after the pods of the workload have ended. */
export function end(draft: DisruptionDraft, { namespace, name }: NonNullable<Played['ended']>): DisruptionDraft {
  const machines = structuredClone(draft.machines);
  for (const { claim, pods } of machines) {
    const ended = pods.filter(({ metadata }) => metadata.namespace === namespace && metadata.ownerReferences?.[0].kind === 'Job' && metadata.ownerReferences[0].name === name);
    for (const { status } of ended) status.phase = 'Succeeded';
    if (ended.length > 0 && claim) claim.status.lastPodEventTime = ago(draft, 0);
  }
  return { ...draft, machines };
}

function launched({ machines }: Pick<DisruptionDraft, 'machines'>): Machine[] {
  return machines.filter(({ claim }) => claim);
}

function labelOf({ node }: Machine, key: string): string | undefined {
  return node.metadata.labels[key];
}
