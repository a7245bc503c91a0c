import { narrowLaunch } from './narrow-launch';
import { Fallback, launchesOnlySpot, OnDemandFallbacks } from './on-demand-fallback';
import { SpotChoice, spotChoiceOf, SpotChoices } from './spot-choice';
import { haveAccelerator, typesThatWouldDo } from './types-that-would-do';
import { SPOT_TO_SPOT_TYPES } from '../../../../disruption';
import { countText, Label, listText, shortListText } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { imagesOf } from '../../common/ordinary-pods';
import { placementsOf, workloadsByPool } from '../../common/placements';
import { requirementAlternatives } from '../../common/pod-constraints';
import { Pool, poolsOf } from '../../common/pool';
import { workloadsOnKarpenterNodes } from '../../common/spot-nodes';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext, Severity } from '../../rule';

/** The number that Karpenter requires before it replaces one spot node by another. */
const ENOUGH_TYPES = SPOT_TO_SPOT_TYPES;
/**
 * With fewer types Karpenter logs a warning that the flexibility is too low.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go
 */
const FEWEST_TYPES = 5;
const TEMPLATE_LABELS = ['spec', 'template', 'metadata', 'labels'];

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-best-practices.html */
export const spotFlexibilityLow: Rule = {
  id: 'KARP-511',
  name: 'spot-flexibility-low',
  severity: 'warning',
  summary:
    'A NodePool or a pod allows few instance types on spot: EC2 may interrupt all of its nodes at once, or have no capacity.',
  check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    const fallbacks = new OnDemandFallbacks(pools);
    const workloads = workloadsByPool(context);
    const choices = pools.map((pool) => ({ pool, choice: spotChoiceOf(pool) }));
    const flexiblePools = choices
      .filter(({ choice }) => choice.instanceTypes.length >= ENOUGH_TYPES)
      .map(({ pool }) => pool);
    const ofWorkloads = checkWorkloads(context, flexiblePools, fallbacks);
    return [
      ...choices.flatMap(({ pool, choice }) => {
        const held = ofWorkloads.filter(({ heldBy }) => heldBy?.includes(pool)).map(({ workload }) => workload);
        return held.length > 0
          ? [poolInOneZone(pool, choice, held, fallbacks)]
          : checkPool(context, pool, choice, workloads.get(pool.name) ?? [], fallbacks);
      }),
      ...ofWorkloads.flatMap(({ outcome = [] }) => outcome),
    ];
  },
};

function checkPool(
  context: RuleContext,
  pool: Pool,
  choice: SpotChoice,
  workloads: readonly WorkloadManifest[],
  fallbacks: OnDemandFallbacks,
): Outcome[] {
  if (pool.launch === undefined || pool.requirements === undefined) return [notEvaluated(pool.object, pool.why)];
  const types = choice.instanceTypes.length;
  if (types === 0) return [];
  if (types >= ENOUGH_TYPES) {
    const narrow = narrowLaunch(context, pool, choice);
    return [narrow === undefined ? pass(pool.object) : fail(narrow)];
  }
  const requests = workloads.flatMap(({ shape }) => shape?.requests ?? []);
  const wouldDo = typesThatWouldDo(pool.launch.table, choice.instanceTypes, pool.requirements, requests);
  if (wouldDo <= types) return [pass(pool.object)];
  const onDemand = !launchesOnlySpot(pool)
    ? ''
    : pool.spec?.labels[Label.CAPACITY_TYPE] === undefined
      ? ', or allow on-demand too: karpenter.sh/capacity-type In [spot, on-demand]'
      : `, or remove the label ${Label.CAPACITY_TYPE} of its template, which restricts the NodePool to spot whatever its requirements allow`;
  return [
    fail({
      object: pool.object,
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `allows only ${describe(choice)} on spot: EC2 may interrupt all of these nodes at once, or have no capacity`,
      remedy: `${enoughText(wouldDo)}, of several families and sizes${onDemand}`,
      evidence: evidenceOf(choice),
      // Few types have the accelerator, and Karpenter tries on-demand next.
      severity:
        !launchesOnlySpot(pool) && haveAccelerator(pool.launch.table, choice.instanceTypes)
          ? 'info'
          : severityOf(types, hasNoFallback(pool, workloads, fallbacks)),
    }),
  ];
}

interface JudgedWorkload {
  readonly workload: WorkloadManifest;
  readonly outcome?: Outcome;
  /** The NodePools that keep the pods in one zone, whatever the pods require. */
  readonly heldBy?: readonly Pool[];
}

