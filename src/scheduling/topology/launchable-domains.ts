import { TopologyGroup } from './topology-groups';
import { carrierOf } from '../../catalog';
import { Label } from '../../model';
import { isStatic } from '../input/schedule-input';
import { PoolTemplate } from '../launch/pool-template';
import { compatibleOfferings, matchingTypes } from '../launch/type-filter';

/**
 * Tells which domains Karpenter knows although no NodePool can launch a node of them, for example the architecture
 * amd64 if a NodePool allows only families with arm64.
 */
export function unlaunchableDomains(
  { topologies }: { readonly topologies: { readonly groups: readonly Pick<TopologyGroup, 'key'>[] } },
  templates: readonly PoolTemplate[],
): (key: string, value: string) => boolean {
  const keys = new Set(topologies.groups.map(({ key }) => key).filter((key) => key !== Label.HOSTNAME));
  const byKey = new Map<string, ReadonlySet<string> | undefined>();
  return (key, value) => {
    if (!keys.has(key)) return false;
    if (!byKey.has(key)) byKey.set(key, launchableValues(key, templates));
    return byKey.get(key)?.has(value) === false;
  };
}

/** Undefined if a NodePool gives its nodes any value. */
function launchableValues(key: string, templates: readonly PoolTemplate[]): ReadonlySet<string> | undefined {
  const values = new Set<string>();
  for (const { pool, table, requirements } of templates) {
    if (isStatic(pool)) continue;
    if (key === Label.ZONE || key === Label.CAPACITY_TYPE) {
      for (const plane of compatibleOfferings(table, requirements))
        values.add(key === Label.ZONE ? plane.zone : plane.capacityType);
      continue;
    }
    const column = table.labels.find((label) => label.key === key);
    if (column === undefined) {
      const own = requirements.has(key) ? requirements.get(key) : undefined;
      if (own === undefined) continue;
      if (own.complement) return undefined;
      for (const value of own.values) values.add(value);
      continue;
    }
    const types = matchingTypes(table, requirements);
    const carries = carrierOf(column);
    column.values.forEach((value, code) => {
      if (types.some((type) => (column.sets === undefined ? column.codes[type] === code : carries(type, code))))
        values.add(value);
    });
  }
  return values;
}
