import { clock, plural } from './section';
import { WorkloadStory } from '../../disruption';

/** Of more workloads those that fare worst are told. */
const MOST_WORKLOADS = 20;

/** In the order of their names; of many the worst first, and the others in figures. @param about - the one that must be told */
export function describeWorkloads(workloads: readonly WorkloadStory[], about?: string): string[] {
  const { told, others } = toldWorkloads(workloads, about);
  return [...told.map(describeWorkload), ...others.map((line) => `  ${line}`)];
}

interface ToldWorkloads {
  readonly told: readonly WorkloadStory[];
  readonly others: readonly string[];
}

/** Those that are told each by itself, and what is said of the others. */
export function toldWorkloads(workloads: readonly WorkloadStory[], about?: string): ToldWorkloads {
  if (workloads.length <= MOST_WORKLOADS) return { told: workloads, others: [] };
  const hit = workloads.filter((story) => isHit(story) || story.workload === about).sort((left, right) =>
    Number(right.workload === about) - Number(left.workload === about) || readyShare(left) - readyShare(right) || below(right) - below(left));
  const others = [...describeHit(hit.slice(MOST_WORKLOADS)), ...describeOthers(workloads.length - hit.length, hit.length > 0)];
  return { told: hit.slice(0, MOST_WORKLOADS), others };
}

/** Whether anything becomes of it. */
export function isHit(story: WorkloadStory): boolean {
  return story.evictions > 0 || story.lowestReady < story.replicas || below(story) > 0;
}

function describeWorkload(story: WorkloadStory): string {
  const { workload, replicas, lowestReady, evictions } = story;
  return `  ${workload}: at least ${lowestReady} of ${replicas} ready, ${plural(evictions, 'eviction')}`
    + (below(story) > 0 ? `, ${clock(below(story))} below its PodDisruptionBudget` : '');
}

function describeHit(stories: readonly WorkloadStory[]): string[] {
  if (stories.length === 0) return [];
  const belowBudget = stories.filter((story) => below(story) > 0).length;
  const budgets = belowBudget === 0 ? '' : `, ${belowBudget} of them below their PodDisruptionBudget for a while`;
  const down = stories.filter((story) => readyShare(story) === 0).length;
  const ready = down > 0 ? `${down} of them without a ready pod for a while` : `of each at least ${Math.floor(100 * Math.min(...stories.map(readyShare)))}% ready`;
  return [`and ${plural(stories.length, 'workload')} more, ${ready}${budgets}: --format json lists them all`];
}

function describeOthers(count: number, areOther: boolean): string[] {
  return count === 0 ? [] : [`of ${areOther ? plural(count, 'other workload') : plural(count, 'workload')} no pod has to go, and all stay ready`];
}

function readyShare({ lowestReady, replicas }: WorkloadStory): number {
  return replicas === 0 ? 1 : lowestReady / replicas;
}

function below({ secondsBelowBudget = 0 }: WorkloadStory): number {
  return secondsBelowBudget;
}