/** Checks which types the pods' own requests and constraints leave, of NodePools that allow enough types. */
function checkWorkloads(
  context: RuleContext,
  flexiblePools: readonly Pool[],
  fallbacks: OnDemandFallbacks,
): JudgedWorkload[] {
  const byName = new Map(flexiblePools.map((pool) => [pool.name, pool]));
  const choices = new SpotChoices();
  return workloadsOnKarpenterNodes(context).flatMap((workload): JudgedWorkload[] => {
    const spot = placementsOf(context, workload).filter(({ capacityTypes }) => capacityTypes.includes('spot'));
    const pools = [...new Set(spot.flatMap(({ nodePool }) => byName.get(nodePool ?? '') ?? []))];
    if (pools.length === 0 || workload.shape === undefined) return [];
    const first = choices.for(workload.shape, pools[0], ENOUGH_TYPES);
    if (first.instanceTypes.length >= ENOUGH_TYPES && first.zones.length > 1)
      return [{ workload, outcome: pass(workload.object) }];
    const fewTypes = checkTypes(workload, pools, choices, fallbacks, placementsOf(context, workload).length);
    const oneZone =
      fewTypes || context.catalog.zones.length < 2
        ? undefined
        : checkZones(workload, flexiblePools, choices, fallbacks, hasTwinInOtherZone(context, workload));
    const heldBy = oneZone && poolsThatHold(workload, flexiblePools, choices);
    return [heldBy ? { workload, heldBy } : { workload, outcome: fewTypes ?? oneZone ?? pass(workload.object) }];
  });
}

/** The NodePools for pods that require no zone, if each of these NodePools has nodes in one zone only. */
function poolsThatHold(
  { shape }: WorkloadManifest,
  pools: readonly Pool[],
  choices: SpotChoices,
): readonly Pool[] | undefined {
  if (requirementAlternatives(shape!).some((specs) => specs.some(({ key }) => key === Label.ZONE))) return undefined;
  const accepting = pools.filter((pool) => choices.for(shape!, pool, 1).instanceTypes.length > 0);
  return accepting.every((pool) => spotChoiceOf(pool).zones.length === 1) ? accepting : undefined;
}

/** Says once what holds for all pods of the NodePool. The number of workloads differs between roots. */
function poolInOneZone(
  { object, spec }: Pool,
  choice: SpotChoice,
  held: readonly WorkloadManifest[],
  fallbacks: OnDemandFallbacks,
): Outcome {
  const requirements = ['spec', 'template', 'spec', 'requirements'];
  const index = recordsOf(object.raw.spec?.template?.spec?.requirements).findIndex(({ key }) => key === Label.ZONE);
  const isLabel = spec?.labels[Label.ZONE] !== undefined;
  const needsSpot = held.find(({ shape }) => fallbacks.for(shape!).exists !== 'yes');
  return fail({
    object,
    path: index >= 0 ? [...requirements, index] : isLabel ? [...TEMPLATE_LABELS, Label.ZONE] : requirements,
    message: `its spot nodes are all in zone ${choice.zones[0]}, and its pods fit on no others: a spot shortage there interrupts all of them`,
    remedy:
      index >= 0 || isLabel
        ? `allow more zones${needsSpot ? ', or on-demand nodes too' : ''}`
        : `let its node class select subnets of more zones${needsSpot ? ', or allow on-demand nodes too' : ''}`,
    evidence: { ...evidenceOf(choice), workloads: held.length },
  });
}

function checkTypes(
  workload: WorkloadManifest,
  pools: readonly Pool[],
  choices: SpotChoices,
  fallbacks: OnDemandFallbacks,
  nodes: number,
): Outcome | undefined {
  const { object, podPath } = workload;
  const shape = workload.shape!;
  if (pools.some((pool) => choices.for(shape, pool, ENOUGH_TYPES).instanceTypes.length >= ENOUGH_TYPES))
    return undefined;
  const choice = union(pools.map((pool) => choices.for(shape, pool)));
  const types = choice.instanceTypes.length;
  if (types >= ENOUGH_TYPES) return undefined;
  const wouldDo = Math.max(
    ...pools.map(({ launch, requirements }) =>
      typesThatWouldDo(launch!.table, choice.instanceTypes, requirements!, [shape.requests]),
    ),
  );
  if (wouldDo <= types) return undefined;
  return fail({
    object,
    path: podPath,
    message:
      `fits only on ${describe(choice)} on spot in NodePool ${listText(pools.map(({ name }) => name))}, because of its requests and constraints: ` +
      'EC2 may interrupt all of these nodes at once, or have no capacity',
    remedy: `let the NodePool and the pods allow more instance families that hold such pods, or run more pods with smaller requests${orOnDemand(fallbacks.for(shape), ';')}`,
    evidence: { ...evidenceOf(choice), nodePools: pools.map(({ name }) => name) },
    // A single node has no others that EC2 could interrupt at the same time, and Karpenter tries on-demand next.
    severity:
      nodes < 2 && fallbacks.for(shape).exists === 'yes'
        ? 'info'
        : severityOf(types, fallbacks.for(shape).exists === 'no'),
  });
}

