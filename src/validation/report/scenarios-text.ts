import { createColors } from 'picocolors';
import { formatUsd, plural } from './section';
import { TextOptions, withoutControlCharacters } from './text';
import { ScenarioReport } from '../../disruption';

/** More of a timeline nobody reads. */
const MOST_ENTRIES = 40;

interface Told {
  readonly reports: readonly ScenarioReport[];
  readonly assumptions: readonly string[];
  readonly notEvaluated: readonly string[];
}

/** The reports for people: what becomes of each workload first, then what stays as it is for ever, and what happens when. */
export function renderScenariosText(played: Told, { color = false }: TextOptions = {}): string {
  const { reports, assumptions, notEvaluated } = withoutControlCharacters({
    reports: played.reports, assumptions: played.assumptions, notEvaluated: played.notEvaluated,
  });
  const colors = createColors(color);
  const blocks = reports.map((report) => [colors.bold(titleOf(report)), ...bodyOf(report)].join('\n'));
  const none = reports.length === 0 ? ['Nothing of the kind can happen here.'] : [];
  const list = (title: string, texts: readonly string[]) => texts.length === 0 ? [] : [[colors.bold(title), ...texts.map((text) => `  - ${text}`)].join('\n')];
  return `${[...none, ...blocks, ...list('Not evaluated', notEvaluated), ...list('Taken for granted', assumptions)].join('\n\n')}\n`;
}

function titleOf({ scenario, subject, before, after, seconds, unfinished }: ScenarioReport): string {
  const size = before.nodes === after.nodes && before.usdPerHour === after.usdPerHour ? plural(after.nodes, 'node')
    : `${before.nodes} -> ${plural(after.nodes, 'node')}, ${formatUsd(before.usdPerHour)} -> ${formatUsd(after.usdPerHour)} USD per hour`;
  return `${scenario}${subject === undefined ? '' : ` of ${subject}`}: ${size}, ${unfinished ? 'not over after' : 'over after'} ${clock(seconds)}`;
}

function bodyOf({ workloads, pending, unplaced, lost, stuck, timeline }: ScenarioReport): string[] {
  const told = timeline.slice(0, MOST_ENTRIES);
  const whys = new Map(unplaced.flatMap(({ pods, why }) => pods.map((pod) => [pod, why])));
  return [
    ...workloads.map(({ workload, replicas, lowestReady, evictions, secondsBelowBudget = 0 }) =>
      `  ${workload}: at least ${lowestReady} of ${replicas} ready, ${plural(evictions, 'eviction')}${secondsBelowBudget > 0 ? `, ${clock(secondsBelowBudget)} below its PodDisruptionBudget` : ''}`),
    ...stuck.map(({ what, why, remedy }) => `  ${what} is stuck: ${why}; ${remedy}`),
    ...pending.map((pod) => `  pod ${pod} has no node in the end${whys.has(pod) ? `: ${whys.get(pod)}` : ''}`),
    ...lost.map((pod) => `  pod ${pod} is lost: nothing makes it again`),
    ...told.map(({ second, what }) => `    ${clock(second).padStart(9)}  ${what}`),
    ...timeline.length > told.length ? [`    and ${timeline.length - told.length} more`] : [],
  ];
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
