import { cronRunsOf } from './cron-runs';
import { consolidationOf, stageOf } from './simulated';
import { runScenario, workloadKey } from '../../../disruption';
import { WorkloadManifest } from '../../manifest/model';
import { RuleContext } from '../rule';

/** More CronJobs of one NodePool than these are not played. */
const MOST_CRON_JOBS = 5;

/** What consolidation does between two runs of a CronJob, as `--scenario job-end` tells. */
export interface BetweenRuns {
  readonly cronJob: string;
  /** Nodes that there are while its pods run, once Karpenter has nothing more to do. */
  readonly nodesWith: number;
  /** The same when its pods have ended. */
  readonly nodesWithout: number;
  /** Whole seconds from their end until it has come to that. */
  readonly seconds: number;
  readonly runsPerDay: number;
}

/** Of the CronJobs of a NodePool the one with which most nodes come and go in a day; undefined where none do, or it is not known. */
export function mostBetweenRuns(context: RuleContext, workloads: readonly WorkloadManifest[]): BetweenRuns | undefined {
  const jobs = workloads.filter(({ kind, running = 0 }) => kind === 'CronJob' && running === 0);
  if (jobs.length > MOST_CRON_JOBS) return undefined;
  const changes = ({ nodesWith, nodesWithout, runsPerDay }: BetweenRuns) => (nodesWith - nodesWithout) * runsPerDay;
  return jobs.flatMap((job) => betweenRuns(context, job) ?? []).sort((left, right) => changes(right) - changes(left))[0];
}

function betweenRuns(context: RuleContext, job: WorkloadManifest): BetweenRuns | undefined {
  const stage = stageOf(context);
  const runs = cronRunsOf(job);
  const busy = stage && runs && consolidationOf(context);
  if (!busy) return undefined;
  const jobs = [workloadKey(job.namespace, { kind: 'Job', name: job.name })];
  const [idle] = runScenario('job-end', stage.cluster, { start: stage.start, jobs });
  const [nodesWith, nodesWithout, { seconds, unfinished }] = [busy.after.nodes, idle.after.nodes, idle];
  if (unfinished || nodesWithout >= nodesWith || seconds * 1000 >= runs.shortestGap) return undefined;
  return { cronJob: job.name, nodesWith, nodesWithout, seconds, runsPerDay: runs.perDay };
}
