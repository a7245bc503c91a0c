import { UsageLog } from './figures';
import { JsonPlaces } from './json-places';
import { asRecord } from '../../../contract';
import { valueText } from '../../../model';

/** Kinds that KRR makes up of several objects. */
const MADE_UP = 'GroupedJob';

/**
 * The recommended requests of KRR (`krr simple -f json`): CPUs and bytes as numbers, `"?"` if unknown, `null` if a
 * request should be unset. They are requests already: KRR adds its buffer to memory.
 */
export function readKrr(
  file: string,
  { scans, errors }: { readonly scans: readonly unknown[]; readonly errors?: unknown },
  places: JsonPlaces,
  log: UsageLog,
): void {
  for (const error of Array.isArray(errors) ? errors : []) {
    const { name } = asRecord(error) ?? {};
    log.note(`KRR reports ${valueText(name ?? error)}, so that its figures may be of a short time`, file);
  }
  if (scans.length === 0) log.note('KRR has no scans: it found no workload', file);
  scans.forEach((scan, index) => {
    const at = places.of(index);
    const { object, recommended } = asRecord(scan) ?? {};
    const { kind, namespace, name, container } = asRecord(object) ?? {};
    const requests = asRecord(asRecord(recommended)?.requests);
    if ([kind, namespace, name, container].some((value) => typeof value !== 'string') || requests === undefined) {
      log.note('the scan has no object with kind, namespace, name and container, or no requests: not used', at);
      return;
    }
    if (kind === MADE_UP) {
      log.note('a GroupedJob of KRR stands for several Jobs: not used', at);
      return;
    }
    for (const resource of ['cpu', 'memory'] as const) {
      const value = asRecord(requests[resource])?.value ?? requests[resource];
      if (typeof value !== 'number') {
        log.note(`KRR has no recommendation for ${resource}: the request stays`, at);
        continue;
      }
      log.add({
        namespace: namespace as string,
        workload: { kind: kind as string, name: name as string },
        container: container as string,
        resource,
        source: 'KRR',
        amount: resource === 'cpu' ? millicores(value) : value,
        at,
      });
    }
  });
}

/** CPUs as millicores. The product of 0.07 and 1000 is above 70, so that it is rounded before it is rounded up. */
export function millicores(cpus: number): number {
  return Number((cpus * 1000).toFixed(6));
}
