import { ManifestModel } from '../../manifest/model';

/** Resources that a LimitRange of the namespace gives every container a request for. */
export function limitRangeDefaults({ objects }: ManifestModel, namespace: string): Set<string> {
  const limits = objects
    .filter((object) => object.apiVersion === 'v1' && object.kind === 'LimitRange' && (object.namespace ?? 'default') === namespace)
    .flatMap(({ raw }) => Array.isArray(raw?.spec?.limits) ? raw.spec.limits : [])
    .filter((limit: any) => limit?.type === 'Container');
  return new Set(limits.flatMap((limit: any) => [...Object.keys(limit.default ?? {}), ...Object.keys(limit.defaultRequest ?? {})]));
}
