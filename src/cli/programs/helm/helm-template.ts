import { mkdtempSync, realpathSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join, relative } from 'path';
import { CompletedChart, completeChart } from './complete-chart';
import { isMissingDependencies, problemOfRendering } from './helm-problem';
import { sourcesOf } from './rendered-sources';
import { listText, repositoryRoot } from '../../../model';
import type { NamedRelease, SourceFile } from '../../../validation';
import { examineChart } from '../chart-files';
import type { ProgramResult, Programs } from '../programs';

/** Values of the command line, which override all others. */
export interface GivenValues {
  /** Texts in YAML. */
  readonly values: readonly string[];
  /** `KEY=VALUE` each. */
  readonly set: readonly string[];
}

/** A release of Kubernetes that EKS runs. */
const KUBERNETES = '1.33.0';

/** What helm makes of a chart, with a sentence if a part is missing; or why there is nothing. */
export type RenderedChart =
  | { readonly sources: readonly SourceFile[]; readonly note?: string }
  | { readonly problem: string };

/**
 * What helm makes of a chart as a release deploys it, or why there is nothing.
 *
 * @param charts the folders of charts that the input has, without links
 */
export function helmTemplate(
  release: NamedRelease,
  given: GivenValues,
  programs: Programs,
  charts: ReadonlySet<string> = new Set(),
): RenderedChart {
  const { chart } = release;
  const root = repositoryRoot(chart);
  const { problem, foreignSchema } = examineChart(chart, root);
  if (problem !== undefined) return { problem: `not rendered: ${problem}` };
  const texts = [...release.values.map(({ text }) => text), ...given.values];
  const files = texts.map((text, index) => ({ name: `values-${index + 1}.yaml`, text }));
  const argsFor = (folder: string) => [
    'template',
    // Charts write the API versions of this release. That of helm itself may be one that no cluster has any more.
    `--kube-version=${KUBERNETES}`,
    // helm would download other schemas, or read them outside of the repository.
    ...(foreignSchema === undefined ? [] : ['--skip-schema-validation']),
    ...(release.namespace === undefined ? [] : [`--namespace=${release.namespace}`]),
    ...files.map(({ name }) => `--values=${name}`),
    ...release.parameters.map(({ key, value, isText }) => `--set${isText ? '-string' : ''}=${key}=${value}`),
    ...given.set.map((pair) => `--set=${pair}`),
    '--',
    release.name,
    folder,
  ];
  const runHelm = (folder: string) => programs.run('helm', argsFor(folder), root, files);
  const result = runHelm(realpathSync(chart));
  if (result.isMissing)
    return {
      problem: `not rendered, because ${result.problem}; install helm, or pass the output of helm template`,
    };
  if (result.problem === undefined) return { sources: sourcesOf(result.text, chart) };
  const rest = isMissingDependencies(result) ? renderCompleted(chart, charts, runHelm) : undefined;
  return rest ?? { problem: `not rendered: ${problemOfRendering(result, chart)}` };
}

/** Renders a chart whose dependencies are not in its folder with those that the repository has, if that is possible. */
function renderCompleted(
  chart: string,
  charts: ReadonlySet<string>,
  runHelm: (folder: string) => ProgramResult,
): RenderedChart | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-constructs-'));
  try {
    const completed = completeChart(realpathSync(chart), folder, charts);
    const { text, problem } = runHelm(folder);
    if (problem !== undefined) return undefined;
    return { sources: sourcesOf(text, chart, shownPlaces(completed, chart)), ...noteOf(completed, chart) };
  } catch {
    // A chart that is not as helm would have it, such as one without a name.
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Paths are shown as the command line has them. */
function shownPlaces({ places }: CompletedChart, chart: string): ReadonlyMap<string, string> {
  return new Map([...places].map(([inside, folder]) => [inside, join(chart, relative(realpathSync(chart), folder))]));
}

function noteOf({ leftOut }: CompletedChart, chart: string): { readonly note?: string } {
  if (leftOut.length === 0) return {};
  const which = leftOut.length === 1 ? 'its dependency' : 'its dependencies';
  const are = leftOut.length === 1 ? 'is' : 'are';
  return {
    note: `rendered without ${which} ${listText(leftOut)}, which ${are} not in the repository; \`helm dependency build ${chart}\` downloads ${leftOut.length === 1 ? 'it' : 'them'}`,
  };
}
