import { ScenarioReport } from '../../../disruption';
import { LIST_ALL, withoutControlCharacters } from '../wording';
import { isAffected } from './workloads';

/** The parts of a `ScenarioResult` that are printed. */
export interface ScenarioReports {
  readonly reports: readonly ScenarioReport[];
  readonly assumptions: readonly string[];
  readonly notEvaluated: readonly string[];
  /** Of several scenarios, those without a report. @default - a single scenario was requested */
  readonly notSimulated?: ReadonlyArray<{ readonly scenario: string; readonly why: string }>;
  /** The currency of all prices; null if prices are unknown. @default 'USD' */
  readonly currency?: string | null;
}

/** Only the printed parts, with printable characters. */
export function printableReports({
  reports,
  assumptions,
  notEvaluated,
  notSimulated,
  currency,
}: ScenarioReports): ScenarioReports {
  return withoutControlCharacters({ reports, assumptions, notEvaluated, notSimulated, currency });
}

/** The reports of each scenario, in the order of the scenarios. */
export function groupByScenario(reports: readonly ScenarioReport[]): ScenarioReport[][] {
  const names = [...new Set(reports.map(({ scenario }) => scenario))];
  return names.map((name) => reports.filter(({ scenario }) => scenario === name));
}

/** The most reports of one scenario that are printed: about the number of nodes in a small cluster. */
const MAX_REPORTS = 12;

/** What can go wrong, most severe first, with a measure for one report. */
const SEVERITIES: ReadonlyArray<{ readonly what: string; readonly measure: (report: ScenarioReport) => number }> = [
  { what: 'pods stay pending or are lost', measure: ({ pending, lost }) => pending.length + lost.length },
  { what: 'a node or pod is stuck', measure: ({ stuck }) => stuck.length },
  {
    what: 'a workload temporarily has no ready pod',
    measure: ({ workloads }) =>
      workloads.filter((workload) => isAffected(workload) && workload.lowestReady === 0).length,
  },
  {
    what: 'a workload is temporarily below its PodDisruptionBudget',
    measure: ({ workloads }) => workloads.reduce((sum, { secondsBelowBudget = 0 }) => sum + secondsBelowBudget, 0),
  },
];

export interface MostSevereReports {
  /** Counts over all reports; empty if all reports are printed. */
  readonly summary: readonly string[];
  readonly printed: readonly ScenarioReport[];
}

/** Few reports are printed in their order. Of many reports, the most severe ones are printed. */
export function mostSevere(reports: readonly ScenarioReport[]): MostSevereReports {
  if (reports.length <= MAX_REPORTS) return { summary: [], printed: reports };
  const ranked = reports.map((report) => ({ report, measures: SEVERITIES.map(({ measure }) => measure(report)) }));
  const counts = SEVERITIES.map(({ what }, index) => ({
    what,
    count: ranked.filter(({ measures }) => measures[index] > 0).length,
  })).filter(({ count }) => count > 0);
  const [{ scenario }] = reports;
  return {
    summary: [
      `${scenario}, ${reports.length} times: the ${MAX_REPORTS} most severe${LIST_ALL}`,
      ...counts.map(({ what, count }) => `  in ${count} of them, ${what}`),
      ...(counts.length === 0 ? ['  in none of them, a workload loses all ready pods or a pod stays pending'] : []),
    ],
    printed: ranked
      .sort((left, right) => bySeverity(left.measures, right.measures))
      .slice(0, MAX_REPORTS)
      .map(({ report }) => report),
  };
}

/** The first measure that differs decides. */
function bySeverity(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((amount, position) => amount !== right[position]);
  return index < 0 ? 0 : right[index] - left[index];
}
