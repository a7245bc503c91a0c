/* eslint-disable no-bitwise -- sets of domains are bit sets */
import { InstanceTypeTable } from '../../catalog';
import { Label } from '../../model';
import { ClassifiedPods } from '../encoding/pod-classes';
import { distinctTables } from '../encoding/pool-encoder';
import { EncodedProblem } from '../encoding/problem';
import { PoolTemplate } from '../launch/pool-template';
import { domainsOf } from '../topology/topology-domains';

const WORD_BITS = 64;

/** Bit set of the topology domains that the pools offer, regardless of existing nodes. */
export function offeredDomains(
  { problem, vocabulary }: EncodedProblem,
  { topologies: { groups } }: ClassifiedPods,
  templates: readonly PoolTemplate[],
): BigUint64Array {
  const offered = new BigUint64Array(problem.topologyDomains.length);
  const bits = new Uint8Array(offered.buffer);
  groups.forEach((group, index) => {
    if (group.key === Label.HOSTNAME) return;
    for (const domain of domainsOf(group, templates)) {
      const slot = problem.topologyDomainStart[index] * WORD_BITS + vocabulary.valueNumber(group.key, domain);
      bits[slot >> 3] |= 1 << (slot & 7);
    }
  });
  return offered;
}

/** Whether two lists of templates differ only in which offerings are available, and in their prices. */
export function differOnlyInOfferings(before: readonly PoolTemplate[], after: readonly PoolTemplate[]): boolean {
  const [viewsBefore, viewsAfter] = [distinctTables(before), distinctTables(after)];
  return (
    before.length === after.length &&
    before.every(({ pool, table }, index) => {
      const current = after[index];
      return (
        pool === current.pool &&
        viewsBefore.indexOf(table) === viewsAfter.indexOf(current.table) &&
        haveSameTypes(table, current.table)
      );
    })
  );
}

function haveSameTypes(left: InstanceTypeTable, right: InstanceTypeTable): boolean {
  const haveSamePlanes =
    left.offerings.length === right.offerings.length &&
    left.offerings.every(({ zone, zoneId, capacityType, reservation }, index) => {
      const plane = right.offerings[index];
      return (
        zone === plane.zone &&
        zoneId === plane.zoneId &&
        capacityType === plane.capacityType &&
        reservation === plane.reservation
      );
    });
  return (
    haveSamePlanes &&
    left.labels === right.labels &&
    left.allocatable === right.allocatable &&
    left.capacity === right.capacity
  );
}
