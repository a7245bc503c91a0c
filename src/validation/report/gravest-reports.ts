import { isHit } from './workload-stories';
import { ScenarioReport } from '../../disruption';

/** As many as the nodes of a small cluster: of more, these are told. */
const MOST_REPORTS = 12;

/** What can become of pods, the gravest first, and how much of it a report has. */
const GRAVITIES: ReadonlyArray<{ readonly what: string; readonly of: (report: ScenarioReport) => number }> = [
  { what: 'pods have no node in the end, or are lost', of: ({ pending, lost }) => pending.length + lost.length },
  { what: 'something is stuck', of: ({ stuck }) => stuck.length },
  { what: 'a workload has no pod ready for a while', of: ({ workloads }) => workloads.filter((story) => isHit(story) && story.lowestReady === 0).length },
  {
    what: 'a workload has fewer pods ready than its PodDisruptionBudget is to keep',
    of: ({ workloads }) => workloads.reduce((sum, { secondsBelowBudget = 0 }) => sum + secondsBelowBudget, 0),
  },
];

export interface GravestReports {
  /** What becomes of all, where not all are told. */
  readonly summary: readonly string[];
  readonly told: readonly ScenarioReport[];
}

/** Few are told as they come. Of many, as of each node by itself, those that nobody must miss. */
export function gravestOf(reports: readonly ScenarioReport[]): GravestReports {
  if (reports.length <= MOST_REPORTS) return { summary: [], told: reports };
  const ranked = reports.map((report) => ({ report, gravity: GRAVITIES.map(({ of }) => of(report)) }));
  const counts = GRAVITIES.map(({ what }, at) => ({ what, count: ranked.filter(({ gravity }) => gravity[at] > 0).length }))
    .filter(({ count }) => count > 0);
  const [{ scenario }] = reports;
  return {
    summary: [
      `${scenario}, ${reports.length} times: the ${MOST_REPORTS} gravest are told, --format json has them all`,
      ...counts.map(({ what, count }) => `  in ${count} of them ${what}`),
      ...counts.length === 0 ? ['  in none of them is a workload without a ready pod, or a pod without a node in the end'] : [],
    ],
    told: ranked.sort((left, right) => graver(left.gravity, right.gravity)).slice(0, MOST_REPORTS).map(({ report }) => report),
  };
}

/** The first difference decides. */
function graver(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((amount, index) => amount !== right[index]);
  return at < 0 ? 0 : right[at] - left[at];
}
