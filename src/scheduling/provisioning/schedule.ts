import { countsOnNodes, filledNodes } from './node-claims';
import { FilledNode, PlannedNodeClaim, SchedulePlan, UnschedulablePod, Elimination, PoolView } from '../schedule-plan';
import { unschedulable } from './refusals';
import { SolvedInput, solveInput } from './solve';
import { staticClaims } from './static-nodes';
import { Catalog } from '../../catalog';
import { PackerSolution } from '../../kernel';
import { ResourceList } from '../../model';
import { ScheduleInput, isStatic } from '../input/schedule-input';
import { LaunchPricing } from '../launch/launch-pricing';
import { minValuesOf } from '../launch/min-values';
import { poolTables } from '../launch/overlays/node-overlays';
import { PoolTemplate, templateOf } from '../launch/pool-template';
import { compatibleOfferings, typesWithoutPods } from '../launch/type-filter';
import { bitReader, DaemonOverheadGroup } from '../nodes/daemon-overhead';
import { poolFunnel } from '../refusals/funnel';
import { minValuesShortfalls } from '../refusals/launchable-types';

/**
 * Simulates one pass of Karpenter's provisioner in which all pods are pending.
 *
 * @throws PackerLimitError if the pools alone exceed the solver's bounds
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedule(input: ScheduleInput, catalog: Catalog): SchedulePlan {
  return planOf(solveInput(input, catalog), input, catalog);
}

/** Converts a solved input into a plan. */
export function planOf(solvedInput: SolvedInput, input: ScheduleInput, catalog: Catalog): SchedulePlan {
  return { ...planWithoutReasons(solvedInput, input, catalog), unschedulable: unschedulablePods(solvedInput, true) };
}

/** Same as `planOf`, but without messages: refusals only have their flags. Messages take longer than the solve. */
export function planWithoutReasons(solvedInput: SolvedInput, input: ScheduleInput, catalog: Catalog): SchedulePlan {
  const { workload, solved, pricing, notEvaluated } = solvedInput;
  return {
    pools: poolViews({ ...workload, input, catalog }, solved, pricing),
    ...plannedPlacements(solvedInput),
    unschedulable: unschedulablePods(solvedInput, false),
    notEvaluated,
    overlayConflicts: poolTables(input, catalog).conflicts,
  };
}

/** @param withReasons whether to add Karpenter's messages and the diagnoses, which take longer than the solve */
export function unschedulablePods(solvedInput: SolvedInput, withReasons: boolean): UnschedulablePod[] {
  const { indices, final, ignored } = solvedInput;
  return [
    ...ignored,
    ...[...unschedulable(solvedInput, withReasons), ...final.refused].map((pod) => ({
      ...pod,
      group: indices[pod.group],
    })),
  ];
}

/** Where the pods are scheduled. */
export function plannedPlacements(solvedInput: SolvedInput): Pick<SchedulePlan, 'nodeClaims' | 'filledNodes'> {
  const { indices, workload, solved, staticNodes } = solvedInput;
  const staticNames = new Set(staticNodes.flatMap(({ node }) => node?.name ?? []));
  const existing = filledNodes(workload, solved?.solution).filter(({ node }) => !staticNames.has(node));
  return {
    nodeClaims: claimsOf(solvedInput),
    filledNodes: existing.map(({ node, pods, groups }) => numbered({ node, pods, groups }, indices)),
  };
}

/** Pod counts by group on existing nodes. Use it only if no static pool needs new nodes. */
export function podCountsOnFilledNodes({
  workload,
  solved,
  indices,
}: SolvedInput): Array<Pick<FilledNode, 'node' | 'groups'>> {
  return (solved ? countsOnNodes(solved.solution, indices) : []).map(([index, groups]) => ({
    node: workload.nodes[index].node.name,
    groups,
  }));
}

/** The planned NodeClaims: claims of static pools first. */
export function claimsOf({ workload, solved, staticNodes, indices, final }: SolvedInput): PlannedNodeClaim[] {
  const staticNodeClaims =
    staticNodes.length === 0 ? [] : staticClaims(staticNodes, workload, filledNodes(workload, solved?.solution));
  return [...staticNodeClaims, ...final.claims].map((claim) => numbered(claim, indices));
}

/**
 * Pairs of existing node and pod group with pods on it, in order of placement.
 *
 * @param names nodes to include. @default - all
 */
export function podGroupsOnNodes({ workload, solved, indices }: SolvedInput, names?: ReadonlySet<string>) {
  const { placements = [] } = solved?.solution ?? {};
  const byNode = new Map<string, Set<number>>();
  for (let index = 0; names?.size !== 0 && index < placements.length; index += 2) {
    if (placements[index + 1] >= 0) continue;
    const { name } = workload.nodes[-1 - placements[index + 1]].node;
    if (names?.has(name) ?? true) byNode.set(name, (byNode.get(name) ?? new Set()).add(indices[placements[index]]));
  }
  return [...byNode].flatMap(([node, groups]) => [...groups].map((group) => ({ node, group })));
}

/** Replaces the workload's group numbers with indices into `ScheduleInput.pods`. */
function numbered<Placed extends { readonly groups: ReadonlyMap<number, number> }>(
  placed: Placed,
  indices: SolvedInput['indices'],
): Placed {
  return { ...placed, groups: new Map([...placed.groups].map(([group, count]) => [indices[group], count])) };
}

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
function poolViews(
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
