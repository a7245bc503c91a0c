import { Demand } from './pod-kinds';
import { BilledOffer, carrierOf, Catalog, InstanceTypeTable, LabelColumn } from '../../catalog';
import {
  amountsPerColumnUnit,
  memoizeByIdentity,
  Requirement,
  Requirements,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../model';
import { DaemonSetSpec, ScheduleInput } from '../input/schedule-input';
import { PoolTemplate, templateOf } from '../launch/pool-template';
import { admission, compatibleOfferings, compatibleTypes } from '../launch/type-filter';
import { windowsPools } from '../launch/windows-pools';
import { daemonVariants } from '../pods/relaxation';
import { requirementsIdentity } from '../topology/requirements-identity';

/** A node that some NodePool can launch. */
export interface NodeOption {
  /** USD per hour of the cheapest offering that the same pods may use. */
  readonly usdPerHour: number;
  /** Room for pods by resource of the demand, after the DaemonSets that always run there. */
  readonly room: Float64Array;
  /** 1 for each constraint of the demand whose pods may run there. */
  readonly admits: Uint8Array;
}

/** A node option, and where it comes from. */
export interface LaunchOption extends NodeOption {
  readonly nodePool: string;
  readonly instanceType: string;
  /** Zone and capacity type of its offerings, as `offeringKey` has them. */
  readonly offerings: ReadonlySet<string>;
}

export function offeringKey({ zone, capacityType }: { readonly zone: string; readonly capacityType: string }): string {
  return `${zone}/${capacityType}`;
}

export function typeKey(nodePool: string, instanceType: string): string {
  return `${nodePool}/${instanceType}`;
}

/** The instance types and offerings that one constraint allows on nodes of one NodePool. */
interface Allowed {
  readonly constraint: number;
  readonly types: readonly boolean[];
  readonly planes: ReadonlySet<number>;
}

/**
 * All nodes that the NodePools can launch for the pods. A node is left out if another one is not dearer, takes the same
 * pods and has as much room of each resource.
 *
 * @param kept types that are not left out, as `typeKey` has them
 */
export function nodeOptions(
  input: ScheduleInput,
  demand: Demand,
  catalog: Catalog,
  kept: ReadonlySet<string> = new Set(),
): LaunchOption[] {
  const templates = input.nodePools.flatMap((pool) => templateOf(pool, input, catalog) ?? []);
  const byAdmitted = new Map<string, LaunchOption[]>();
  for (const template of templates) {
    for (const option of optionsOf(template, input, demand, catalog)) {
      const key = option.admits.join('');
      const options = byAdmitted.get(key);
      if (options === undefined) byAdmitted.set(key, [option]);
      else options.push(option);
    }
  }
  return [...byAdmitted.values()].flatMap((options) => withoutDominated(options, kept));
}

/** Hot path: what types have in common is computed once. */
function* optionsOf(
  template: PoolTemplate,
  input: ScheduleInput,
  demand: Demand,
  catalog: Catalog,
): Generator<LaunchOption> {
  const allowed = demand.constraints.flatMap((_, constraint) => allowedBy(template, demand, constraint));
  const { table } = template;
  const roomOf = roomsOf(template, input, demand.resources);
  const prices = (windowsPools(input).has(template.pool.name) ? windowsPrices : leastPrices)(table)(catalog);
  const byAllowed = new Map<string, AdmittingPlanes>();
  for (let type = 0; type < table.names.length; type++) {
    let key = '';
    for (const { types } of allowed) key += types[type] ? '1' : '0';
    if (!key.includes('1') || table.allocatable.some((column) => column[type] < 0)) continue;
    let planes = byAllowed.get(key);
    if (planes === undefined) {
      const onType = allowed.filter(({ types }) => types[type]);
      byAllowed.set(key, (planes = new AdmittingPlanes(table, onType, demand.constraints.length)));
    }
    const from = { nodePool: template.pool.name, instanceType: table.names[type] };
    const room = roomOf(type);
    for (const offer of planes.offersOf(type, prices)) yield { ...from, ...offer, room };
  }
}

type AdmittedOffer = Pick<LaunchOption, 'admits' | 'usdPerHour' | 'offerings'>;

/** The offerings of instance types that the same constraints allow, grouped by the constraints that allow them. */
class AdmittingPlanes {
  /** By offering plane: the constraints that allow it. Planes with equal constraints share one array. */
  private readonly admits: ReadonlyArray<Uint8Array | undefined>;
  private readonly keys: readonly string[];
  /** Types with the same offerings share one set. */
  private readonly offerings = new Map<string, ReadonlySet<string>>();

  public constructor({ offerings }: InstanceTypeTable, onType: readonly Allowed[], constraints: number) {
    const shared = new Map<string, Uint8Array>();
    this.keys = offerings.map(offeringKey);
    this.admits = offerings.map((_, plane) => {
      const admits = new Uint8Array(constraints);
      for (const { constraint, planes } of onType) if (planes.has(plane)) admits[constraint] = 1;
      if (!admits.includes(1)) return undefined;
      const key = admits.join('');
      if (!shared.has(key)) shared.set(key, admits);
      return shared.get(key);
    });
  }

  /** @param prices by offering plane and type; NaN if the type is not offered */
  public offersOf(type: number, prices: readonly Float64Array[]): AdmittedOffer[] {
    const found = new Map<Uint8Array, { usdPerHour: number; planes: string }>();
    for (let plane = 0; plane < prices.length; plane++) {
      const [admits, usdPerHour] = [this.admits[plane], prices[plane][type]];
      if (admits === undefined || Number.isNaN(usdPerHour)) continue;
      const known = found.get(admits);
      if (known === undefined) {
        found.set(admits, { usdPerHour, planes: `${plane}` });
        continue;
      }
      known.usdPerHour = Math.min(usdPerHour, known.usdPerHour);
      known.planes += `,${plane}`;
    }
    return [...found].map(([admits, { usdPerHour, planes }]) => ({
      admits,
      usdPerHour,
      offerings: this.offeringsOf(planes),
    }));
  }

  private offeringsOf(planes: string): ReadonlySet<string> {
    let offerings = this.offerings.get(planes);
    if (offerings === undefined) {
      offerings = new Set(planes.split(',').map((plane) => this.keys[Number(plane)]));
      this.offerings.set(planes, offerings);
    }
    return offerings;
  }
}

const leastPrices = pricesBy(leastPrice);
const windowsPrices = pricesBy(
  (offer, catalog) => catalog.bill({ ...offer, isWindows: true }).pricePerHour ?? leastPrice(offer, catalog),
);

type LeastPrice = (offer: BilledOffer, catalog: Catalog) => number;

/** What a node of each type costs at least in each offering plane; NaN if the type is not offered. */
function pricesBy(price: LeastPrice): (table: InstanceTypeTable) => (catalog: Catalog) => readonly Float64Array[] {
  return memoizeByIdentity((table: InstanceTypeTable) =>
    memoizeByIdentity((catalog: Catalog) =>
      table.offerings.map(({ usdPerHour: prices, capacityType, reservation }) =>
        prices.map((usdPerHour, type) => {
          if (reservation !== undefined || Number.isNaN(usdPerHour)) return usdPerHour;
          const isOverlaid = table.priceOverlaid?.[type] === 1;
          return price({ instanceType: table.names[type], capacityType, usdPerHour, isOverlaid }, catalog);
        }),
      ),
    ),
  );
}

/** EC2 charges less than Karpenter compares for some bare metal types. */
function leastPrice(offer: BilledOffer, catalog: Catalog): number {
  return Math.min(offer.usdPerHour, catalog.bill(offer).pricePerHour ?? Infinity);
}

/** One entry for each alternative of required node affinity and of volumes. */
function allowedBy(template: PoolTemplate, demand: Demand, constraint: number): Allowed[] {
  const { variants, volumeTopology } = demand.constraints[constraint];
  if (untolerated(template.pool.taints, variants[variants.length - 1].tolerations).length > 0) return [];
  const terms = [...new Map(variants.map(({ strict }) => [requirementsIdentity(strict), strict])).values()];
  const volumes = volumeTopology.length === 0 ? [new Requirements()] : volumeTopology;
  return terms.flatMap((term) =>
    volumes.flatMap((volume) => {
      const node = joined(template.requirements, [term, volume]);
      if (node === undefined) return [];
      const { table } = template;
      const planes = new Set(compatibleOfferings(table, node).map((plane) => table.offerings.indexOf(plane)));
      return planes.size === 0 ? [] : [{ constraint, types: compatibleTypes(table, node), planes }];
    }),
  );
}

/** Undefined if the requirements exclude each other. */
function joined(own: Requirements, others: readonly Requirements[]): Requirements | undefined {
  const node = own.copy();
  for (const other of others) {
    if (!node.isCompatible(other, WELL_KNOWN_LABELS)) return undefined;
    node.add(...other.values());
  }
  return node;
}

/** The room for pods on an empty node of each type, after the DaemonSets that always run there. */
function roomsOf(
  template: PoolTemplate,
  { daemonSets, settings }: ScheduleInput,
  resources: readonly string[],
): (type: number) => Float64Array {
  // Karpenter keeps no room for DaemonSets with resource claims.
  const counted = daemonSets.filter(({ shape }) => !shape.resourceClaims || settings.ignoreDraRequests === false);
  const hosts = counted.map((daemonSet) => ({ daemonSet, runsOn: alwaysRunsOn(daemonSet, template) }));
  const { table } = template;
  const columns = resources.map((resource) => table.allocatable[table.resources.indexOf(resource)]);
  const unitsByHosts = new Map<string, readonly number[]>();
  return (type) => {
    let key = '';
    for (const { runsOn } of hosts) key += runsOn(type) ? '1' : '0';
    let units = unitsByHosts.get(key);
    if (units === undefined) {
      const running = hosts.filter((_, index) => key[index] === '1').map(({ daemonSet }) => daemonSet);
      units = resources.map((resource) => unitsOf(resource, running));
      unitsByHosts.set(key, units);
    }
    const room = new Float64Array(resources.length);
    for (let index = 0; index < room.length; index++) {
      const column = columns[index];
      if (column !== undefined) room[index] = Math.max(0, Math.floor(column[type]) - units[index]);
    }
    return room;
  };
}

/** What the DaemonSets request together, in the unit of the table. */
function unitsOf(resource: string, running: readonly DaemonSetSpec[]): number {
  const used = running.reduce(
    (sum, { shape }) => sum + (resource === 'pods' ? 1n : (shape.requests.get(resource) ?? 0n)),
    0n,
  );
  return Math.max(0, Number(used / BigInt(amountsPerColumnUnit(resource))));
}

/**
 * The instance types on which the DaemonSet runs, whatever else pods require of a node of the pool. A DaemonSet that
 * some nodes of a type have and others have not is left out, so that the room is never too small. Karpenter looks at
 * one term of node affinity only, and which one depends on the order of types, so that a type has to meet all terms.
 */
function alwaysRunsOn(
  daemonSet: DaemonSetSpec,
  { pool, table, requirements }: PoolTemplate,
): (type: number) => boolean {
  const columns = new Map(table.labels.map((column) => [column.key, column]));
  const variants = daemonVariants(daemonSet);
  const tests = variants
    .filter(({ tolerations }) => untolerated(pool.taints, tolerations).length === 0)
    .map(({ requirements: wanted }) => wanted.values())
    .filter((wanted) =>
      wanted.every((requirement) => columns.has(requirement.key) || holdsAlways(requirement, requirements)),
    )
    .map((wanted) =>
      wanted.flatMap((requirement) => {
        const column = columns.get(requirement.key);
        return column === undefined ? [] : [alwaysAdmits(column, requirement, requirements)];
      }),
    );
  if (tests.length < variants.length) return () => false;
  return (type) => tests.every((admits) => admits.every((admitsType) => admitsType(type)));
}

/** Whether all nodes of a type meet the requirement. Its nodes are in different zones, for example. */
function alwaysAdmits(column: LabelColumn, requirement: Requirement, pool: Requirements): (type: number) => boolean {
  if (column.sets === undefined) return admission(column, requirement);
  const carries = carrierOf(column);
  const allowed = column.values.map((value) => !pool.has(column.key) || pool.get(column.key).has(value));
  const codes = [...column.values.keys()].filter((code) => allowed[code]);
  const others = codes.filter((code) => !requirement.has(column.values[code]));
  return (type) => codes.some((code) => carries(type, code)) && !others.some((code) => carries(type, code));
}

/** Whether all values that the pool allows for a label meet the requirement. */
function holdsAlways(requirement: Requirement, pool: Requirements): boolean {
  if (!pool.has(requirement.key)) return false;
  const allowed = pool.get(requirement.key);
  return allowed.operator() === 'In' && [...allowed.values].every((value) => requirement.has(value));
}

function withoutDominated(options: readonly LaunchOption[], kept: ReadonlySet<string>): LaunchOption[] {
  const left: LaunchOption[] = [];
  for (const option of [...options].sort((one, other) => one.usdPerHour - other.usdPerHour)) {
    const isKept = kept.has(typeKey(option.nodePool, option.instanceType));
    if (isKept || !left.some(({ room }) => isAtLeast(room, option.room))) left.push(option);
  }
  return left;
}

/** Hot path. */
function isAtLeast(room: Float64Array, other: Float64Array): boolean {
  for (let resource = 0; resource < room.length; resource++) if (room[resource] < other[resource]) return false;
  return true;
}

/** How many pods with these requests the room holds. */
export function fit(room: Float64Array, requests: Float64Array): number {
  let pods = Infinity;
  for (let resource = 0; resource < room.length; resource++)
    if (requests[resource] > 0) pods = Math.min(pods, Math.floor(room[resource] / requests[resource]));
  return pods;
}
