import { provenBound } from './certificate';
import { costGap, CostGap } from './cost-gap';
import { CoveringRows, NamedRow } from './covering-rows';
import { mixedRow, podWorths } from './mixed-row';
import { LaunchOption, nodeOptions, offeringKey, typeKey } from './node-options';
import { Demand, demandOf, placedPods } from './pod-kinds';
import { CoveringProgram, dualValues } from './simplex';
import { zoneRows } from './zone-rows';
import { zonedPods } from './zoned-pods';
import { Catalog } from '../../catalog';
import { amountsPerColumnUnit, Label } from '../../model';
import { ExistingNode, ScheduleInput } from '../input/schedule-input';
import { Offer, SchedulePlan } from '../schedule-plan';

/**
 * Lower bound in USD per hour for the new nodes of every fleet that runs the placed pods on nodes of these NodePools;
 * null if no pod is placed on a new node.
 *
 * A linear program: all nodes together provide what the pods request of each resource, and enough places for whole
 * pods of each kind, for the pods of at least some size, for pods that keep apart from each other, and for pods that
 * are spread over hosts or zones. Node selectors, affinity to nodes, taints, zones of volumes, DaemonSets and host
 * ports count; affinity between pods, limits and minValues do not, and can only make a fleet dearer. The bound is what
 * the dual values prove in exact integers.
 */
export function costLowerBound(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): number | null {
  return explainedBound(input, plan, catalog)?.usdPerHour ?? null;
}

/** A lower bound, and why the plan costs more. */
export interface ExplainedBound {
  readonly usdPerHour: number;
  /** @param prices what each NodeClaim of the plan costs an hour */
  gap(prices: readonly number[]): CostGap | undefined;
}

/** As `costLowerBound`, with what makes the plan dearer. */
export function explainedBound(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): ExplainedBound | undefined {
  if (plan.nodeClaims.every(({ groups }) => groups.size === 0)) return undefined;
  const solved = solvedProgram(input, plan, catalog);
  if (solved.rows.length === 0) return undefined;
  const usdPerHour = provenBound(programOf(solved), solved.values);
  return { usdPerHour, gap: (prices) => costGap({ ...solved, usdPerHour }, plan, prices) };
}

/** What pods and nodes are worth by the dual values of the bound, in USD per hour. */
export interface PodPrices {
  /** @param podClass index into the classes of the placed pods */
  valueOf(podClass: number): number;
  /** At least the value of all pods that a node of this offering can hold together. Infinity if that is unknown. */
  worthOf(nodePool: string, offer: Offer): number;
  /** The price of one unit of a resource on such a node. */
  unitPriceOf(nodePool: string, offer: Offer, resource: string): number;
}

export function podPrices(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): PodPrices {
  const { rows, options, demand, values } = solvedProgram(input, plan, catalog);
  const worths = podWorths(demand.kinds, rows, values);
  const columns = new Map<string, number>();
  options.forEach(({ nodePool, instanceType, offerings }, column) => {
    for (const offering of offerings) columns.set(`${typeKey(nodePool, instanceType)}/${offering}`, column);
  });
  const columnOf = (nodePool: string, offer: Offer) =>
    columns.get(`${typeKey(nodePool, offer.instanceType)}/${offeringKey(offer)}`);
  return {
    valueOf: (podClass) => worths[podClass],
    worthOf: (nodePool, offer) => {
      const column = columnOf(nodePool, offer);
      if (column === undefined) return Infinity;
      return rows.reduce((sum, { provided }, row) => sum + values[row] * provided[column], 0);
    },
    unitPriceOf: (nodePool, offer, resource) => {
      const column = columnOf(nodePool, offer);
      if (column === undefined) return 0;
      return rows.reduce(
        (sum, { what, provided }, row) => (what === resource && provided[column] > 0 ? sum + values[row] : sum),
        0,
      );
    },
  };
}

/** The linear program whose value no fleet for the placed pods can undercut. */
export function coveringProgram(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): CoveringProgram {
  return programOf(solvedProgram(input, plan, catalog));
}

interface SolvedProgram {
  readonly demand: Demand;
  readonly rows: readonly NamedRow[];
  readonly options: readonly LaunchOption[];
  readonly values: Float64Array;
}

function programOf({ rows, options }: Pick<SolvedProgram, 'rows' | 'options'>): CoveringProgram {
  return { prices: options.map(({ usdPerHour }) => usdPerHour), rows };
}

/** Solved twice: the second time with the row that the first dual values give. */
function solvedProgram(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): SolvedProgram {
  const placed = placedPods(input, plan);
  const demand = demandOf(placed);
  const planned = plan.nodeClaims.flatMap(({ nodePool, launch }) =>
    launch === undefined ? [] : [typeKey(nodePool, launch.cheapest.instanceType)],
  );
  const options = nodeOptions(input, demand, catalog, new Set(planned));
  const existing = (input.nodes ?? []).map((node) => roomLeft(node, demand));
  const nodes = (input.nodes ?? []).map(({ labels }, node) => ({ room: existing[node], zone: labels[Label.ZONE] }));
  const rows = [
    ...new CoveringRows(demand, options, existing).all(),
    ...zoneRows(demand, zonedPods(input, plan, placed, catalog), options, nodes),
  ];
  const values = dualValues(programOf({ rows, options }));
  const mixed = mixedRow(demand, options, existing, rows, values);
  if (mixed === undefined) return { demand, rows, options, values };
  const all = [...rows, mixed];
  return { demand, rows: all, options, values: dualValues(programOf({ rows: all, options })) };
}

/** What the node's running pods leave, rounded up. */
function roomLeft({ allocatable, pods, markedForDeletion }: ExistingNode, { resources }: Demand): Float64Array {
  return Float64Array.from(resources, (resource) => {
    const used = pods.reduce(
      (sum, { shape }) => sum + (resource === 'pods' ? 1n : (shape.requests.get(resource) ?? 0n)),
      0n,
    );
    const left = Number((allocatable.get(resource) ?? 0n) - used) / amountsPerColumnUnit(resource);
    return markedForDeletion ? 0 : Math.max(0, Math.ceil(left));
  });
}
