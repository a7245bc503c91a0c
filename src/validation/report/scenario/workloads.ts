import { WorkloadReport } from '../../../disruption';
import { countText, moreText, numberText, roundedDurationText } from '../../../model';
import { LIST_ALL } from '../wording';

/** The most workloads that are printed one by one. */
const MAX_WORKLOADS = 20;

/**
 * Few workloads in name order. Of many, the most affected first, and a summary of the others. @param about a workload
 * that is always printed
 */
export function describeWorkloads(workloads: readonly WorkloadReport[], about?: string): string[] {
  const { printed, summary } = selectWorkloads(workloads, about);
  return [...printed.map(describeWorkload), ...summary.map((line) => `  ${line}`)];
}

interface SelectedWorkloads {
  readonly printed: readonly WorkloadReport[];
  /** About the workloads that are not printed. */
  readonly summary: readonly string[];
}

/** The workloads to print one by one, and a summary of the others. */
export function selectWorkloads(workloads: readonly WorkloadReport[], about?: string): SelectedWorkloads {
  if (workloads.length <= MAX_WORKLOADS) return { printed: workloads, summary: [] };
  const affected = workloads
    .filter((workload) => isAffected(workload) || workload.workload === about)
    .sort(
      (left, right) =>
        Number(right.workload === about) - Number(left.workload === about) ||
        readyShare(left) - readyShare(right) ||
        below(right) - below(left),
    );
  const summary = [
    ...summarizeAffected(affected.slice(MAX_WORKLOADS)),
    ...summarizeUnaffected(workloads.length - affected.length, affected.length > 0),
  ];
  return { printed: affected.slice(0, MAX_WORKLOADS), summary };
}

/** Whether the scenario evicts pods of the workload, or makes some unready. */
export function isAffected(workload: WorkloadReport): boolean {
  return workload.evictions > 0 || workload.lowestReady < workload.replicas || below(workload) > 0;
}

function describeWorkload(report: WorkloadReport): string {
  const { workload, replicas, lowestReady, evictions } = report;
  return (
    `  ${workload}: at least ${numberText(lowestReady)} of ${countText(replicas, 'pod')} ready, ${countText(evictions, 'eviction')}` +
    (below(report) > 0 ? `, below its PodDisruptionBudget for ${roundedDurationText(below(report))}` : '')
  );
}

function summarizeAffected(workloads: readonly WorkloadReport[]): string[] {
  if (workloads.length === 0) return [];
  const belowBudget = workloads.filter((workload) => below(workload) > 0).length;
  const budgets = belowBudget === 0 ? '' : `, ${belowBudget} of them temporarily below their PodDisruptionBudget`;
  const down = workloads.filter((workload) => readyShare(workload) === 0).length;
  const ready =
    down > 0
      ? `${down} of them temporarily without a ready pod`
      : `each at least ${Math.floor(100 * Math.min(...workloads.map(readyShare)))}% ready`;
  return [`and ${moreText(workloads.length, 'workload')}, ${ready}${budgets}${LIST_ALL}`];
}

function summarizeUnaffected(count: number, areOthersAffected: boolean): string[] {
  const other = areOthersAffected ? 'other ' : '';
  return count === 0
    ? []
    : [
        `${countText(count, `${other}workload loses no pod and stays`, `${other}workloads lose no pod and stay`)} ready`,
      ];
}

function readyShare({ lowestReady, replicas }: WorkloadReport): number {
  return replicas === 0 ? 1 : lowestReady / replicas;
}

function below({ secondsBelowBudget = 0 }: WorkloadReport): number {
  return secondsBelowBudget;
}
