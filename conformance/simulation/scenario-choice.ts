import { DeletionTarget, ScenarioName } from '../../src/disruption';
import { ago, DisruptionDraft, Machine } from '../../test/support/disruption-scenario/draft';
import { condition } from '../../test/support/disruption-scenario/machines';
import { Json } from '../../test/support/schedule-scenario/draft';

/** The scenario that is simulated in a cluster. */
export interface ScenarioChoice {
  readonly scenario: ChosenScenario;
  /** Events at the start, in the oracle's form. */
  readonly happens?: ReadonlyArray<{ readonly what: string; readonly name: string }>;
  /** Subject of our report that is compared. @default - the first report */
  readonly subject?: string;
  /** The object that is deleted. */
  readonly of?: DeletionTarget;
  /** The Job whose pods end. The oracle starts after its end. */
  readonly ended?: { readonly kind: string; readonly namespace: string; readonly name: string };
}

export const SCENARIOS = [
  'consolidation',
  'drift',
  'expiration',
  'spot-interruption',
  'deletion',
  'scale-down',
  'job-end',
  'node-repair',
  'capacity-block',
  'zone-outage',
] as const satisfies readonly ScenarioName[];
export type ChosenScenario = (typeof SCENARIOS)[number];

/**
 * Draws a scenario and prepares the cluster for it. If the cluster does not suit it, chooses consolidation, which suits
 * every cluster.
 *
 * @param wanted name of a scenario; any other name has no effect
 */
export function chooseScenario(draft: DisruptionDraft, wanted?: string): ScenarioChoice {
  const drawn = draft.dice.pick(SCENARIOS);
  const scenario = SCENARIOS.find((name) => name === wanted) ?? drawn;
  return BY_NAME[scenario](draft) ?? { scenario: 'consolidation' };
}

const BY_NAME: Readonly<Record<ChosenScenario, (draft: DisruptionDraft) => ScenarioChoice | undefined>> = {
  consolidation: () => ({ scenario: 'consolidation' }),
  drift: drift,
  expiration: expire,
  'spot-interruption': interrupt,
  deletion: remove,
  'scale-down': scaleDown,
  'job-end': endJob,
  'node-repair': silence,
  'capacity-block': endBlock,
  'zone-outage': failZone,
};

/** All nodes have drifted, as after a new AMI. */
function drift(draft: DisruptionDraft): ScenarioChoice {
  for (const { claim } of draft.machines)
    claim?.status.conditions.push(condition('Drifted', ago(draft, 0), 'AMIDrift'));
  return { scenario: 'drift' };
}

/** Nodes expire within the simulated time. */
function expire(draft: DisruptionDraft): ScenarioChoice {
  const { dice, now } = draft;
  const machines = launched(draft);
  for (const { claim } of machines) {
    if (claim !== machines[0].claim && dice.chance(0.3)) delete claim.spec.expireAfter;
    else
      claim.spec.expireAfter = `${Math.round((now - Date.parse(claim.metadata.creationTimestamp)) / 1_000) + dice.pick([0, 0, 10, 100, 1_000])}s`;
  }
  return { scenario: 'expiration' };
}

/** Interrupts one spot node, or all spot nodes of its type and zone. */
function interrupt(draft: DisruptionDraft): ScenarioChoice | undefined {
  const { dice } = draft;
  const spot = launched(draft).filter((machine) => labelOf(machine, 'karpenter.sh/capacity-type') === 'spot');
  if (spot.length === 0) return undefined;
  const interrupted = dice.pick(spot);
  const [type, zone] = ['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone'].map((key) =>
    labelOf(interrupted, key),
  );
  const equal = spot.filter(
    (machine) =>
      labelOf(machine, 'node.kubernetes.io/instance-type') === type &&
      labelOf(machine, 'topology.kubernetes.io/zone') === zone,
  );
  const together = equal.length > 1 && dice.chance(0.7);
  return {
    scenario: 'spot-interruption',
    happens: (together ? equal : [interrupted]).map(({ name }) => ({ what: 'interrupt', name })),
    subject: together ? `${type} in ${zone}` : `node ${interrupted.name}`,
  };
}

function remove(draft: DisruptionDraft): ScenarioChoice | undefined {
  const machines = launched(draft);
  if (machines.length === 0) return undefined;
  const { name, claim } = draft.dice.pick(machines);
  const of = draft.dice.pick<DeletionTarget>([
    { kind: 'node', name },
    { kind: 'nodeclaim', name: claim.metadata.name },
    { kind: 'nodepool', name: claim.metadata.labels['karpenter.sh/nodepool'] },
  ]);
  const isKnown = of.kind !== 'nodepool' || draft.pools.some(({ metadata }) => metadata.name === of.name);
  return isKnown ? { scenario: 'deletion', of, happens: [{ what: of.kind, name: of.name }] } : undefined;
}

