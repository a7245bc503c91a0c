import { timesOf } from '../../disruption';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { poolNamesOf } from './private/placements';
import { drainSeconds, startSeconds } from './private/pod-times';
import { disruptionsByName, PoolDisruption } from './private/pool-disruption';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const YEAR_MS = 365 * 86_400_000;
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
    const moves = poolNamesOf(context, workload).flatMap((name) => movesIn(pools.get(name)) ?? []);
    return fail({
      object,
      path: ['spec', 'replicas'],
      message: `runs 1 pod${from}: Karpenter launches the next node in advance, but evicts the pod before another one is ready, `
        + `so that each consolidation, drift and expiry is an outage, of ${seconds} s where a pod ${startText(workload)}${moves.length === 0 ? '' : `; ${joinNames(moves)}`}`,
      remedy: 'run at least 2 replicas with a PodDisruptionBudget of maxUnavailable: 1, or say that one is enough in the annotation '
        + 'resilience.karpenter-constructs.dev/replicas: "off: <reason>"',
      evidence: { replicas: pods, source: source ?? null, outageSeconds: seconds },
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

/** How often its node goes, where that is known. */
function movesIn(pool: PoolDisruption | undefined): string | undefined {
  if (!pool) return undefined;
  const { name, consolidateAfter, consolidationPolicy, expireAfter, expireAfterText } = pool;
  const ways = [
    ...consolidateAfter !== undefined && consolidationPolicy !== 'WhenEmpty' ? ['consolidates whenever that saves something'] : [],
    ...expireAfter !== undefined && expireAfter > 0 ? [`ends each node after ${expireAfterText}, ${Math.floor(YEAR_MS / expireAfter)} times a year`] : [],
  ];
  return ways.length === 0 ? undefined : `NodePool ${name} ${joinNames(ways)}`;
}
