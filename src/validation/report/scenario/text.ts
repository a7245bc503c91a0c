import { createColors } from 'picocolors';
import { NodeMix, RolloutCost, ScenarioReport, TimelineEntry } from '../../../disruption';
import {
  clockText,
  countText,
  hourlyAmountText,
  hourlyPriceText,
  listText,
  moreText,
  numberText,
  roundedDurationText,
  shortListText,
  stepsText,
} from '../../../model';
import { groupSimilar } from '../similar';
import { Colors, omittedText, Section, TextOptions } from '../wording';
import { groupByScenario, mostSevere, printableReports, ScenarioReports } from './scenario-reports';
import { describeStays } from './stays';
import { summaryTable } from './summary';
import { describeWorkloads } from './workloads';

/** The most names in one line. */
const MAX_NAMES = 3;
/** The most lines of a timeline. */
const MAX_TIMELINE_LINES = 40;
/** The part of a timeline entry before its subject, and the part after it. */
const AROUND_SUBJECT = /^(EC2 will take )?(?:[A-Z]\w+ )?\S+( .*)$/s;

/** Printed for a scenario without any report. */
export const CANNOT_HAPPEN = 'Nothing to simulate: this scenario affects nothing here.';

export interface ScenariosTextOptions extends TextOptions {
  /**
   * Kind, namespace and name of a workload that is printed in any case. @default - the most affected workloads are
   * printed
   */
  readonly about?: string;
}

/**
 * The reports of scenarios as text: of each scenario first its workloads, then stuck nodes and pending pods, then the
 * timeline.
 */
export function renderScenariosText(
  result: ScenarioReports,
  { color = false, about }: ScenariosTextOptions = {},
): string {
  const printable = printableReports(result);
  const colors = createColors(color);
  const none = printable.reports.length === 0 && printable.notSimulated === undefined ? [CANNOT_HAPPEN] : [];
  const summary = printable.notSimulated ? [tableText(printable, colors)] : [];
  const blocks = groupByScenario(printable.reports).flatMap((reports) =>
    reportBlocks(reports, colors, printable, about),
  );
  const notes = notesSections(printable).map(({ title, lines }) => [colors.bold(title), ...lines].join('\n'));
  return `${[...none, ...summary, ...blocks, ...notes].join('\n\n')}\n`;
}

function tableText(reports: ScenarioReports, colors: Colors): string {
  const [head, ...lines] = summaryTable(reports);
  return [colors.bold(head), ...lines].join('\n');
}

/** One block for each printed report of a scenario. Many reports start with a summary of all. */
export function reportBlocks(
  reports: readonly ScenarioReport[],
  colors: Colors,
  result: Pick<ScenarioReports, 'currency'>,
  about?: string,
): string[] {
  const {
    summary: [heading, ...counts],
    printed,
  } = mostSevere(reports);
  const summary = heading === undefined ? [] : [[colors.bold(heading), ...counts].join('\n')];
  return [
    ...summary,
    ...printed.map((report) =>
      [colors.bold(scenarioTitle(report, result)), ...bodyOf(report, result, about)].join('\n'),
    ),
  ];
}

/** What is not evaluated, and the assumptions: they hold for all reports. */
export function notesSections({
  notEvaluated,
  assumptions,
}: Pick<ScenarioReports, 'notEvaluated' | 'assumptions'>): Section[] {
  const sections = [
    { title: 'Not evaluated', texts: notEvaluated },
    { title: 'Assumptions', texts: assumptions },
  ];
  return sections
    .filter(({ texts }) => texts.length > 0)
    .map(({ title, texts }) => ({ title, lines: texts.map((text) => `  - ${text}`) }));
}

/** `drift of node a: 2 → 1 node, $0.1000/h → $0.0500/h, done after 13 min`. */
export function scenarioTitle(report: ScenarioReport, { currency }: Pick<ScenarioReports, 'currency'>): string {
  const { scenario, subject, before, after, seconds, unfinished } = report;
  const prices =
    currency === null
      ? ''
      : `, ${stepsText(hourlyPriceText(before.usdPerHour, currency), hourlyPriceText(after.usdPerHour, currency))}`;
  const size =
    before.nodes === after.nodes && before.usdPerHour === after.usdPerHour
      ? countText(after.nodes, 'node')
      : `${stepsText(numberText(before.nodes), countText(after.nodes, 'node'))}${prices}`;
  if (scenario === 'consolidation' && report.timeline.length === 0 && !unfinished)
    return after.nodes === 0
      ? 'consolidation: there is no node'
      : `consolidation: Karpenter removes no node: ${countText(after.nodes, 'node stays', 'nodes stay')}${currency === null ? '' : `, ${hourlyPriceText(after.usdPerHour, currency)}`}`;
  return `${scenario}${subject === undefined ? '' : ` of ${subject}`}: ${size}, ${unfinished ? 'not done after' : 'done after'} ${roundedDurationText(seconds)}`;
}

function bodyOf(
  report: ScenarioReport,
  { currency }: Pick<ScenarioReports, 'currency'>,
  about: string | undefined,
): string[] {
  const { workloads, timeline, stays, fallback, rollout } = report;
  return [
    ...(stays ? describeStays(stays, currency).map((line) => `  ${line}`) : []),
    ...(rollout ? describeRollout(report, rollout, currency).map((line) => `  ${line}`) : []),
    ...(fallback ? describeFallback(fallback).map((line) => `  ${line}`) : []),
    ...describeWorkloads(workloads, about),
    ...unresolvedLines(report).map((line) => `  ${line}`),
    ...describeTimeline(timeline),
  ];
}

