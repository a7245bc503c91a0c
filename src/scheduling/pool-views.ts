import { PackerSolution } from '../kernel';
import { Requirements, ResourceList } from '../model';
import { bitReader, DaemonGroup } from './daemon-groups';
import { NodePoolSpec, PoolView } from './domain';
import { LaunchPricing } from './launch-options';
import { PoolTemplate } from './templates';
import { admission, compatibleOfferings, isOffered } from './type-filter';

const NO_OVERHEAD: ResourceList = new Map();

/** What each pool can launch, by name. Pools whose node class is missing can launch nothing. */
export function poolViews(
  pools: readonly NodePoolSpec[], templates: readonly PoolTemplate[], solution: PackerSolution | undefined,
  groups: ReadonlyArray<readonly DaemonGroup[]>, pricing: LaunchPricing,
): PoolView[] {
  return [...pools].sort((left, right) => left.name < right.name ? -1 : 1).map((pool) => {
    const at = templates.findIndex((template) => template.pool === pool);
    if (at < 0 || solution === undefined) {
      return { name: pool.name, instanceTypes: [], zones: [], capacityTypes: [], elimination: [], daemonOverhead: [] };
    }
    const template = templates[at];
    const has = bitReader(solution.options, at * solution.typeBytes);
    const { types, zones, capacityTypes } = pricing.options(template.table, compatibleOfferings(template.table, template.requirements), has);
    return {
      name: pool.name,
      instanceTypes: types.map((type) => template.table.names[type]),
      zones,
      capacityTypes,
      elimination: elimination(template),
      daemonOverhead: types.map((type) => groups[at].find((group) => group.has(type))?.overhead ?? NO_OVERHEAD),
    };
  });
}

/** How many of the catalogue's types are left after each requirement of the pool, in the order in which they are written. */
function elimination({ pool, table, requirements }: PoolTemplate): Array<{ constraint: string; left: number }> {
  const left = table.names.map((_, type) => type);
  const steps = [{ constraint: 'catalogue', left: left.length }];
  const narrow = (constraint: string, keeps: (type: number) => boolean) => {
    left.splice(0, left.length, ...left.filter(keeps));
    steps.push({ constraint, left: left.length });
  };
  for (const spec of pool.requirements) {
    const [requirement] = Requirements.from([spec]).values();
    const column = table.labels.find((label) => label.key === requirement.key);
    if (column) narrow(String(requirement), admission(column, requirement));
  }
  for (const [key, value] of Object.entries(pool.labels).sort(([a], [b]) => a < b ? -1 : 1)) {
    const column = table.labels.find((label) => label.key === key);
    if (column) narrow(`label ${key}=${value}`, admission(column, requirements.get(key)));
  }
  const planes = compatibleOfferings(table, requirements);
  narrow('an available offering', (type) => isOffered(planes, type));
  narrow('allocatable left for pods', (type) => table.allocatable.every((column) => column[type] >= 0));
  return steps;
}
