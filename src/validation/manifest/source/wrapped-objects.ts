import { asRecord, FieldPath } from '../../../contract';
import { PlainRecord } from '../records';

/** An object inside of another one. */
export interface WrappedObject {
  readonly path: FieldPath;
  readonly raw: PlainRecord;
}

/** Objects whose controllers create the objects in them. */
const WRAPPERS: ReadonlyArray<{ readonly group: RegExp; readonly kind: string; readonly path: FieldPath }> = [
  { group: /^kubernetes(\.m)?\.crossplane\.io\//, kind: 'Object', path: ['spec', 'forProvider', 'manifest'] },
  { group: /^work\.open-cluster-management\.io\//, kind: 'ManifestWork', path: ['spec', 'workload', 'manifests'] },
];

/**
 * The objects that an Object of Crossplane or a ManifestWork of Open Cluster Management creates.
 *
 * @see https://github.com/crossplane-contrib/provider-kubernetes
 */
export function wrappedObjects(wrapper: PlainRecord): WrappedObject[] {
  const { apiVersion, kind } = wrapper;
  if (typeof apiVersion !== 'string') return [];
  const found = WRAPPERS.find((one) => one.kind === kind && one.group.test(apiVersion));
  if (!found) return [];
  const value = found.path.reduce<unknown>((inner, step) => asRecord(inner)?.[step], wrapper);
  const entries = Array.isArray(value)
    ? value.map((item: unknown, index) => [item, [...found.path, index]] as const)
    : [[value, found.path] as const];
  return entries.flatMap(([item, path]): WrappedObject[] => {
    const raw = asRecord(item);
    return typeof raw?.apiVersion === 'string' && typeof raw.kind === 'string' ? [{ path, raw }] : [];
  });
}

/** Such as `kubernetes:apps/v1:Deployment`. A custom resource writes its own version and kind. */
const PULUMI_TYPE = /^kubernetes:([\w.]+)(?:\/(v\w+))?:(\w+)$/;

/**
 * The objects of Kubernetes in a program of Pulumi that is written in YAML.
 *
 * @see https://www.pulumi.com/docs/iac/languages-sdks/yaml/yaml-language-reference/
 */
export function pulumiObjects(document: unknown): WrappedObject[] {
  const { runtime, resources } = asRecord(document) ?? {};
  if (runtime !== 'yaml' && asRecord(runtime)?.name !== 'yaml') return [];
  return Object.entries(asRecord(resources) ?? {}).flatMap(([name, resource]): WrappedObject[] => {
    const { type, properties } = asRecord(resource) ?? {};
    const [, group, version, kind] = PULUMI_TYPE.exec(typeof type === 'string' ? type : '') ?? [];
    const fields = asRecord(properties);
    if (kind === undefined || fields === undefined) return [];
    const apiVersion = version === undefined ? undefined : group === 'core' ? version : `${group}/${version}`;
    const typed = { apiVersion, kind, ...fields };
    if (typeof typed.apiVersion !== 'string') return [];
    // Pulumi adds random letters to a name that is not written.
    const raw = { ...typed, metadata: { name, ...asRecord(fields.metadata) } };
    return [{ path: ['resources', name, 'properties'], raw: Object.assign(Object.create(null), raw) }];
  });
}
