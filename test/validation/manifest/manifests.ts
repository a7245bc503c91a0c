import { CheckOptions, ManifestModel, readManifests, WorkloadManifest } from '../../../src/validation';

export function read(text: string, options: CheckOptions = {}): ManifestModel {
  return readManifests([{ path: 'input.yaml', text }], options);
}

/** A Pod; the YAML of its spec is indented by two spaces. */
export function pod(spec: string, name = 'web'): string {
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n${spec}`;
}

export function onlyWorkload(text: string): WorkloadManifest {
  const { workloads } = read(text);
  expect(workloads).toHaveLength(1);
  return workloads[0];
}

/** `line:column rule message` of all problems. */
export function problems(model: ManifestModel): string[] {
  return model.problems.map(({ rule, location, message }) => `${location.line}:${location.column} ${rule} ${message}`);
}

export const CONTAINER = '  containers: [{ name: main }]\n';
