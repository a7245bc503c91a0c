import { timesOf, workloadKey } from '../../disruption';
import { WorkloadManifest } from '../manifest/model';
import { whyHeldForEver } from './private/held-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { poolNamesOf } from './private/placements';
import { drainSeconds, startSeconds } from './private/pod-times';
import { disruptionsByName, PoolDisruption } from './private/pool-disruption';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { consolidationOf } from './private/simulated';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const MONTH_DAYS = 30;
const DAY_MS = 86_400_000;
/** As scenarios take them, where nothing else is said. */
const TIMES = timesOf('consolidation', {});

/** @see https://karpenter.sh/docs/concepts/disruption/ */
export class SingleReplica implements Rule {
  public readonly id = 'KARP-401';
  public readonly name = 'single-replica';
  public readonly severity = 'warning';
  public readonly summary = 'A workload runs a single pod: Karpenter launches a node in advance, but no pod, so that each move of it is an outage.';

  public check(context: RuleContext): Outcome[] {
    const pools = disruptionsByName(context);
    return servingWorkloads(context.model).map((workload) => this.checkWorkload(context, workload, pools));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest, pools: ReadonlyMap<string, PoolDisruption>): Outcome {
    const { object } = workload;
    const { pods, source, unknown } = fullHealthReplicas(context.model, workload);
    if (unknown !== undefined) return notEvaluated(object, unknown);
    if (pods !== 1 || waiverOf(workload, 'replicas') !== undefined) return pass(object);
    const from = source === undefined ? '' : ` (${source})`;
    const seconds = outageSeconds(workload);
    const own = poolNamesOf(context, workload).flatMap((name) => pools.get(name) ?? []);
    const held = whyHeldForEver(context, workload, pools);
    const evictions = held === undefined && own.some(consolidates) ? consolidationEvictions(context, workload) : undefined;
    const moves = held === undefined ? own.flatMap((pool) => movesIn(pool, evictions) ?? []) : [];
    const cause = held === undefined
      ? 'Karpenter launches the next node in advance, but evicts the pod before another one is ready, so that each consolidation, drift and expiry is an outage'
      : `${held} keeps Karpenter from moving it, but an interruption or a lost node is an outage all the same`;
    return fail({
      object,
      path: ['spec', 'replicas'],
      message: `runs 1 pod${from}: ${cause}, of ${seconds} s where a pod ${startText(workload)}${moves.length === 0 ? '' : `; ${joinNames(moves)}`}`,
      remedy: 'run at least 2 replicas with a PodDisruptionBudget of maxUnavailable: 1, or say that one is enough in the annotation '
        + 'resilience.karpenter-constructs.dev/replicas: "off: <reason>"',
      evidence: {
        replicas: pods,
        source: source ?? null,
        outageSeconds: seconds,
        expiriesPerMonth: own.map(({ name, expireAfter }) =>
          ({ nodePool: name, expiries: held === undefined && expireAfter ? expiriesPerMonth(expireAfter) : 0 })),
        consolidationEvictions: evictions ?? null,
      },
    });
  }
}

/** The pod of a StatefulSet is only made when the one before is gone. */
function outageSeconds(workload: WorkloadManifest): number {
  const stop = workload.kind === 'StatefulSet' ? Math.min(TIMES.podStop, drainSeconds(workload)) : 0;
  return stop + podStart(workload);
}

/** Images and what an application does first no manifest tells. */
function podStart(workload: WorkloadManifest): number {
  return Math.max(TIMES.podStart, startSeconds(workload));
}

function startText(workload: WorkloadManifest): string {
  return workload.kind === 'StatefulSet'
    ? `ends within ${Math.min(TIMES.podStop, drainSeconds(workload))} s and starts within ${podStart(workload)} s`
    : `starts within ${podStart(workload)} s`;
}

/** How often consolidation of the planned cluster takes it; undefined where that is not known, or it is not alone. */
function consolidationEvictions(context: RuleContext, { kind, namespace, name }: WorkloadManifest): number | undefined {
  const key = workloadKey(namespace, { kind, name });
  const story = consolidationOf(context)?.workloads.find(({ workload }) => workload === key);
  return story?.replicas === 1 ? story.evictions : undefined;
}

/** How often its node goes, where that is known. */
function movesIn(pool: PoolDisruption, evictions: number | undefined): string | undefined {
  const { name, expireAfter, expireAfterText } = pool;
  const ways = [
    ...consolidates(pool) ? [`consolidates whenever that saves something${simulatedText(evictions)}`] : [],
    ...expireAfter ? [`ends each node after ${expireAfterText} (${timesText(expiriesPerMonth(expireAfter))} in ${MONTH_DAYS} days)`] : [],
  ];
  return ways.length === 0 ? undefined : `NodePool ${name} ${joinNames(ways)}`;
}

function consolidates({ consolidateAfter, consolidationPolicy }: PoolDisruption): boolean {
  return consolidateAfter !== undefined && consolidationPolicy !== 'WhenEmpty';
}

function simulatedText(evictions: number | undefined): string {
  if (evictions === undefined) return '';
  return evictions === 0 ? ' (simulated: it leaves the pod where it is)' : ` (simulated: of the planned cluster it evicts the pod ${count(evictions, 'time')})`;
}

function expiriesPerMonth(expireAfter: number): number {
  return Math.round(MONTH_DAYS * DAY_MS / expireAfter * 100) / 100;
}

function timesText(times: number): string {
  return times < 0.01 ? 'less than 0.01 times' : count(times, 'time');
}
