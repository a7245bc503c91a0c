import { countText, listText, moreText, shortListText } from '../model';
import { requireCount, failAssertion, requireEvaluated, unknownName } from './assertion-errors';
import { EvaluatedInput, withoutKind } from './evaluated-input';
import { Scenario } from './scenario';
import { ScenarioResult, renderScenariosText } from '../validation';

type Report = ScenarioResult['reports'][number];

/** Maximum number of reports in an error message. */
const MAX_REPORTS = 3;

export function keepsReady(input: EvaluatedInput, workload: string, pods: number, scenario: Scenario): void {
  requireCount('pods', pods, 1);
  requireEvaluated(`expected ${workload} to keep at least ${countText(pods, 'pod')} ready`, input.unreadableInput);
  const result = input.simulate(scenario);
  const { workload: name, ready } = workloadNamed(result, workload);
  const claim = `expected ${name} to keep at least ${countText(pods, 'pod')} ready during ${scenario}`;
  if (ready < pods) {
    requireEvaluated(claim, input.notEvaluatedPartsOf(name));
    failAssertion(`${claim}, got ${ready} before the scenario starts`, tooFewPodsText(input, name, ready));
  }
  const failing = result.reports
    .map((report) => ({ report, lowest: lowestReady(report, name) ?? ready }))
    .filter(({ lowest }) => lowest < pods)
    .sort((left, right) => left.lowest - right.lowest);
  if (failing.length > 0) {
    failAssertion(
      `${claim}, got ${failing[0].lowest}${subjectText(failing[0].report)}`,
      reportsText(
        result,
        failing.map(({ report }) => report),
        name,
      ),
    );
  }
  requireEvaluated(claim, notEvaluatedReasons(input, result));
}

/** Explains why fewer pods than expected are ready before the scenario starts. */
function tooFewPodsText(input: EvaluatedInput, workload: string, ready: number): string {
  const unschedulable = input.unschedulablePodsOf(workload);
  if (unschedulable.length > 0) return input.explain(unschedulable);
  return ready === 0 && !input.hasPodsOf(withoutKind(workload))
    ? `The input has no pod of ${workload}: does it have replicas: 0?`
    : `All pods of ${workload} are scheduled: by its replicas, its autoscaler and the cluster, only ${ready} can be ready.`;
}

export function completes(input: EvaluatedInput, scenario: Scenario): void {
  const claim = `expected ${scenario} to end without stuck nodes, pending pods and lost pods`;
  requireEvaluated(claim, input.unreadableInput);
  const result = input.simulate(scenario);
  const failing = result.reports.filter(({ stuck, pending, lost }) => stuck.length + pending.length + lost.length > 0);
  if (failing.length > 0) failAssertion(`${claim}, got ${problemsText(failing[0])}`, reportsText(result, failing));
  requireEvaluated(claim, notEvaluatedReasons(input, result));
}

function problemsText(report: Report): string {
  const { stuck, pending, lost } = report;
  const parts = [
    ...(stuck.length === 0
      ? []
      : [
          `${shortListText(
            stuck.map(({ what }) => what),
            1,
          )} stuck`,
        ]),
    ...(pending.length === 0 ? [] : [`${countText(pending.length, 'pod')} without a node`]),
    ...(lost.length === 0 ? [] : [`${countText(lost.length, 'pod')} lost`]),
  ];
  return `${parts.join(', ')}${subjectText(report)}`;
}

function subjectText({ scenario, subject }: Report): string {
  return subject === undefined ? '' : ` in ${scenario} of ${subject}`;
}

/** @param about workload whose events are shown */
function reportsText(result: ScenarioResult, reports: readonly Report[], about?: string): string {
  const omitted = reports.length - MAX_REPORTS;
  return (
    renderScenariosText({ ...result, reports: reports.slice(0, MAX_REPORTS) }, { about }) +
    (omitted > 0
      ? `\nThe same fails in ${moreText(omitted)} of ${countText(result.reports.length, 'simulation')}.\n`
      : '')
  );
}

function notEvaluatedReasons(input: EvaluatedInput, { reports, notEvaluated }: ScenarioResult): string[] {
  const unfinished = reports.filter((report) => report.unfinished);
  return [
    ...input.incompletePlanReasons,
    ...notEvaluated,
    ...unfinished.map(
      ({ scenario, subject, seconds }) =>
        `${scenario}${subject === undefined ? '' : ` of ${subject}`} is not over after ${seconds} seconds; use a longer horizon`,
    ),
  ];
}

function lowestReady({ workloads }: Report, name: string): number | undefined {
  return workloads.find(({ workload }) => workload === name)?.lowestReady;
}

/** The workload with this name, `namespace/name` or `Kind namespace/name`. */
function workloadNamed({ workloads }: ScenarioResult, name: string): ScenarioResult['workloads'][number] {
  const matches = workloads.filter(
    ({ workload }) =>
      workload === name || workload.endsWith(` ${name}`) || (!/[ /]/.test(name) && workload.endsWith(`/${name}`)),
  );
  if (matches.length === 1) return matches[0];
  if (matches.length === 0) {
    const names = workloads.map(({ workload }) => workload);
    return unknownName(
      'workload',
      'workload',
      name,
      names,
      names.flatMap((full) => [withoutKind(full), full.slice(full.indexOf('/') + 1)]),
    );
  }
  throw new Error(
    `workload: ${countText(matches.length, 'workload')} have the name ${JSON.stringify(name)}; write ${listText(
      matches.map(({ workload }) => workload),
      'or',
    )}`,
  );
}
