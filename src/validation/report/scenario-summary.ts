import { clock, formatUsd, plural } from './section';
import { scenariosOf, Told } from './told';
import { isHit } from './workload-stories';
import { ScenarioReport, WorkloadStory } from '../../disruption';

/** What comes of a scenario, in few words. */
export interface ScenarioSummary {
  readonly scenario: string;
  /** How many things can happen of its kind, each with a report. */
  readonly times: number;
  /** As the head has them, after the scenario; where nothing is played why. */
  readonly cells: readonly string[];
}

export const SUMMARY_HEAD = ['Scenario', 'Nodes', 'USD per hour', 'Takes', 'What becomes of it'];
const GAP = '  ';

/** Those that are played, then those of which nothing can happen. */
export function summariesOf({ reports, notPlayed = [] }: Told): ScenarioSummary[] {
  return [
    ...scenariosOf(reports).map(summaryOf),
    ...notPlayed.map(({ scenario, why }) => ({ scenario, times: 0, cells: [`nothing to play: ${why}`] })),
  ];
}

/** `zone-outage, 3 times`. */
export function nameOf({ scenario, times }: ScenarioSummary): string {
  return times > 1 ? `${scenario}, ${times} times` : scenario;
}

/** Lines with columns, the last as long as it is. */
export function summaryTable(told: Told): string[] {
  const rows = [SUMMARY_HEAD, ...summariesOf(told).map((summary) => [`${GAP}${nameOf(summary)}`, ...summary.cells])];
  const widths = SUMMARY_HEAD.map((_, at) => Math.max(...rows.map((row) => at === row.length - 1 ? 0 : row[at]?.length ?? 0)));
  return rows.map((row) => row.map((cell, at) => cell.padEnd(at === row.length - 1 ? 0 : widths[at])).join(GAP));
}

function summaryOf(reports: readonly ScenarioReport[]): ScenarioSummary {
  const [{ scenario, before }] = reports;
  const afters = reports.map(({ after }) => after);
  const seconds = clock(Math.max(...reports.map((report) => report.seconds)));
  const takes = isTimeless(reports) ? '' : reports.some(({ unfinished }) => unfinished) ? `over ${seconds}` : seconds;
  const nodes = fromTo(before.nodes, afters.map((after) => after.nodes), String);
  const usdPerHour = fromTo(before.usdPerHour, afters.map((after) => after.usdPerHour), formatUsd);
  return { scenario, times: reports.length, cells: [nodes, usdPerHour, takes, outcomeOf(reports)] };
}

function fromTo(before: number, afters: readonly number[], format: (amount: number) => string): string {
  const [least, most] = [Math.min(...afters), Math.max(...afters)].map(format);
  const after = least === most ? least : `${least} to ${most}`;
  return after === format(before) ? after : `${format(before)} -> ${after}`;
}

/** The gravest first. */
function outcomeOf(reports: readonly ScenarioReport[]): string {
  const parts = [
    ...atMost(reports.map(({ pending }) => pending.length), (count) => `${plural(count, 'pod')} ${count === 1 ? 'has' : 'have'} no node in the end`),
    ...atMost(reports.map(({ lost }) => lost.length), (count) => `${plural(count, 'pod')} ${count === 1 ? 'is' : 'are'} lost`),
    ...atMost(reports.map(stuckNodes), (count) => `${plural(count, 'node')} ${count === 1 ? 'is' : 'are'} stuck`),
    ...isTimeless(reports) ? [] : readiness(reports.flatMap(({ workloads }) => workloads).filter((story) => isHit(story) && story.replicas > 0)),
  ];
  return parts.length === 0 ? 'all pods have a node' : parts.join('; ');
}

/** Of several reports the one with the most counts. */
function atMost(counts: readonly number[], tell: (count: number) => string): string[] {
  const [count, least] = [Math.max(...counts), Math.min(...counts)];
  if (count === 0) return [];
  return [`${least < count ? 'up to ' : ''}${tell(count)}${least === count && counts.length > 1 ? ' each time' : ''}`];
}

/** Pods that are stuck have no node, and are told so. */
function stuckNodes({ stuck }: ScenarioReport): number {
  return stuck.filter(({ what }) => what.startsWith('node ')).length;
}

function isTimeless(reports: readonly ScenarioReport[]): boolean {
  return reports.every(({ course }) => course.length === 0);
}

function readiness(stories: readonly WorkloadStory[]): string[] {
  if (stories.length === 0) return ['all pods stay ready'];
  const below = namesOf(stories.filter(({ secondsBelowBudget = 0 }) => secondsBelowBudget > 0));
  const budgets = below.length === 0 ? [] : [`${several(below, 'is below its', 'are below their')} PodDisruptionBudget for a while`];
  const down = namesOf(stories.filter(({ lowestReady }) => lowestReady === 0));
  if (down.length > 0) return [`${several(down, 'has', 'have')} no pod ready for a while`, ...budgets];
  const share = ({ lowestReady, replicas }: WorkloadStory) => lowestReady / replicas;
  const { workload, lowestReady, replicas } = stories.reduce((worst, story) => share(story) < share(worst) ? story : worst);
  return [`${workload} has ${lowestReady} of ${replicas} pods ready at the least`, ...budgets];
}

function namesOf(stories: readonly WorkloadStory[]): string[] {
  return [...new Set(stories.map(({ workload }) => workload))];
}

function several(names: readonly string[], does: string, doEach: string): string {
  return names.length === 1 ? `${names[0]} ${does}` : `${names.length} workloads ${doEach}`;
}
