import { ManifestModel } from '../../manifest/model';

const NONE: ReadonlySet<string> = new Set();
/** The API server takes the maximum for a default that is left out, and the minimum for a request that then still is. */
const GIVING = ['default', 'defaultRequest', 'max', 'min'];

/**
 * By namespace: resources that a LimitRange there gives every container a request for.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem
 */
export function limitRangeDefaults({ objects, cluster }: ManifestModel): (namespace: string) => ReadonlySet<string> {
  const defaults = new Map<string, Set<string>>();
  for (const { apiVersion, kind, namespace = 'default', raw } of [...objects, ...cluster?.objects ?? []]) {
    if (apiVersion !== 'v1' || kind !== 'LimitRange' || !Array.isArray(raw?.spec?.limits)) continue;
    const resources = raw.spec.limits.filter((limit: any) => limit?.type === 'Container')
      .flatMap((limit: any) => GIVING.flatMap((field) => Object.keys(limit[field] ?? {})));
    defaults.set(namespace, new Set([...defaults.get(namespace) ?? [], ...resources]));
  }
  return (namespace) => defaults.get(namespace) ?? NONE;
}