/** Scales down a static pool, after making the pool static if necessary. */
function scaleDown(draft: DisruptionDraft): ScenarioChoice | undefined {
  const { dice, settings, pools } = draft;
  // Deleting nodes do not count: nothing is scaled down if only they exceed the replicas.
  const staying = launched(draft).filter(({ claim }) => claim.metadata.deletionTimestamp === undefined);
  const ownOf = ({ metadata }: Json) =>
    staying.filter((machine) => labelOf(machine, 'karpenter.sh/nodepool') === metadata.name);
  const inhabited = pools.filter((pool) => ownOf(pool).length > 0);
  if (inhabited.length === 0) return undefined;
  const pool = dice.pick(inhabited);
  const own = ownOf(pool);
  // Among equal nodes Karpenter's choice is random, so all nodes without pods are removed; the expiry of the others is
  // far away.
  const idle = own.filter(({ pods }) =>
    pods.every(({ metadata }) => metadata.ownerReferences?.[0].kind === 'DaemonSet'),
  ).length;
  for (const { claim } of own) claim.spec.expireAfter = '720h';
  settings.featureGates.StaticCapacity = true;
  pool.spec.replicas = own.length - dice.between(Math.max(1, idle), own.length);
  delete pool.spec.weight;
  delete pool.spec.limits;
  const { name } = pool.metadata;
  return { scenario: 'scale-down', happens: [{ what: 'scaleDown', name }], subject: `NodePool ${name}` };
}

function endJob(draft: DisruptionDraft): ScenarioChoice | undefined {
  const jobs = launched(draft)
    .flatMap(({ pods }) => pods)
    .flatMap(({ metadata }): Array<NonNullable<ScenarioChoice['ended']>> => {
      const [owner] = (metadata.ownerReferences ?? []) as Json[];
      return owner?.kind === 'Job' ? [{ kind: 'Job', namespace: metadata.namespace, name: owner.name }] : [];
    });
  if (jobs.length === 0) return undefined;
  const ended = draft.dice.pick(jobs);
  return { scenario: 'job-end', ended, subject: `Job ${ended.namespace}/${ended.name}` };
}

/** One node stops reporting its status. */
function silence(draft: DisruptionDraft): ScenarioChoice | undefined {
  const { dice, settings } = draft;
  const machines = launched(draft).filter(({ claim }) => claim.metadata.deletionTimestamp === undefined);
  if (machines.length === 0) return undefined;
  settings.featureGates.NodeRepair = dice.chance(0.8);
  const { name } = dice.pick(machines);
  return { scenario: 'node-repair', happens: [{ what: 'silence', name }], subject: `node ${name}` };
}

function endBlock(draft: DisruptionDraft): ScenarioChoice | undefined {
  const blocks = launched(draft).filter(
    (machine) => labelOf(machine, 'karpenter.k8s.aws/capacity-reservation-type') === 'capacity-block',
  );
  if (blocks.length === 0) return undefined;
  const name = labelOf(draft.dice.pick(blocks), 'karpenter.k8s.aws/capacity-reservation-id')!;
  return { scenario: 'capacity-block', happens: [{ what: 'endBlock', name }], subject: `capacity block ${name}` };
}

/**
 * Skips clusters with a required zone spread: Kubernetes counts only zones with nodes, but the oracle binds pods with
 * Karpenter's scheduler, which also counts others.
 */
function failZone({ dice, machines }: DisruptionDraft): ScenarioChoice | undefined {
  const spread: Json[] = machines.flatMap(({ pods }) =>
    pods.flatMap(({ spec }) => spec.topologySpreadConstraints ?? []),
  );
  if (
    spread.some(
      ({ topologyKey, whenUnsatisfiable }) =>
        topologyKey === 'topology.kubernetes.io/zone' && whenUnsatisfiable === 'DoNotSchedule',
    )
  )
    return undefined;
  const zones = [
    ...new Set(machines.flatMap((machine) => labelOf(machine, 'topology.kubernetes.io/zone') ?? [])),
  ].sort();
  if (zones.length === 0) return undefined;
  const zone = dice.pick(zones);
  return { scenario: 'zone-outage', happens: [{ what: 'zone', name: zone }], subject: zone };
}

/** The draft after the pods of the Job have ended. */
export function withEndedJob(
  draft: DisruptionDraft,
  { namespace, name }: NonNullable<ScenarioChoice['ended']>,
): DisruptionDraft {
  const machines = structuredClone(draft.machines);
  for (const { claim, pods } of machines) {
    const ended = pods.filter(
      ({ metadata }) =>
        metadata.namespace === namespace &&
        metadata.ownerReferences?.[0].kind === 'Job' &&
        metadata.ownerReferences[0].name === name,
    );
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