/**
 * Checks the zones of all NodePools together: one NodePool for each zone is as flexible as one NodePool for all zones.
 */
function checkZones(
  { object, podPath, shape }: WorkloadManifest,
  pools: readonly Pool[],
  choices: SpotChoices,
  fallbacks: OnDemandFallbacks,
  hasTwin: boolean,
): Outcome | undefined {
  // Few types are enough to find a second zone, and much faster to compute than all types.
  const sample = union(pools.map((pool) => choices.for(shape!, pool, ENOUGH_TYPES)));
  if (sample.zones.length > 1) return undefined;
  const choice = union(pools.map((pool) => choices.for(shape!, pool)));
  if (choice.zones.length !== 1) return undefined;
  const [zone] = choice.zones;
  return fail({
    object,
    path: podPath,
    message: `fits on spot only in zone ${zone}, because of its constraints and those of the NodePools: a spot shortage there interrupts all of its pods`,
    remedy: `allow more zones in the NodePools and the pods${orOnDemand(fallbacks.for(shape!), ',')}`,
    evidence: evidenceOf(choice),
    ...(hasTwin ? { severity: 'info' as const } : {}),
  });
}

/** Whether pods of the same images require another zone: one workload for each zone is a way to spread pods. */
function hasTwinInOtherZone({ model }: RuleContext, workload: WorkloadManifest): boolean {
  const zone = requiredZone(workload);
  const images = JSON.stringify(imagesOf(workload));
  return (
    zone !== undefined &&
    model.workloads.some((other) => {
      const otherZone = other.namespace === workload.namespace ? requiredZone(other) : undefined;
      return otherZone !== undefined && otherZone !== zone && JSON.stringify(imagesOf(other)) === images;
    })
  );
}

/** The only zone that the pods' own constraints allow. */
function requiredZone({ shape }: WorkloadManifest): string | undefined {
  const zones = shape ? requirementAlternatives(shape).map((specs) => specs.find(({ key }) => key === Label.ZONE)) : [];
  const values = zones.map((spec) =>
    spec?.operator === 'In' && spec.values?.length === 1 ? spec.values[0] : undefined,
  );
  return new Set(values).size === 1 ? values[0] : undefined;
}

function enoughText(wouldDo: number): string {
  return wouldDo < ENOUGH_TYPES
    ? `allow all ${wouldDo} instance types that would do`
    : `allow ${ENOUGH_TYPES} or more instance types`;
}

/** The advice to allow on-demand; empty for pods that may run on demand already. */
function orOnDemand({ exists }: Fallback, mark: ',' | ';'): string {
  return exists === 'yes' ? '' : `${mark} or let the pods run on demand too`;
}

/** Whether some pods of the NodePool can run on no other nodes. */
function hasNoFallback(pool: Pool, workloads: readonly WorkloadManifest[], fallbacks: OnDemandFallbacks): boolean {
  return (
    launchesOnlySpot(pool) && workloads.some(({ shape }) => shape !== undefined && fallbacks.for(shape).exists === 'no')
  );
}

/** An error only if the pods have no on-demand fallback. */
function severityOf(types: number, isOnlyOption: boolean): Severity {
  return types < FEWEST_TYPES && isOnlyOption ? 'error' : 'warning';
}

function describe({ instanceTypes, zones }: SpotChoice): string {
  return `${countText(instanceTypes.length, 'instance type')} (${shortListText(instanceTypes, 3)}) in ${countText(zones.length, 'zone')}`;
}

function evidenceOf({ instanceTypes, zones }: SpotChoice): Readonly<Record<string, unknown>> {
  return { instanceTypes: instanceTypes.length, zones, wanted: ENOUGH_TYPES };
}

function union(choices: readonly SpotChoice[]): SpotChoice {
  const all = (pick: (choice: SpotChoice) => readonly string[]) => [...new Set(choices.flatMap(pick))];
  return { instanceTypes: all(({ instanceTypes }) => instanceTypes), zones: all(({ zones }) => zones).sort() };
}
