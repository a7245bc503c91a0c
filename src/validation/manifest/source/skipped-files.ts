import { asRecord } from '../../../contract';
import { SourceFile } from '../model';
import { recordsOf } from '../records';
import { findUnreadable, SourceText } from './source-text';
import { readDocuments } from '../yaml/documents';

/** How many of the files that were found in folders have no Kubernetes object and no CloudFormation template. */
export function countFilesWithoutObjects(files: readonly SourceFile[]): number {
  return files.filter((file) => file.isFound === true && file.trace === undefined && !hasObject(file)).length;
}

function hasObject(file: SourceFile): boolean {
  if (findUnreadable(file)) return /^\s*(?:- +)?"?apiVersion"?\s*:/m.test(file.text);
  return recordsOf(readDocuments(new SourceText(file)).documents.map(({ value }) => value)).some(
    ({ apiVersion, kind, Resources }) =>
      (typeof apiVersion === 'string' && typeof kind === 'string') || asRecord(Resources) !== undefined,
  );
}

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
