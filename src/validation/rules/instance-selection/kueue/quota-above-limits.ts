import { setField, unsafeFix } from '../../../../contract';
import { amountsText, formatAmount, listText, Quantity, resourceAmount } from '../../../../model';
import { ManifestObject } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { Pool } from '../../common/pool';
import { SubjectFinding } from '../../define-rule';

/**
 * Quotas of a flavor above the limits of all NodePools that launch its nodes.
 *
 * @param queues - the ClusterQueues of the input
 */
export function quotasAboveLimits(
  flavor: string,
  pools: readonly Pool[],
  queues: readonly ManifestObject[],
): SubjectFinding[] {
  const names = listText(pools.map(({ name }) => name));
  return queues.flatMap((object) =>
    recordsOf(object.raw.spec?.resourceGroups).flatMap((group, g) =>
      recordsOf(group.flavors).flatMap(({ name, resources }, f) =>
        (name === flavor ? recordsOf(resources) : []).flatMap((entry, index): SubjectFinding[] => {
          const resource = String(entry.name);
          const quantity = Quantity.tryParse(entry.nominalQuota);
          const limits = pools.map(({ spec }) => spec?.limits.get(resource));
          if (quantity === undefined || limits.length === 0) return [];
          if (limits.some((limit) => limit === undefined)) return [];
          const limit = limits.reduce<bigint>((sum, each) => sum + each!, 0n);
          const quota = resourceAmount(resource, quantity);
          if (quota <= limit) return [];
          const text = (amount: bigint) => amountsText([resource], new Map([[resource, amount]]));
          const path = ['spec', 'resourceGroups', g, 'flavors', f, 'resources', index, 'nominalQuota'];
          const needed = formatAmount(resource, limit);
          return [
            {
              object,
              path,
              severity: 'warning',
              message: `is ${text(quota)}, and limits of NodePool ${names} allow nodes with ${text(limit)}: Kueue admits more pods than get a node, and the rest stays Pending`,
              remedy: `write nominalQuota: ${needed} or less, or raise the limits of NodePool ${names}`,
              evidence: { flavor, resource, nominalQuota: formatAmount(resource, quota), limits: needed },
              fix: unsafeFix(setField(path, /^\d+$/.test(needed) ? Number(needed) : needed)),
            },
          ];
        }),
      ),
    ),
  );
}
