import { Catalog } from '../../catalog';
import { PackerSolution } from '../../kernel';
import { ResourceList } from '../../model';
import { ScheduleInput, isStatic } from '../input/schedule-input';
import { LaunchPricing } from '../launch/launch-pricing';
import { minValuesOf } from '../launch/min-values';
import { PoolTemplate, templateOf } from '../launch/pool-template';
import { compatibleOfferings, typesWithoutPods } from '../launch/type-filter';
import { bitReader, DaemonOverheadGroup } from '../nodes/daemon-overhead';
import { poolFunnel } from '../refusals/funnel';
import { minValuesShortfalls } from '../refusals/launchable-types';
import { Elimination, PoolView } from '../schedule-plan';

const NO_OVERHEAD: ResourceList = new Map();

interface SolvedTemplates {
  readonly solution: PackerSolution;
  /** The daemonset groups of each template. */
  readonly groups: ReadonlyArray<readonly DaemonOverheadGroup[]>;
}

interface PoolViewContext {
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
  readonly templates: readonly PoolTemplate[];
}

/** What each pool can launch, sorted by pool name. A pool without a node class launches nothing. */
export function poolViews(
  { input, catalog, templates }: PoolViewContext,
  solved: SolvedTemplates | undefined,
  pricing: LaunchPricing,
): PoolView[] {
  return [...input.nodePools]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map((pool) => {
      const template = templateOf(pool, input, catalog);
      if (template && isStatic(pool))
        return viewOf(template, typesWithoutPods(template.table, template.requirements), () => NO_OVERHEAD, pricing);
      const index = templates.findIndex(({ pool: { name } }) => name === pool.name);
      if (index < 0 || solved === undefined) {
        return {
          name: pool.name,
          instanceTypes: [],
          zones: [],
          capacityTypes: [],
          elimination: [],
          daemonOverhead: [],
        };
      }
      const { solution, groups } = solved;
      const has = bitReader(solution.options, index * solution.typeBytes);
      return viewOf(
        templates[index],
        has,
        (type) => groups[index].find((group) => group.has(type))?.overhead ?? NO_OVERHEAD,
        pricing,
      );
    });
}

function viewOf(
  template: PoolTemplate,
  has: (type: number) => boolean,
  overhead: (type: number) => ResourceList,
  pricing: LaunchPricing,
): PoolView {
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

/** If types are left but the pool launches none, the types do not meet minValues. */
function eliminationOf(template: PoolTemplate, launchesNothing: boolean): Elimination[] {
  const funnel = poolFunnel(template);
  const { requirements } = template;
  const [shortfall] = launchesNothing
    ? minValuesShortfalls({ template, minValues: minValuesOf(requirements), requirements }, funnel.types)
    : [];
  if (shortfall !== undefined) funnel.endByMinValues(shortfall);
  return funnel.steps;
}
