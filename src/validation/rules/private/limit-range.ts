import { ManifestModel } from '../../manifest/model';

const NONE: ReadonlySet<string> = new Set();

/** By namespace: resources that a LimitRange there gives every container a request for. */
export function limitRangeDefaults({ objects }: ManifestModel): (namespace: string) => ReadonlySet<string> {
  const defaults = new Map<string, Set<string>>();
  for (const { apiVersion, kind, namespace = 'default', raw } of objects) {
    if (apiVersion !== 'v1' || kind !== 'LimitRange' || !Array.isArray(raw?.spec?.limits)) continue;
    const resources = raw.spec.limits.filter((limit: any) => limit?.type === 'Container')
      .flatMap((limit: any) => [...Object.keys(limit.default ?? {}), ...Object.keys(limit.defaultRequest ?? {})]);
    defaults.set(namespace, new Set([...defaults.get(namespace) ?? [], ...resources]));
  }
  return (namespace) => defaults.get(namespace) ?? NONE;
}
