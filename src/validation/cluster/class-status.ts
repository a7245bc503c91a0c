import { NodeClassFacts, ReservationFacts } from '../../catalog';
import { asRecord } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

/** Zones that one node class can have at most. */
const MAX_ZONES = 32;

/** The AWS resources that Karpenter has resolved the selector terms of an EC2NodeClass to. */
export interface ClassStatus extends Pick<NodeClassFacts, 'zones' | 'reservations'> {
  /** By zone name. */
  readonly zoneIds: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/**
 * @param clusterObject - the EC2NodeClass with its status
 * @param manifest - the same EC2NodeClass in the manifests; if its selector terms differ, the status says nothing about
 * the new terms
 * @param freeInstances - free instances by the id of a capacity reservation
 */
export function readClassStatus(
  clusterObject: ManifestObject,
  manifest: ManifestObject | undefined,
  freeInstances: ReadonlyMap<string, number>,
): ClassStatus {
  const status = asRecord(clusterObject.raw.status) ?? {};
  const isStale = (terms: string) =>
    manifest !== undefined && selectorText(manifest, terms) !== selectorText(clusterObject, terms);
  const [hasStaleZones, hasStaleReservations] = [
    isStale('subnetSelectorTerms'),
    isStale('capacityReservationSelectorTerms'),
  ];
  const subnetZones = recordsOf(status.subnets).flatMap(({ zone }) =>
    typeof zone === 'string' && zone !== '' ? [zone] : [],
  );
  const zones = [...new Set(subnetZones)].sort().slice(0, MAX_ZONES);
  const reservations = recordsOf(status.capacityReservations).flatMap((raw) => reservationOf(raw, freeInstances));
  const { name } = clusterObject;
  return {
    ...(zones.length > 0 && !hasStaleZones ? { zones } : {}),
    // With a status, the class has exactly these reservations. Without one, Karpenter has not resolved the class yet.
    ...(Object.keys(status).length > 0 && !hasStaleReservations ? { reservations } : {}),
    zoneIds: Object.fromEntries(
      recordsOf(status.subnets).flatMap(({ zone, zoneID }) =>
        typeof zone === 'string' && typeof zoneID === 'string' ? [[zone, zoneID]] : [],
      ),
    ),
    notes: [
      ...(hasStaleZones
        ? [`EC2NodeClass ${name} has other subnetSelectorTerms than in the cluster: its zones are unknown`]
        : []),
      ...(hasStaleReservations
        ? [
            `EC2NodeClass ${name} has other capacityReservationSelectorTerms than in the cluster: its reservations are unknown`,
          ]
        : []),
    ],
  };
}

/** Equal for equal terms, whatever the order of their keys. */
function selectorText({ raw }: ManifestObject, terms: string): string {
  return JSON.stringify(inKeyOrder(asRecord(raw.spec)?.[terms] ?? []));
}

function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  const record = asRecord(value);
  return record
    ? Object.entries(record)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([key, inner]) => [key, inKeyOrder(inner)])
    : value;
}

/** Karpenter writes the status itself: an incomplete entry is ignored. */
function reservationOf(
  { id, instanceType, availabilityZone: zone, ...raw }: PlainRecord,
  freeInstances: ReadonlyMap<string, number>,
): ReservationFacts[] {
  if (typeof id !== 'string' || typeof instanceType !== 'string' || typeof zone !== 'string') return [];
  const type = raw.reservationType === 'capacity-block' ? 'capacity-block' : 'default';
  return [
    {
      id,
      instanceType,
      zone,
      type,
      interruptible: raw.interruptible === true,
      expiring: raw.state === 'expiring',
      free: freeInstances.get(id),
    },
  ];
}
