import { valueText } from '../../model';
import { DescribedReservation, DescribedSubnet } from '../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../manifest/records';

/** The subnets in the output of `aws ec2 describe-subnets`; undefined for another document. */
export function readDescribedSubnets(document: PlainRecord): DescribedSubnet[] | undefined {
  if (!Array.isArray(document.Subnets)) return undefined;
  return recordsOf(document.Subnets).flatMap((subnet): DescribedSubnet[] => {
    const { SubnetId: id, AvailabilityZone: zone, AvailableIpAddressCount: free } = subnet;
    return typeof id === 'string' && typeof zone === 'string' && isCount(free)
      ? [{ id, zone, free, tags: tagsOf(subnet) }]
      : [];
  });
}

/**
 * The active, open Linux reservations in the output of `aws ec2 describe-capacity-reservations`: EC2 uses them for any
 * instance that matches, unless a launch opts out.
 */
export function readOpenReservations(document: PlainRecord): DescribedReservation[] {
  return recordsOf(document.CapacityReservations).flatMap((reservation): DescribedReservation[] => {
    const { CapacityReservationId: id, InstanceType: instanceType, AvailabilityZone: zone } = reservation;
    const { AvailableInstanceCount: free, OwnerId: owner } = reservation;
    const isOpen =
      reservation.State === 'active' &&
      reservation.InstanceMatchCriteria === 'open' &&
      (reservation.InstancePlatform === undefined || reservation.InstancePlatform === 'Linux/UNIX');
    if (!isOpen || typeof id !== 'string' || typeof instanceType !== 'string' || typeof zone !== 'string') return [];
    return isCount(free) && free > 0
      ? [{ id, instanceType, zone, free, tags: tagsOf(reservation), ...(typeof owner === 'string' ? { owner } : {}) }]
      : [];
  });
}

function tagsOf({ Tags: tags }: PlainRecord): Readonly<Record<string, string>> {
  return stringMapOf(Object.fromEntries(recordsOf(tags).map(({ Key: key, Value: value }) => [valueText(key), value])));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
