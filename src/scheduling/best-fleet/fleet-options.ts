import { Catalog, OfferingPlane } from '../../catalog';
import { amountsPerColumnUnit, Label, Requirements, untolerated, WELL_KNOWN_LABELS } from '../../model';
import { PodPrices } from '../cost/cost-bound';
import { PodClass } from '../encoding/pod-classes';
import { DaemonSetSpec, isStatic, ScheduleInput } from '../input/schedule-input';
import { NODES, PoolTemplate } from '../launch/pool-template';
import { compatibleOfferings, compatibleTypes } from '../launch/type-filter';
import { daemonOverheadByType, hostPortTest } from '../nodes/daemon-overhead';
import { Offer } from '../schedule-plan';
import { identityOf, requirementsIdentity } from '../topology/requirements-identity';

/** What a node costs an hour. Null if that is unknown. */
export type PriceOf = (nodePool: string, offer: Offer) => number | null;

/** An instance type of a NodePool in a zone, at one price. */
export interface FleetOption {
  readonly nodePool: string;
  readonly offer: Offer;
  readonly usdPerHour: number;
  /** At least what pods on it can be worth together by the dual values of the bound. */
  readonly worth: number;
  /** The part of the price that the room for a resource is worth by the dual values, by resource. */
  readonly shares: Float64Array;
  /** Index into the zones of the problem. */
  readonly zone: number;
  /** Index into the limits of the problem. */
  readonly pool: number;
  /** What pods can request after all DaemonSets that may run there, by resource. */
  readonly room: Float64Array;
  /**
   * By constraint: -1 if the pods cannot run there, else the labels that the node needs for them. Pods with different
   * labels above 0 cannot share a node.
   */
  readonly labels: Int16Array;
  /** Capacity by limited resource. */
  readonly capacity: Float64Array;
}

/** What an alternative of a constraint allows on nodes of a pool. */
interface Alternative {
  readonly types: readonly boolean[];
  readonly planes: ReadonlySet<OfferingPlane>;
  readonly label: number;
}

export interface OptionContext {
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
  readonly templates: readonly PoolTemplate[];
  /** One class for each constraint. */
  readonly constraints: readonly PodClass[];
  readonly resources: readonly string[];
  readonly zones: readonly string[];
  readonly limited: readonly string[];
  readonly priceOf: PriceOf;
  readonly prices: PodPrices;
}

/** Labels that an offering decides. Other labels with several values for a type are chosen when a node is launched. */
const OFFERING_LABELS: ReadonlySet<string> = new Set([
  Label.ZONE,
  Label.ZONE_ID,
  Label.CAPACITY_TYPE,
  Label.PLACEMENT_GROUP_PARTITION,
]);

/** Cheapest first, without options that another one replaces in every respect. */
export function fleetOptions(context: OptionContext): FleetOption[] {
  const labels = new Map<string, number>();
  const groups = new Map<string, FleetOption[]>();
  context.templates.forEach((template, pool) => {
    if (isStatic(template.pool)) return;
    for (const option of optionsOf(template, pool, context, labels)) {
      const isLimited = template.pool.limits.size > 0;
      const key = `${isLimited ? pool : ''} ${option.zone} ${option.labels.join()}`;
      const group = groups.get(key);
      if (group) group.push(option);
      else groups.set(key, [option]);
    }
  });
  return [...groups.values()].flatMap(withoutReplaceable).sort((left, right) => left.usdPerHour - right.usdPerHour);
}

function* optionsOf(
  template: PoolTemplate,
  pool: number,
  context: OptionContext,
  labels: Map<string, number>,
): Generator<FleetOption> {
  const { table } = template;
  const { constraints, zones, resources, limited, priceOf, prices } = context;
  const alternatives = constraints.map((podClass) => alternativesOf(podClass, template, labels));
  const rooms = roomsOf(template, context);
  const blocked = constraints.map(({ hostPorts = [] }) =>
    hostPortTest(template, template.requirements, daemonSetsOf(context.input), hostPorts),
  );
  for (const plane of table.offerings) {
    if (plane.reservation !== undefined) continue;
    const onPlane = alternatives.map((list) => list.filter(({ planes }) => planes.has(plane)));
    if (onPlane.every((list) => list.length === 0)) continue;
    for (let type = 0; type < table.names.length; type++) {
      if (Number.isNaN(plane.usdPerHour[type]) || table.allocatable.some((column) => column[type] < 0)) continue;
      const admitted = Int16Array.from(onPlane, (list, constraint) =>
        blocked[constraint](type) ? -1 : (list.find(({ types }) => types[type])?.label ?? -1),
      );
      if (admitted.every((label) => label < 0)) continue;
      const offer = {
        instanceType: table.names[type],
        zone: plane.zone,
        capacityType: plane.capacityType,
        usdPerHour: plane.usdPerHour[type],
        ...(plane.partition === undefined ? {} : { partition: plane.partition }),
      };
      const usdPerHour = priceOf(template.pool.name, offer);
      if (usdPerHour === null) continue;
      const room = rooms(type, resources);
      yield {
        nodePool: template.pool.name,
        offer,
        usdPerHour,
        zone: zones.indexOf(plane.zone),
        pool,
        worth: prices.worthOf(template.pool.name, offer),
        shares: Float64Array.from(resources, (resource, index) => {
          const unit = prices.unitPriceOf(template.pool.name, offer, resource);
          return usdPerHour === 0 ? 0 : (unit * room[index]) / usdPerHour;
        }),
        room,
        labels: admitted,
        capacity: Float64Array.from(limited, (resource) =>
          resource === NODES ? 1 : (table.capacity[table.resources.indexOf(resource)]?.[type] ?? 0),
        ),
      };
    }
  }
}

