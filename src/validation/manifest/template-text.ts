/** What somebody has left in a manifest for a program to fill in; CDK's own tokens are told apart before. */
const PLACEHOLDERS: ReadonlyArray<readonly [pattern: RegExp, remedy: string]> = [
  [/\{\{/, 'render the Helm template first, as in `helm template <chart> | karpenter-constructs check -`'],
  [/\$\{[^}]*\}|\$[A-Z][A-Z0-9_]*|<[A-Za-z][\w -]*>/, 'put the value in first, as Terraform or envsubst does'],
];

/** Advice on a value that still has a placeholder in it. */
export function placeholderRemedy(value: unknown): string | undefined {
  return typeof value === 'string' ? PLACEHOLDERS.find(([pattern]) => pattern.test(value))?.[1] : undefined;
}

export const KUSTOMIZATION = 'render the folder first, as in `kubectl kustomize <folder> | karpenter-constructs check -`';
const CHART = 'render the chart first, as in `helm template <chart> | karpenter-constructs check -`';
const FILES: ReadonlyArray<readonly [name: RegExp, remedy: string]> = [
  [/(^|\/)kustomization\.ya?ml$/, KUSTOMIZATION],
  [/(^|\/)(Chart|values[^/]*)\.ya?ml$/, CHART],
];

/** Advice on a file that a program makes manifests of, by its name. */
export function sourceRemedy(path: string): string | undefined {
  return FILES.find(([name]) => name.test(path))?.[1];
}

/** What kustomize reads; a Kustomization of Flux is an object of the cluster. */
export function isKustomization(apiVersion: string): boolean {
  return apiVersion.startsWith('kustomize.config.k8s.io/');
}
