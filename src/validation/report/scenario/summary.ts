import { groupByScenario, ScenarioReports } from './scenario-reports';
import { isAffected } from './workloads';
import { ScenarioReport, WorkloadReport } from '../../../disruption';
import {
  changeText,
  countText,
  hourlyPriceCell,
  hourlyPriceUnit,
  numberText,
  roundedDurationText,
} from '../../../model';

/** One row of the table that summarizes several scenarios. */
export interface ScenarioSummary {
  readonly scenario: string;
  /** How often the scenario was simulated, for example once for each zone. */
  readonly times: number;
  /** The cells after the scenario, or the reason why it is not simulated. */
  readonly cells: readonly string[];
}

/** The heads of the columns. */
export function summaryHead({ currency }: ScenarioReports): string[] {
  return ['Scenario', 'Nodes', hourlyPriceUnit(currency ?? undefined), 'Duration', 'Impact'];
}

const GAP = '  ';

/** Simulated scenarios first, then scenarios that cannot happen here. */
export function summarizeScenarios({ reports, notSimulated = [], currency }: ScenarioReports): ScenarioSummary[] {
  return [
    ...groupByScenario(reports).map((group) => summaryOf(group, currency === null)),
    ...notSimulated.map(({ scenario, why }) => ({ scenario, times: 0, cells: [`nothing to simulate: ${why}`] })),
  ];
}

/** `zone-outage, 3 times`. */
export function summaryTitle({ scenario, times }: ScenarioSummary): string {
  return times > 1 ? `${scenario}, ${times} times` : scenario;
}

/** The summaries as aligned lines of text. The last column is not padded. */
export function summaryTable(reports: ScenarioReports): string[] {
  const head = summaryHead(reports);
  const rows = [
    head,
    ...summarizeScenarios(reports).map((summary) => [`${GAP}${summaryTitle(summary)}`, ...summary.cells]),
  ];
  const widths = head.map((_, column) =>
    Math.max(...rows.map((row) => (column === row.length - 1 ? 0 : (row[column]?.length ?? 0)))),
  );
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : widths[column])).join(GAP),
  );
}

function summaryOf(reports: readonly ScenarioReport[], isPriceUnknown: boolean): ScenarioSummary {
  const [{ scenario, before }] = reports;
  const afters = reports.map(({ after }) => after);
  const seconds = roundedDurationText(Math.max(...reports.map((report) => report.seconds)));
  const duration = isTimeless(reports)
    ? ''
    : reports.some(({ unfinished }) => unfinished)
      ? `over ${seconds}`
      : seconds;
  const nodes = fromTo(
    before.nodes,
    afters.map((after) => after.nodes),
    numberText,
  );
  const prices = isPriceUnknown
    ? hourlyPriceCell(null)
    : fromTo(
        before.usdPerHour,
        afters.map((after) => after.usdPerHour),
        hourlyPriceCell,
      );
  return { scenario, times: reports.length, cells: [nodes, prices, duration, impactOf(reports)] };
}

function fromTo(before: number, afters: readonly number[], format: (amount: number) => string): string {
  const [lowest, highest] = [Math.min(...afters), Math.max(...afters)].map(format);
  return changeText(format(before), lowest === highest ? lowest : `${lowest} to ${highest}`);
}

/** The most severe impact first. */
function impactOf(reports: readonly ScenarioReport[]): string {
  const affected = reports.flatMap(({ workloads }) => workloads).filter(isAffected);
  const parts = [
    ...upTo(
      reports.map(({ pending }) => pending.length),
      (count) => `${countText(count, 'pod stays', 'pods stay')} pending`,
    ),
    ...upTo(
      reports.map(({ lost }) => lost.length),
      (count) => `${countText(count, 'pod is', 'pods are')} lost`,
    ),
    ...upTo(reports.map(stuckNodes), (count) => `${countText(count, 'node is', 'nodes are')} stuck`),
    ...(isTimeless(reports) ? [] : readiness(affected.filter(({ replicas }) => replicas > 0))),
  ];
  return parts.length === 0 ? 'all pods have a node' : parts.join('; ');
}

/** The highest count of several reports. */
function upTo(counts: readonly number[], describe: (count: number) => string): string[] {
  const [highest, lowest] = [Math.max(...counts), Math.min(...counts)];
  if (highest === 0) return [];
  return [
    `${lowest < highest ? 'up to ' : ''}${describe(highest)}${lowest === highest && counts.length > 1 ? ' each time' : ''}`,
  ];
}

/** Stuck pods are counted as pending. */
function stuckNodes({ stuck }: ScenarioReport): number {
  return stuck.filter(({ what }) => what.startsWith('node ')).length;
}

function isTimeless(reports: readonly ScenarioReport[]): boolean {
  return reports.every(({ timeSeries }) => timeSeries.length === 0);
}

function readiness(workloads: readonly WorkloadReport[]): string[] {
  if (workloads.length === 0) return ['all pods stay ready'];
  const below = namesOf(workloads.filter(({ secondsBelowBudget = 0 }) => secondsBelowBudget > 0));
  const budgets =
    below.length === 0
      ? []
      : [`${several(below, 'is temporarily below its', 'are temporarily below their')} PodDisruptionBudget`];
  const down = namesOf(workloads.filter(({ lowestReady }) => lowestReady === 0));
  if (down.length > 0) return [`${several(down, 'temporarily has', 'temporarily have')} no ready pod`, ...budgets];
  const share = ({ lowestReady, replicas }: WorkloadReport) => lowestReady / replicas;
  const { workload, lowestReady, replicas } = workloads.reduce((worst, candidate) =>
    share(candidate) < share(worst) ? candidate : worst,
  );
  return [`${workload} drops to ${numberText(lowestReady)} of ${countText(replicas, 'ready pod')}`, ...budgets];
}

function namesOf(workloads: readonly WorkloadReport[]): string[] {
  return [...new Set(workloads.map(({ workload }) => workload))];
}

function several(names: readonly string[], singular: string, pluralForm: string): string {
  return names.length === 1 ? `${names[0]} ${singular}` : `${countText(names.length, 'workload')} ${pluralForm}`;
}
