import { Demand } from './pod-kinds';
import { BilledOffer, Catalog } from '../../catalog';
import { amountsPerColumnUnit, Requirement, Requirements, untolerated, WELL_KNOWN_LABELS } from '../../model';
import { DaemonSetSpec, ScheduleInput } from '../input/schedule-input';
import { PoolTemplate, templateOf } from '../launch/pool-template';
import { admission, compatibleOfferings, compatibleTypes } from '../launch/type-filter';
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
      byAdmitted.set(key, [...(byAdmitted.get(key) ?? []), option]);
    }
  }
  return [...byAdmitted.values()].flatMap((options) => withoutDominated(options, kept));
}

function* optionsOf(
  template: PoolTemplate,
  { daemonSets, settings }: ScheduleInput,
  demand: Demand,
  catalog: Catalog,
): Generator<LaunchOption> {
  const allowed = demand.constraints.flatMap((_, constraint) => allowedBy(template, demand, constraint));
  const { table } = template;
  // Karpenter keeps no room for DaemonSets with resource claims.
  const counted = daemonSets.filter(({ shape }) => !shape.resourceClaims || settings.ignoreDraRequests === false);
  const hosts = counted.map((daemonSet) => ({ daemonSet, runsOn: alwaysRunsOn(daemonSet, template) }));
  for (let type = 0; type < table.names.length; type++) {
    const onType = allowed.filter(({ types }) => types[type]);
    if (onType.length === 0 || table.allocatable.some((column) => column[type] < 0)) continue;
    const running = hosts.filter(({ runsOn }) => runsOn(type)).map(({ daemonSet }) => daemonSet);
    const room = roomOf(template, type, running, demand.resources);
    const prices = new Map<string, { admits: Uint8Array; usdPerHour: number; offerings: Set<string> }>();
    table.offerings.forEach(({ usdPerHour: compared, zone, capacityType, reservation }, plane) => {
      if (Number.isNaN(compared[type])) return;
      const admits = new Uint8Array(demand.constraints.length);
      for (const { constraint, planes } of onType) if (planes.has(plane)) admits[constraint] = 1;
      if (!admits.includes(1)) return;
      const key = admits.join('');
      const known = prices.get(key);
      const offer = {
        instanceType: table.names[type],
        capacityType,
        usdPerHour: compared[type],
        isOverlaid: table.priceOverlaid?.[type] === 1,
      };
      const usdPerHour = reservation === undefined ? leastPrice(offer, catalog) : compared[type];
      const offerings = (known?.offerings ?? new Set()).add(offeringKey({ zone, capacityType }));
      prices.set(key, { admits, usdPerHour: Math.min(usdPerHour, known?.usdPerHour ?? Infinity), offerings });
    });
    const from = { nodePool: template.pool.name, instanceType: table.names[type] };
    for (const { admits, usdPerHour, offerings } of prices.values())
      yield { ...from, admits, usdPerHour, room, offerings };
  }
}

/** EC2 charges less than Karpenter compares for some bare metal types. The licence of Windows only adds to a price. */
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

function roomOf(
  { table }: PoolTemplate,
  type: number,
  running: readonly DaemonSetSpec[],
  resources: readonly string[],
): Float64Array {
  return Float64Array.from(resources, (resource) => {
    const column = table.allocatable[table.resources.indexOf(resource)];
    const used = running.reduce(
      (sum, { shape }) => sum + (resource === 'pods' ? 1n : (shape.requests.get(resource) ?? 0n)),
      0n,
    );
    const units = Math.max(0, Number(used / BigInt(amountsPerColumnUnit(resource))));
    return column === undefined ? 0 : Math.max(0, Math.floor(column[type]) - units);
  });
}

/**
 * The instance types on which the DaemonSet runs, whatever else pods require of a node of the pool. A DaemonSet that
 * some nodes of a type have and others have not is left out, so that the room is never too small.
 */
function alwaysRunsOn(
  daemonSet: DaemonSetSpec,
  { pool, table, requirements }: PoolTemplate,
): (type: number) => boolean {
  const columns = new Map(table.labels.map((column) => [column.key, column]));
  const tests = daemonVariants(daemonSet)
    .filter(({ tolerations }) => untolerated(pool.taints, tolerations).length === 0)
    .map(({ requirements: wanted }) => wanted.values())
    .filter((wanted) =>
      wanted.every((requirement) => columns.has(requirement.key) || holdsAlways(requirement, requirements)),
    )
    .map((wanted) =>
      wanted.flatMap((requirement) => {
        const column = columns.get(requirement.key);
        return column === undefined ? [] : [admission(column, requirement)];
      }),
    );
  return (type) => tests.some((admits) => admits.every((admitsType) => admitsType(type)));
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
