import { carrierOf } from '../catalog';
import { Requirement, Requirements, untolerated } from '../model';
import { isStatic } from './static-pools';
import { PoolTemplate } from './templates';
import { TopologyGroup } from './topology-groups';

/**
 * The domains of a group that Karpenter knows of: the values of its label that the pools and their instance types can give a node,
 * whatever offerings there are. A value that a pool lists counts even where no instance type has it.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go
 */
export function domainsOf({ key, domainTolerations }: TopologyGroup, templates: readonly PoolTemplate[]): Set<string> {
  const domains = new Set<string>();
  for (const template of templates) {
    // Where there is no pool but static ones, the domains are those of their nodes.
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
  // A label that no instance type has: what the pool excludes counts as known too.
  if (column === undefined) return own === undefined ? [] : [...own.values];
  const carries = carrierOf(column);
  const carried = column.values.filter((_, code) => column.sets === undefined || table.names.some((_name, type) => carries(type, code)));
  return [...listed, ...carried.filter((value) => own === undefined || own.has(value))];
}
