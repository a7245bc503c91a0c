import { JudgedInput } from './judged-input';
import { beTold, checkCount, fail, plural, unknownName } from './outcome';
import { Scenario } from './scenario';
import { ScenarioResult, renderScenariosText } from '../../validation';

type Report = ScenarioResult['reports'][number];

/** More of them nobody reads. */
const MOST_REPORTS = 3;

export function keepsReady(input: JudgedInput, workload: string, pods: number, scenario: Scenario): void {
  checkCount('pods', pods, 1);
  beTold(`expected ${workload} to keep at least ${plural(pods, 'pod')} ready`, input.unreadable);
  const played = input.play(scenario);
  const { workload: name, ready } = workloadOf(played, workload);
  const claim = `expected ${name} to keep at least ${plural(pods, 'pod')} ready during ${scenario}`;
  if (ready < pods) {
    beTold(claim, input.untoldOf(name));
    fail(`${claim}, got ${ready} before it begins`, beforeIt(input, name, ready));
  }
  const low = played.reports.map((report) => ({ report, lowest: lowestReady(report, name) ?? ready })).filter(({ lowest }) => lowest < pods)
    .sort((left, right) => left.lowest - right.lowest);
  if (low.length > 0) {
    fail(`${claim}, got ${low[0].lowest}${inReport(low[0].report)}`, story(played, low.map(({ report }) => report), name));
  }
  beTold(claim, untold(input, played));
}

function beforeIt(input: JudgedInput, name: string, ready: number): string {
  const without = input.unschedulableOf(name);
  if (without.length > 0) return input.explain(without);
  return ready === 0 && input.explain([name.slice(name.indexOf(' ') + 1)]).trim() === ''
    ? `Nothing in the input makes a pod of ${name}: is it switched off with replicas: 0?`
    : `No pod of ${name} is without a node: ${ready} is as many as it has ready, by its replicas, its autoscaler and the cluster.`;
}

export function getsThrough(input: JudgedInput, scenario: Scenario): void {
  const claim = `expected everything to get through ${scenario}`;
  beTold(claim, input.unreadable);
  const played = input.play(scenario);
  const left = played.reports.filter(({ stuck, pending, lost }) => stuck.length + pending.length + lost.length > 0);
  if (left.length > 0) fail(`${claim}, got ${leftText(left[0])}`, story(played, left));
  beTold(claim, untold(input, played));
}

function leftText(report: Report): string {
  const { stuck, pending, lost } = report;
  const parts = [
    ...stuck.length === 0 ? [] : [`${stuck[0].what}${stuck.length === 1 ? '' : ` and ${stuck.length - 1} more`} stuck`],
    ...pending.length === 0 ? [] : [`${plural(pending.length, 'pod')} without a node`],
    ...lost.length === 0 ? [] : [`${plural(lost.length, 'pod')} lost`],
  ];
  return `${parts.join(', ')}${inReport(report)}`;
}

function inReport({ scenario, subject }: Report): string {
  return subject === undefined ? '' : ` in ${scenario} of ${subject}`;
}

function story(played: ScenarioResult, reports: readonly Report[], about?: string): string {
  const hidden = reports.length - MOST_REPORTS;
  return renderScenariosText({ ...played, reports: reports.slice(0, MOST_REPORTS) }, { about }) + (hidden > 0 ? `\nand it is so in ${hidden} more of ${played.reports.length}\n` : '');
}

function untold(input: JudgedInput, { reports, notEvaluated }: ScenarioResult): string[] {
  const cut = reports.filter(({ unfinished }) => unfinished);
  return [
    ...input.unplaced, ...notEvaluated,
    ...cut.map(({ scenario, subject, seconds }) => `${scenario}${subject === undefined ? '' : ` of ${subject}`} is not over after ${seconds} seconds: with a longer horizon it is followed further`),
  ];
}

function lowestReady({ workloads }: Report, name: string): number | undefined {
  return workloads.find(({ workload }) => workload === name)?.lowestReady;
}

/** By name, by namespace and name, or by all of it. */
function workloadOf({ workloads }: ScenarioResult, wanted: string): ScenarioResult['workloads'][number] {
  const found = workloads.filter(({ workload }) => workload === wanted || workload.endsWith(` ${wanted}`) || (!/[ /]/.test(wanted) && workload.endsWith(`/${wanted}`)));
  if (found.length === 1) return found[0];
  if (found.length === 0) {
    const names = workloads.map(({ workload }) => workload);
    return unknownName('workload', wanted, names, names.flatMap((name) => [name.slice(name.indexOf(' ') + 1), name.slice(name.indexOf('/') + 1)]));
  }
  throw new Error(`workload: there are ${found.length} of this name, got ${JSON.stringify(wanted)}; write ${found.map(({ workload }) => workload).join(' or ')}`);
}