function alternativesOf(podClass: PodClass, template: PoolTemplate, labels: Map<string, number>): Alternative[] {
  const { variants, volumeTopology } = podClass;
  const { pool, table, requirements } = template;
  if (untolerated(pool.taints, variants[variants.length - 1].tolerations).length > 0) return [];
  const terms = [...new Map(variants.map(({ strict }) => [requirementsIdentity(strict), strict])).values()];
  const volumes = volumeTopology.length === 0 ? [new Requirements()] : volumeTopology;
  return terms.flatMap((term) =>
    volumes.flatMap((volume) => {
      const node = requirements.copy();
      for (const wanted of [term, volume]) {
        if (!node.isCompatible(wanted, WELL_KNOWN_LABELS)) return [];
        node.add(...wanted.values());
      }
      const planes = new Set(compatibleOfferings(table, node));
      return [{ types: compatibleTypes(table, node), planes, label: labelOf(node, template, labels) }];
    }),
  );
}

/** A number for the requirements on labels that neither the instance type nor the offering decides; 0 without any. */
function labelOf(node: Requirements, { pool, table, requirements }: PoolTemplate, labels: Map<string, number>): number {
  const isDecided = (key: string) => {
    const column = table.labels.find((label) => label.key === key);
    return OFFERING_LABELS.has(key) || (column !== undefined && column.sets === undefined);
  };
  const open = node
    .values()
    .filter((wanted) => !isDecided(wanted.key))
    .filter(({ key }) => !requirements.has(key) || identityOf(requirements.get(key)) !== identityOf(node.get(key)));
  if (open.length === 0) return 0;
  const text = `${pool.name} ${open.map(identityOf).join()}`;
  const number = labels.get(text) ?? labels.size + 1;
  labels.set(text, number);
  return number;
}

/** Karpenter keeps no room for DaemonSets with resource claims. */
function daemonSetsOf({ daemonSets, settings }: ScheduleInput): DaemonSetSpec[] {
  return daemonSets.filter(({ shape }) => !shape.resourceClaims || settings.ignoreDraRequests === false);
}

/** What the instance types have for pods besides all DaemonSets that a node of the pool can run. */
function roomsOf(
  template: PoolTemplate,
  { input }: OptionContext,
): (type: number, resources: readonly string[]) => Float64Array {
  const overhead = daemonOverheadByType(template, template.requirements, daemonSetsOf(input));
  const { table } = template;
  return (type, resources) => {
    const used = overhead(type);
    return Float64Array.from(resources, (resource) => {
      const column = table.allocatable[table.resources.indexOf(resource)];
      const unit = BigInt(amountsPerColumnUnit(resource));
      const taken = Number(((used.get(resource) ?? 0n) + unit - 1n) / unit);
      return column === undefined ? 0 : Math.max(0, Math.floor(column[type]) - taken);
    });
  };
}

function withoutReplaceable(options: readonly FleetOption[]): FleetOption[] {
  const left: FleetOption[] = [];
  for (const option of [...options].sort((one, other) => one.usdPerHour - other.usdPerHour))
    if (!left.some((cheaper) => isAtLeast(cheaper, option))) left.push(option);
  return left;
}

/** Hot path. */
function isAtLeast(cheaper: FleetOption, option: FleetOption): boolean {
  for (let resource = 0; resource < option.room.length; resource++)
    if (cheaper.room[resource] < option.room[resource]) return false;
  for (let resource = 0; resource < option.capacity.length; resource++)
    if (cheaper.capacity[resource] > option.capacity[resource]) return false;
  return true;
}
