import { Catalog } from '../catalog';
import { PackerSolution } from '../kernel';
import { ResourceList } from '../model';
import { bitReader, DaemonGroup } from './daemon-groups';
import { poolFunnel } from './explanation/elimination';
import { LaunchPricing } from './launch-options';
import { shortMinima } from './launchable-types';
import { minValuesOf } from './min-values';
import { ScheduleInput } from './schedule-input';
import { Elimination, PoolView } from './schedule-plan';
import { isStatic } from './static-pools';
import { PoolTemplate, templateOf } from './templates';
import { compatibleOfferings, typesWithoutPods } from './type-filter';

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
    elimination: eliminationOf(template, types.length === 0),
    daemonOverhead: types.map(overhead),
  };
}

/** Where types are left and none is launched, it is for want of variety. */
function eliminationOf(template: PoolTemplate, launchesNothing: boolean): Elimination[] {
  const funnel = poolFunnel(template);
  const { requirements } = template;
  const [short] = launchesNothing ? shortMinima({ template, minValues: minValuesOf(requirements), requirements }, funnel.types) : [];
  if (short !== undefined) funnel.endByMinValues(short);
  return funnel.steps;
}
