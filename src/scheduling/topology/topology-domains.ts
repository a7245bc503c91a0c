import { TopologyGroup } from './topology-groups';
import { carrierOf } from '../../catalog';
import { Requirement, Requirements, untolerated } from '../../model';
import { isStatic } from '../input/schedule-input';
import { PoolTemplate } from '../launch/pool-template';

/**
 * The domains that Karpenter knows for a group: the values of its label that pools and their instance types can give a
 * node. Offerings are ignored. A value that a pool lists counts even if no instance type has it.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go
 */
export function domainsOf({ key, domainTolerations }: TopologyGroup, templates: readonly PoolTemplate[]): Set<string> {
  const domains = new Set<string>();
  for (const template of templates) {
    // A static pool launches no node for a pod; only its existing nodes give domains.
    if (isStatic(template.pool)) continue;
    if (domainTolerations !== undefined && untolerated(template.pool.taints, domainTolerations).length > 0) continue;
    for (const domain of poolDomains(key, template)) domains.add(domain);
  }
  return domains;
}

function poolDomains(key: string, { pool, table }: PoolTemplate): string[] {
  const requirements = Requirements.from(pool.requirements);
  requirements.add(...Requirements.fromLabels(pool.labels).values());
  const own: Requirement | undefined = requirements.has(key) ? requirements.get(key) : undefined;
  const listed = own?.operator() === 'In' ? [...own.values] : [];
  const column = table.labels.find((label) => label.key === key);
  // For a label that no instance type has, excluded values count as known domains, too.
  if (column === undefined) return own === undefined ? [] : [...own.values];
  const carries = carrierOf(column);
  const carried = column.values.filter(
    (_, code) => column.sets === undefined || table.names.some((_name, type) => carries(type, code)),
  );
  return [...listed, ...carried.filter((value) => own === undefined || own.has(value))];
}
