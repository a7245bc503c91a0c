import { NodeClassFacts, ReservationFacts } from '../../catalog';
import { asRecord } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

/** As many zones as one class can be judged with. */
const MOST = 32;

/** What Karpenter has found by the selectors of a node class. */
export interface ClassStatus extends Pick<NodeClassFacts, 'zones' | 'reservations'> {
  /** By the names of zones. */
  readonly zoneIds: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/**
 * @param inCluster the class with its status
 * @param written the class as a manifest has it: where it selects others than in the cluster, what it will find is not known
 */
export function classStatus(inCluster: ManifestObject, written: ManifestObject | undefined, free: ReadonlyMap<string, number>): ClassStatus {
  const status = asRecord(inCluster.raw.status) ?? {};
  const changed = (terms: string) => written !== undefined && selector(written, terms) !== selector(inCluster, terms);
  const zones = [...new Set(recordsOf(status.subnets).flatMap(({ zone }) => typeof zone === 'string' && zone !== '' ? [zone] : []))].sort().slice(0, MOST);
  const reservations = recordsOf(status.capacityReservations).flatMap((raw) => reservationOf(raw, free));
  const isStale = { zones: changed('subnetSelectorTerms'), reservations: changed('capacityReservationSelectorTerms') };
  const { name } = inCluster;
  return {
    ...(zones.length > 0 && !isStale.zones ? { zones } : {}),
    // A class that Karpenter has looked at has none but these; what it is yet to look at may have any.
    ...(Object.keys(status).length > 0 && !isStale.reservations ? { reservations } : {}),
    zoneIds: Object.fromEntries(recordsOf(status.subnets)
      .flatMap(({ zone, zoneID }) => typeof zone === 'string' && typeof zoneID === 'string' ? [[zone, zoneID]] : [])),
    notes: [
      ...isStale.zones ? [`EC2NodeClass ${name} selects other subnets than in the cluster: their zones are not known`] : [],
      ...isStale.reservations ? [`EC2NodeClass ${name} selects other capacity reservations than in the cluster: none is known`] : [],
    ],
  };
}

function selector({ raw }: ManifestObject, terms: string): string {
  return JSON.stringify(inKeyOrder(asRecord(raw.spec)?.[terms] ?? []));
}

function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  const record = asRecord(value);
  return record ? Object.entries(record).sort(([left], [right]) => left < right ? -1 : 1).map(([key, inner]) => [key, inKeyOrder(inner)]) : value;
}

/** Such objects in the status are Karpenter's own: one that is not whole is none. */
function reservationOf({ id, instanceType, availabilityZone: zone, ...raw }: PlainRecord, free: ReadonlyMap<string, number>): ReservationFacts[] {
  if (typeof id !== 'string' || typeof instanceType !== 'string' || typeof zone !== 'string') return [];
  const type = raw.reservationType === 'capacity-block' ? 'capacity-block' : 'default';
  return [{ id, instanceType, zone, type, interruptible: raw.interruptible === true, expiring: raw.state === 'expiring', free: free.get(id) }];
}
