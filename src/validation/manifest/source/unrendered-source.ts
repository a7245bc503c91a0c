import { SourceFile } from '../model';

export const RENDER_KUSTOMIZATION =
  'render the folder first: `kubectl kustomize <folder> | karpenter-constructs check -`';
const RENDER_CHART = 'render the chart first: `helm template <chart> | karpenter-constructs check -`';
const FILES: ReadonlyArray<readonly [name: RegExp, remedy: string]> = [
  [/(^|\/)(kustomization(\.ya?ml)?|Kustomization)$/, RENDER_KUSTOMIZATION],
  [/(^|\/)(Chart|values[^/]*)\.ya?ml$/, RENDER_CHART],
];

/** The remedy for a file from which kustomize or Helm makes manifests, by the name of the file. */
export function unrenderedFileRemedy(path: string): string | undefined {
  return FILES.find(([name]) => name.test(path))?.[1];
}

/** A comment that `helm template` writes above each manifest. */
const HELM_COMMENT = /^# Source: \S+\.\w+\r?$/m;

/** Whether a tool has made the text, so that a change of it would be lost. */
export function isGeneratedFile({ path, text, isGenerated = false }: SourceFile): boolean {
  return isGenerated || path === '-' || HELM_COMMENT.test(text);
}

/** Whether kustomize reads the object. A Kustomization of Flux is an object of the cluster. */
export function isKustomization(apiVersion: string): boolean {
  return apiVersion.startsWith('kustomize.config.k8s.io/');
}
