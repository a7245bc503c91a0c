import { createColors } from 'picocolors';
import { gravestOf } from './gravest-reports';
import { summaryTable } from './scenario-summary';
import { clock, Colors, formatUsd, plural, Section } from './section';
import { TextOptions } from './text';
import { describeTimeline } from './timeline-text';
import { printableTold, scenariosOf, Told } from './told';
import { describeWorkloads } from './workload-stories';
import { ScenarioReport } from '../../disruption';

/** Of those of which the same is said so many are named. */
const MOST_NAMES = 3;

export interface ScenariosTextOptions extends TextOptions {
  /** Kind, namespace and name of a workload that is told of however many there are. @default - those that fare worst */
  readonly about?: string;
}

/** The reports for people: what becomes of each workload first, then what stays as it is for ever, and what happens when. */
export function renderScenariosText(played: Told, { color = false, about }: ScenariosTextOptions = {}): string {
  const told = printableTold(played);
  const colors = createColors(color);
  const none = told.reports.length === 0 && told.notPlayed === undefined ? ['Nothing of the kind can happen here.'] : [];
  const summary = told.notPlayed ? [tableOf(told, colors)] : [];
  const blocks = scenariosOf(told.reports).flatMap((reports) => reportBlocks(reports, colors, about));
  const lists = restOf(told).map(({ title, lines }) => [colors.bold(title), ...lines].join('\n'));
  return `${[...none, ...summary, ...blocks, ...lists].join('\n\n')}\n`;
}

function tableOf(told: Told, colors: Colors): string {
  const [head, ...lines] = summaryTable(told);
  return [colors.bold(head), ...lines].join('\n');
}

/** What is told of one scenario: of many reports how they come out, and each that is told. */
export function reportBlocks(reports: readonly ScenarioReport[], colors: Colors, about?: string): string[] {
  const { summary: [ofAll, ...counts], told } = gravestOf(reports);
  const summary = ofAll === undefined ? [] : [[colors.bold(ofAll), ...counts].join('\n')];
  return [...summary, ...told.map((report) => [colors.bold(titleOf(report)), ...bodyOf(report, about)].join('\n'))];
}

/** What is said of all of it, where there is anything. */
export function restOf({ notEvaluated, assumptions }: Told): Section[] {
  const sections = [{ title: 'Not evaluated', texts: notEvaluated }, { title: 'Taken for granted', texts: assumptions }];
  return sections.filter(({ texts }) => texts.length > 0).map(({ title, texts }) => ({ title, lines: texts.map((text) => `  - ${text}`) }));
}

export function titleOf({ scenario, subject, before, after, seconds, unfinished }: ScenarioReport): string {
  const size = before.nodes === after.nodes && before.usdPerHour === after.usdPerHour ? plural(after.nodes, 'node')
    : `${before.nodes} -> ${plural(after.nodes, 'node')}, ${formatUsd(before.usdPerHour)} -> ${formatUsd(after.usdPerHour)} USD per hour`;
  return `${scenario}${subject === undefined ? '' : ` of ${subject}`}: ${size}, ${unfinished ? 'not over after' : 'over after'} ${clock(seconds)}`;
}

function bodyOf(report: ScenarioReport, about: string | undefined): string[] {
  const { workloads, timeline } = report;
  return [...describeWorkloads(workloads, about), ...endsOf(report).map((line) => `  ${line}`), ...describeTimeline(timeline)];
}

/** What stays as it is: nodes that are stuck, pods that have no node or are lost, each with why. */
export function endsOf({ pending, unplaced, lost, stuck }: ScenarioReport): string[] {
  const whys = new Map(unplaced.flatMap(({ pods, why }) => pods.map((pod) => [pod, why])));
  return [
    ...alike(stuck.map(({ what, why, remedy }) => [what, `${why}; ${remedy}`])).map(([who, why, are]) => `${who} ${are ? 'are' : 'is'} stuck: ${why}`),
    ...alike(pending.map((pod) => [`pod ${pod}`, whys.get(pod) ?? '']))
      .map(([who, why, are]) => `${who} ${are ? 'have' : 'has'} no node in the end${why === '' ? '' : `: ${why}`}`),
    ...alike(lost.map((pod) => [`pod ${pod}`, ''])).map(([who, , are]) => `${who} ${are ? 'are lost: nothing makes them' : 'is lost: nothing makes it'} again`),
  ];
}

/** Who shares the rest of a sentence, in the order in which it is first said: the kind is the first word of each; and whether it is several. */
function alike(said: ReadonlyArray<readonly [who: string, rest: string]>): Array<readonly [who: string, rest: string, several: boolean]> {
  const groups = new Map<string, { readonly kind: string; readonly rest: string; readonly names: string[] }>();
  for (const [who, rest] of said) {
    const [kind, name] = [who.slice(0, who.indexOf(' ')), who.slice(who.indexOf(' ') + 1)];
    const key = `${kind} ${rest}`;
    const group = groups.get(key) ?? { kind, rest, names: [] };
    groups.set(key, group);
    group.names.push(name);
  }
  return [...groups.values()].map(({ kind, rest, names }) => {
    const told = names.length > MOST_NAMES + 1 ? [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`] : names;
    const list = told.length === 1 ? told[0] : `${told.slice(0, -1).join(', ')} and ${told[told.length - 1]}`;
    return [`${kind}${names.length === 1 ? '' : 's'} ${list}`, rest, names.length > 1];
  });
}
