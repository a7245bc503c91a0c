import { realpathSync } from 'fs';
import { problemOfRendering } from './helm-problem';
import { sourcesOf } from './rendered-sources';
import { repositoryRoot } from '../../../model';
import type { NamedRelease, SourceFile } from '../../../validation';
import { examineChart } from '../chart-files';
import type { Programs } from '../programs';

/** Values of the command line, which override all others. */
export interface GivenValues {
  /** Texts in YAML. */
  readonly values: readonly string[];
  /** `KEY=VALUE` each. */
  readonly set: readonly string[];
}

/** A release of Kubernetes that EKS runs. */
const KUBERNETES = '1.33.0';

/** What helm makes of a chart as a release deploys it, or why there is nothing. */
export function helmTemplate(
  release: NamedRelease,
  given: GivenValues,
  programs: Programs,
): { readonly sources: readonly SourceFile[] } | { readonly problem: string } {
  const { chart } = release;
  const root = repositoryRoot(chart);
  const { problem, foreignSchema } = examineChart(chart, root);
  if (problem !== undefined) return { problem: `not rendered: ${problem}` };
  const texts = [...release.values.map(({ text }) => text), ...given.values];
  const files = texts.map((text, index) => ({ name: `values-${index + 1}.yaml`, text }));
  const args = [
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
    realpathSync(chart),
  ];
  const result = programs.run('helm', args, root, files);
  if (result.isMissing)
    return {
      problem: `not rendered, because ${result.problem}; install helm, or pass the output of helm template`,
    };
  return result.problem === undefined
    ? { sources: sourcesOf(result.text, chart) }
    : { problem: `not rendered: ${problemOfRendering(result, chart)}` };
}