/** `nodes by capacity type: on-demand 2 → 5, spot 4 → 0`, and how long pods waited. */
export function describeFallback({ by, nodes, waitingPods, longestWaitSeconds }: NodeMix): string[] {
  const counts = nodes.map(
    ({ value, before, after }) => `${value} ${before === after ? after : `${before} → ${after}`}`,
  );
  return [
    `nodes by ${by}: ${counts.join(', ')}`,
    waitingPods === 0
      ? 'no pod that has a node in the end had to wait for it'
      : `${countText(waitingPods, 'pod waits', 'pods wait')} for a node, the longest ${roundedDurationText(longestWaitSeconds)}`,
  ];
}

/** The nodes that a rollout needs for a time, and how many without a surge. */
export function describeRollout(
  { before }: Pick<ScenarioReport, 'before'>,
  { launches, mostNodes, extraNodeMinutes, extraCost, seconds, isDone, withoutSurge }: RolloutCost,
  currency?: string | null,
): string[] {
  const price = currency === null ? '' : `, ${hourlyAmountText(extraCost, currency)} in all`;
  const done = isDone ? `done after ${roundedDurationText(seconds)}` : 'it never ends';
  if (launches === 0) return [`launches no node; ${done}`];
  const extra = `${numberText(Math.round(extraNodeMinutes))} node-minutes more${price}`;
  return [
    `launches ${countText(launches, 'node')}: at most ${mostNodes} instead of ${countText(before.nodes, 'node')}, ${extra}; ${done}`,
    ...(withoutSurge
      ? [
          `with maxSurge: 0 and maxUnavailable: 1: ${withoutSurge.launches === 0 ? 'no node' : countText(withoutSurge.launches, 'node')}, ${withoutSurge.isDone ? `done after ${roundedDurationText(withoutSurge.seconds)}` : 'but it never ends'}`,
        ]
      : []),
  ];
}

/** Nodes that stay stuck, and pods that stay pending or are lost, each with the reason. */
export function unresolvedLines({ pending, unplaced, lost, stuck }: ScenarioReport): string[] {
  const reasons = new Map(unplaced.flatMap(({ pods, why }) => pods.map((pod) => [pod, why])));
  return [
    ...groupBySentence(stuck.map(({ what, why, remedy }) => [what, `${why}; ${remedy}`])).map(
      ([subject, why, isPlural]) => `${subject} ${isPlural ? 'are' : 'is'} stuck: ${why}`,
    ),
    ...groupBySentence(pending.map((pod) => [`pod ${pod}`, reasons.get(pod) ?? ''])).map(
      ([subject, why, isPlural]) => `${subject} ${isPlural ? 'stay' : 'stays'} pending${why === '' ? '' : `: ${why}`}`,
    ),
    ...groupBySentence(lost.map((pod) => [`pod ${pod}`, ''])).map(
      ([subject, , isPlural]) =>
        `${subject} ${isPlural ? 'are lost: nothing recreates them' : 'is lost: nothing recreates it'}`,
    ),
  ];
}

/**
 * Joins the subjects of sentences that are equal otherwise, in the order of their first occurrence.
 *
 * @param sentences subjects such as `pod shop/web-0`, whose first word is the kind, and the rest of the sentence
 */
function groupBySentence(
  sentences: ReadonlyArray<readonly [subject: string, rest: string]>,
): Array<readonly [subject: string, rest: string, isPlural: boolean]> {
  const groups = new Map<string, { readonly kind: string; readonly rest: string; readonly names: string[] }>();
  for (const [subject, rest] of sentences) {
    const [kind, name] = [subject.slice(0, subject.indexOf(' ')), subject.slice(subject.indexOf(' ') + 1)];
    const key = `${kind} ${rest}`;
    const group = groups.get(key) ?? { kind, rest, names: [] };
    groups.set(key, group);
    group.names.push(name);
  }
  return [...groups.values()].map(({ kind, rest, names }) => {
    const list = names.length > MAX_NAMES + 1 ? shortListText(names, MAX_NAMES) : listText(names);
    return [`${kind}${names.length === 1 ? '' : 's'} ${list}`, rest, names.length > 1];
  });
}

/** One line for each event, or for many equal events of one second. */
export function describeTimeline(timeline: readonly TimelineEntry[]): string[] {
  const groups = groupSimilar(timeline, timelineKey);
  const left = groups.slice(MAX_TIMELINE_LINES).reduce((sum, { length }) => sum + length, 0);
  return [
    ...groups
      .slice(0, MAX_TIMELINE_LINES)
      .map(
        ([{ second, what }, ...others]) =>
          `    ${clockText(second).padStart(9)}  ${what}${others.length === 0 ? '' : `, and ${moreText(others.length)} like it`}`,
      ),
    ...(left > 0 ? [`    ${omittedText(left, 'event')}`] : []),
  ];
}

function timelineKey({ second, what }: TimelineEntry): string {
  const [, before = '', after = what] = AROUND_SUBJECT.exec(what) ?? [];
  return `${second} ${before}${after}`;
}
