import { Catalog } from '../catalog';
import { PackerSolution } from '../kernel';
import { Requirements, ResourceList } from '../model';
import { bitReader, DaemonGroup } from './daemon-groups';
import { PoolView, ScheduleInput } from './domain';
import { LaunchPricing } from './launch-options';
import { isStatic } from './static-pools';
import { PoolTemplate, templateOf } from './templates';
import { admission, compatibleOfferings, isOffered, typesWithoutPods } from './type-filter';

const NO_OVERHEAD: ResourceList = new Map();

interface SolvedTemplates {
  readonly solution: PackerSolution;
  /** The daemonset groups of each template. */
  readonly groups: ReadonlyArray<readonly DaemonGroup[]>;
}

interface Scene {
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
  readonly templates: readonly PoolTemplate[];
}

/** What each pool can launch, by name. Pools whose node class is missing can launch nothing. */
export function poolViews({ input, catalog, templates }: Scene, solved: SolvedTemplates | undefined, pricing: LaunchPricing): PoolView[] {
  return [...input.nodePools].sort((left, right) => left.name < right.name ? -1 : 1).map((pool) => {
    const template = templateOf(pool, input, catalog);
    if (template && isStatic(pool)) return viewOf(template, typesWithoutPods(template.table, template.requirements), () => NO_OVERHEAD, pricing);
    const at = templates.findIndex(({ pool: { name } }) => name === pool.name);
    if (at < 0 || solved === undefined) {
      return { name: pool.name, instanceTypes: [], zones: [], capacityTypes: [], elimination: [], daemonOverhead: [] };
    }
    const { solution, groups } = solved;
    const has = bitReader(solution.options, at * solution.typeBytes);
    return viewOf(templates[at], has, (type) => groups[at].find((group) => group.has(type))?.overhead ?? NO_OVERHEAD, pricing);
  });
}

function viewOf(template: PoolTemplate, has: (type: number) => boolean, overhead: (type: number) => ResourceList, pricing: LaunchPricing): PoolView {
  const { pool, table, requirements } = template;
  const { types, zones, capacityTypes } = pricing.options(table, compatibleOfferings(table, requirements), has);
  return {
    name: pool.name,
    instanceTypes: types.map((type) => table.names[type]),
    zones,
    capacityTypes,
    elimination: elimination(template),
    daemonOverhead: types.map(overhead),
  };
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
