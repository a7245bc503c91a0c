import { SPOT_TO_SPOT_TYPES } from '../../disruption';
import { WorkloadManifest } from '../manifest/model';
import { Fallback, isSpotAlone, OnDemandFallbacks } from './private/on-demand-fallback';
import { fail, notEvaluated, pass } from './private/outcome';
import { placementsOf, workloadsByPool } from './private/placements';
import { Pool, poolsOf } from './private/pool';
import { SpotChoice, spotChoiceOf, SpotChoices } from './private/spot-choice';
import { placedWorkloads } from './private/spot-nodes';
import { count, joinNames, someNames } from './private/wording';
import { Outcome, Rule, RuleContext, Severity } from './rule';

/** As many as Karpenter asks for before it replaces one spot node by another. */
const ENOUGH_TYPES = SPOT_TO_SPOT_TYPES;
/**
 * With fewer Karpenter warns in its log that the choice is too small.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go
 */
const FEWEST_TYPES = 5;

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-best-practices.html */
export class SpotFlexibilityLow implements Rule {
  public readonly id = 'KARP-511';
  public readonly name = 'spot-flexibility-low';
  public readonly severity = 'warning';
  public readonly summary = 'A NodePool may launch spot of few instance types, or pods may run on few of them: EC2 takes them back, or is out of them, all at a time.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    const fallbacks = new OnDemandFallbacks(pools);
    const workloads = workloadsByPool(context);
    const chosen = pools.map((pool) => ({ pool, choice: spotChoiceOf(pool) }));
    const wide = chosen.filter(({ choice }) => choice.instanceTypes.length >= ENOUGH_TYPES).map(({ pool }) => pool);
    return [
      ...chosen.flatMap(({ pool, choice }) => this.checkPool(pool, choice, isOnlyWay(pool, workloads.get(pool.name) ?? [], fallbacks))),
      ...this.checkWorkloads(context, wide, fallbacks),
    ];
  }

  private checkPool(pool: Pool, choice: SpotChoice, onlyWay: boolean): Outcome[] {
    if (pool.launch === undefined) return [notEvaluated(pool.object, pool.why)];
    const types = choice.instanceTypes.length;
    if (types === 0) return [];
    if (types >= ENOUGH_TYPES) return [pass(pool.object)];
    return [fail({
      object: pool.object,
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `allows ${describe(choice)} on spot: EC2 takes so few back, or is out of them, all at a time`,
      remedy: `allow ${ENOUGH_TYPES} or more, of several families and sizes`
        + (isSpotAlone(pool) ? ', or launch on demand too: karpenter.sh/capacity-type In [spot, on-demand]' : ''),
      evidence: evidenceOf(choice),
      severity: severityOf(types, onlyWay),
    })];
  }

  /** What the pods themselves leave of NodePools that have enough. */
  private checkWorkloads(context: RuleContext, wide: readonly Pool[], fallbacks: OnDemandFallbacks): Outcome[] {
    const byName = new Map(wide.map((pool) => [pool.name, pool]));
    const choices = new SpotChoices();
    return placedWorkloads(context).flatMap((workload) => {
      const spot = placementsOf(context, workload).filter(({ capacityTypes }) => capacityTypes.includes('spot'));
      const pools = [...new Set(spot.flatMap(({ nodePool }) => byName.get(nodePool ?? '') ?? []))];
      if (pools.length === 0 || workload.shape === undefined) return [];
      const first = choices.for(workload.shape, pools[0], ENOUGH_TYPES);
      if (first.instanceTypes.length >= ENOUGH_TYPES && first.zones.length > 1) return [pass(workload.object)];
      const few = this.checkTypes(workload, pools, choices, fallbacks);
      return [few ?? (context.catalog.zones.length < 2 ? undefined : checkZones(workload, wide, choices, fallbacks)) ?? pass(workload.object)];
    });
  }

  private checkTypes(workload: WorkloadManifest, pools: readonly Pool[], choices: SpotChoices, fallbacks: OnDemandFallbacks): Outcome | undefined {
    const { object, podPath } = workload;
    const shape = workload.shape!;
    if (pools.some((pool) => choices.for(shape, pool, ENOUGH_TYPES).instanceTypes.length >= ENOUGH_TYPES)) return undefined;
    const choice = union(pools.map((pool) => choices.for(shape, pool)));
    const types = choice.instanceTypes.length;
    if (types >= ENOUGH_TYPES) return undefined;
    return fail({
      object,
      path: podPath,
      message: `has room on ${describe(choice)} on spot, by its requests and constraints, in NodePool ${joinNames(pools.map(({ name }) => name))}: `
        + 'EC2 takes so few back, or is out of them, all at a time',
      remedy: `ask for less in each pod and run more of them, or constrain them less${orOnDemand(fallbacks.for(shape), ';')}`,
      evidence: { ...evidenceOf(choice), nodePools: pools.map(({ name }) => name) },
      severity: severityOf(types, fallbacks.for(shape).exists === 'no'),
    });
  }
}

/** NodePools for one zone each are as good as one for all: what counts is where the pods may go. */
function checkZones(
  { object, podPath, shape }: WorkloadManifest, pools: readonly Pool[], choices: SpotChoices, fallbacks: OnDemandFallbacks,
): Outcome | undefined {
  const some = union(pools.map((pool) => choices.for(shape!, pool, ENOUGH_TYPES)));
  if (some.zones.length > 1) return undefined;
  const choice = union(pools.map((pool) => choices.for(shape!, pool)));
  if (choice.zones.length !== 1) return undefined;
  const [zone] = choice.zones;
  return fail({
    object,
    path: podPath,
    message: `has room on spot in ${zone} alone, of all zones, by its constraints and those of the NodePools: when EC2 is short of spot there, it takes back all of them`,
    remedy: `let the NodePools and the pods use further zones${orOnDemand(fallbacks.for(shape!), ',')}`,
    evidence: evidenceOf(choice),
  });
}

/** No advice for pods that may do so already. */
function orOnDemand({ exists }: Fallback, mark: ',' | ';'): string {
  return exists === 'yes' ? '' : `${mark} or let them run on demand too`;
}

/** Whether pods of it have nowhere else to go. */
function isOnlyWay(pool: Pool, workloads: readonly WorkloadManifest[], fallbacks: OnDemandFallbacks): boolean {
  return isSpotAlone(pool) && workloads.some(({ shape }) => shape !== undefined && fallbacks.for(shape).exists === 'no');
}

/** Where there is something else to launch, little is lost. */
function severityOf(types: number, onlyWay: boolean): Severity {
  return types < FEWEST_TYPES && onlyWay ? 'error' : 'warning';
}

function describe({ instanceTypes, zones }: SpotChoice): string {
  return `${count(instanceTypes.length, 'instance type')} (${someNames(instanceTypes, 3)}) in ${count(zones.length, 'zone')}`;
}

function evidenceOf({ instanceTypes, zones }: SpotChoice): Readonly<Record<string, unknown>> {
  return { instanceTypes: instanceTypes.length, zones, wanted: ENOUGH_TYPES };
}

function union(choices: readonly SpotChoice[]): SpotChoice {
  const all = (pick: (choice: SpotChoice) => readonly string[]) => [...new Set(choices.flatMap(pick))];
  return { instanceTypes: all(({ instanceTypes }) => instanceTypes), zones: all(({ zones }) => zones).sort() };
}
