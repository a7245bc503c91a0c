import { workloadKey, runScenario } from '../../../../disruption';
import { CronSchedule, memoizeByIdentity } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { RuleContext } from '../../rule';
import { simulationInputOf, simulatedConsolidation } from '../simulations';

/** Five weeks: a monthly schedule fires at least once. */
const START = Date.UTC(2024, 0, 1);
const END = Date.UTC(2024, 1, 5);
const DAYS = (END - START) / 86_400_000;

/** More CronJobs in one NodePool are not simulated. */
const MAX_CRON_JOBS = 5;

/** How often a CronJob runs; gaps are in milliseconds. */
export interface CronRuns {
  readonly longestGap: number;
  readonly shortestGap: number;
  readonly perDay: number;
}

/** Undefined if the CronJob is suspended, does not run every month, or has no valid schedule. */
export const cronRunsOf = memoizeByIdentity(({ kind, object }: WorkloadManifest): CronRuns | undefined => {
  const { schedule, suspend } = object.raw?.spec ?? {};
  if (kind !== 'CronJob' || typeof schedule !== 'string' || suspend === true) return undefined;
  const times = CronSchedule.tryParse(schedule)?.firings(START, END) ?? [];
  if (times.length === 0) return undefined;
  let [longestGap, shortestGap] = [0, Infinity];
  times.forEach((time, i) => {
    const gap = (times[i + 1] ?? times[0] + END - START) - time;
    longestGap = Math.max(longestGap, gap);
    shortestGap = Math.min(shortestGap, gap);
  });
  return { longestGap, shortestGap, perDay: times.length / DAYS };
});

/** How consolidation changes the cluster between two runs of a CronJob, as `--scenario job-end` reports it. */
export interface CronJobChurn {
  readonly cronJob: string;
  /** Nodes after consolidation while the pods of a run exist. */
  readonly nodesWith: number;
  /** Nodes after consolidation when these pods have finished. */
  readonly nodesWithout: number;
  /** Whole seconds from the end of the pods until consolidation is finished. */
  readonly seconds: number;
  readonly runsPerDay: number;
}

/**
 * The CronJob of a NodePool that makes most nodes come and go in a day; undefined if none does, or if it cannot be
 * simulated.
 */
export function worstCronJobChurn(
  context: RuleContext,
  workloads: readonly WorkloadManifest[],
): CronJobChurn | undefined {
  const cronJobs = workloads.filter(({ kind, running = 0 }) => kind === 'CronJob' && running === 0);
  if (cronJobs.length > MAX_CRON_JOBS) return undefined;
  const changesPerDay = ({ nodesWith, nodesWithout, runsPerDay }: CronJobChurn) =>
    (nodesWith - nodesWithout) * runsPerDay;
  return cronJobs
    .flatMap((cronJob) => churnOf(context, cronJob) ?? [])
    .sort((left, right) => changesPerDay(right) - changesPerDay(left))[0];
}

function churnOf(context: RuleContext, cronJob: WorkloadManifest): CronJobChurn | undefined {
  const simulation = simulationInputOf(context);
  const runs = cronRunsOf(cronJob);
  const during = simulation && runs && simulatedConsolidation(context);
  if (!during) return undefined;
  const jobs = [workloadKey(cronJob.namespace, { kind: 'Job', name: cronJob.name })];
  const [afterwards] = runScenario('job-end', simulation.baseline, { start: simulation.start, jobs });
  const [nodesWith, nodesWithout, { seconds, unfinished }] = [during.after.nodes, afterwards.after.nodes, afterwards];
  if (unfinished || nodesWithout >= nodesWith || seconds * 1000 >= runs.shortestGap) return undefined;
  return { cronJob: cronJob.name, nodesWith, nodesWithout, seconds, runsPerDay: runs.perDay };
}
