import { CronSchedule, formatGoDuration } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { poolNamesOf } from './private/placements';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { Outcome, Rule, RuleContext } from './rule';

/** Five weeks: what runs once a month does so at least once. */
const START = Date.UTC(2024, 0, 1);
const END = Date.UTC(2024, 1, 5);

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export class ConsolidateAfterNeverReached implements Rule {
  public readonly id = 'KARP-422';
  public readonly name = 'consolidate-after-never-reached';
  public readonly severity = 'warning';
  public readonly summary = 'A CronJob comes to the NodePool more often than consolidateAfter: the nodes that take its pods are never quiet for long enough.';

  public check(context: RuleContext): Outcome[] {
    const gaps = new Map<string, number | undefined>();
    const jobs = context.model.workloads.filter(({ kind }) => kind === 'CronJob').flatMap((workload) => {
      const { schedule, suspend } = workload.object.raw?.spec ?? {};
      if (typeof schedule !== 'string' || suspend === true) return [];
      const gap = gaps.has(schedule) ? gaps.get(schedule) : longestGap(schedule);
      gaps.set(schedule, gap);
      return gap === undefined ? [] : [{ workload, gap, pools: poolNamesOf(context, workload) }];
    });
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { disruption } = pool;
      const own = jobs.filter(({ pools }) => pools.includes(disruption.name));
      if (own.length === 0 || disruption.consolidateAfter === undefined) return [];
      const often = own.find(({ gap }) => gap < disruption.consolidateAfter!);
      return [often === undefined ? pass(disruption.object) : this.finding(disruption, often.workload, often.gap)];
    });
  }

  private finding({ object, consolidateAfterText }: PoolDisruption, { name, object: job }: WorkloadManifest, gap: number): Outcome {
    const every = formatGoDuration(gap / 1000);
    return fail({
      object,
      path: ['spec', 'disruption', 'consolidateAfter'],
      message: `waits ${consolidateAfterText} after the last pod that came or went, but CronJob ${name} ("${job.raw.spec.schedule}") brings one every ${every} at the latest: `
        + 'a node that takes its pods is never consolidated',
      remedy: `write a consolidateAfter below ${every}, or let the CronJob run in a NodePool of its own`,
      evidence: { consolidateAfter: consolidateAfterText, cronJob: name, longestGapSeconds: gap / 1000 },
    });
  }
}

/** Longest time in milliseconds between two runs; undefined where it does not run every month, or nothing can be told. */
function longestGap(schedule: string): number | undefined {
  const times = CronSchedule.tryParse(schedule)?.firings(START, END) ?? [];
  if (times.length === 0) return undefined;
  return times.reduce((longest, time, i) => Math.max(longest, (times[i + 1] ?? times[0] + END - START) - time), 0);
}
