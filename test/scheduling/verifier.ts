import { Catalog, InstanceTypeTable } from '../../src/catalog';
import { columnAmount, Label, LabelSelector, Requirements, selects, tolerates } from '../../src/model';
import {
  NodePoolSpec,
  PlannedNodeClaim,
  PodGroup,
  PodShape,
  poolTables,
  ScheduleInput,
  SchedulePlan,
} from '../../src/scheduling';

/** A pod that is scheduled onto a claim. */
interface Placed {
  readonly group: PodGroup;
  readonly name: string;
}

/**
 * The errors of a plan, checked node by node and pod by pod without code of the solver. Only properties that do not
 * depend on the order of placement are checked.
 */
export function violations(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): string[] {
  return [...claimErrors(input, plan, catalog), ...podErrors(input, plan), ...volumeErrors(input, plan)];
}

/** Every pod occurs exactly once in the plan. */
function podErrors({ pods }: ScheduleInput, plan: SchedulePlan): string[] {
  const reported = [
    ...plan.nodeClaims.flatMap((claim) => claim.pods),
    ...plan.filledNodes.flatMap((node) => node.pods),
    ...plan.unschedulable.map(({ pod }) => pod),
    ...plan.notEvaluated.flatMap((group) => group.pods),
  ];
  const count = pods.reduce((sum, group) => sum + group.count, 0);
  return [
    ...(reported.length === count ? [] : [`${count} pods, ${reported.length} in the plan`]),
    ...(new Set(reported).size === reported.length ? [] : ['some pod is in the plan twice']),
  ];
}

/** Volume claims are compared by name, so that a shared claim counts once on a node. */
function volumeErrors({ pods, nodes = [] }: ScheduleInput, { filledNodes }: SchedulePlan): string[] {
  return filledNodes.flatMap(({ node, groups }) => {
    const { volumeLimits = [], pods: running = [] } = nodes.find(({ name }) => name === node) ?? {};
    const placed = [...groups].flatMap(([group, count]) => Array.from({ length: count }, () => pods[group].shape));
    const shapes = [...running.map(({ shape }) => shape), ...placed];
    return [...volumeLimits].flatMap(([driver, limit]) => {
      const volumes = shapes.flatMap(({ volumes: own, mountedClaims = [] }, pod) => [
        ...Array.from({ length: own?.get(driver) ?? 0 }, (_, index) => `${pod}/${index}`),
        ...[...mountedClaims].flatMap(([claim, claimDriver]) => (claimDriver === driver ? [claim] : [])),
      ]);
      const count = new Set(volumes).size;
      return count > limit ? [`${node}: ${count} volumes of ${driver}; the limit is ${limit}`] : [];
    });
  });
}

function claimErrors(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): string[] {
  return plan.nodeClaims.flatMap((planned) => {
    const pool = input.nodePools.find(({ name }) => name === planned.nodePool)!;
    const claim = pool.replicas === undefined ? planned : launchedBeforePods(planned);
    const table = poolTables(input, catalog).tables.get(pool.name)!;
    const placed = [...claim.groups].flatMap(([group, count]) =>
      Array.from({ length: count }, (_, index): Placed => ({ group: input.pods[group], name: `${group}/${index}` })),
    );
    return [
      ...(placed.length === claim.pods.length
        ? []
        : [`${claim.id}: ${claim.pods.length} pods by name, ${placed.length} by group`]),
      ...sizeErrors(claim, table, placed),
      ...[...claim.groups.keys()].flatMap((group) => constraintErrors(claim, pool, table, input.pods[group])),
      ...portErrors(claim, placed),
      ...antiAffinityErrors(claim, placed),
    ];
  });
}

/** A node of a static pool is launched before any pod: it is the cheapest allowed type. */
function launchedBeforePods(claim: PlannedNodeClaim): PlannedNodeClaim {
  const { cheapest } = claim.launch ?? claim;
  return cheapest === undefined
    ? claim
    : {
        ...claim,
        instanceTypes: [cheapest.instanceType],
        zones: [cheapest.zone],
        capacityTypes: [cheapest.capacityType],
      };
}

function sizeErrors(claim: PlannedNodeClaim, table: InstanceTypeTable, placed: readonly Placed[]): string[] {
  const wanted = new Map<string, bigint>([['pods', BigInt(placed.length)]]);
  for (const { group } of placed)
    for (const [resource, amount] of group.shape.requests) wanted.set(resource, (wanted.get(resource) ?? 0n) + amount);
  return claim.instanceTypes.flatMap((name) => {
    const type = table.names.indexOf(name);
    return [...wanted].flatMap(([resource, amount]) => {
      const column = table.allocatable[table.resources.indexOf(resource)];
      return amount <= columnAmount(resource, column?.[type] ?? 0)
        ? []
        : [`${claim.id}: ${amount} of ${resource} do not fit on ${name}`];
    });
  });
}

function constraintErrors(
  claim: PlannedNodeClaim,
  pool: NodePoolSpec,
  table: InstanceTypeTable,
  { name, shape }: PodGroup,
): string[] {
  const hard = pool.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  const untolerated = hard.filter((taint) => !shape.tolerations.some((toleration) => tolerates(toleration, taint)));
  const selector = Requirements.fromLabels(shape.nodeSelector);
  const terms = shape.requiredNodeAffinity.map((term) => Requirements.from(term.matchExpressions));
  return [
    ...untolerated.map(({ key }) => `${claim.id}: ${name} does not tolerate ${key}`),
    ...claim.instanceTypes.flatMap((type) => {
      const meets = (requirements: Requirements) =>
        requirements.values().every((requirement) => {
          const values = valuesOf(claim, pool, table, type, requirement.key);
          if (values === undefined) return true;
          // A missing label meets NotIn and DoesNotExist.
          return values.length === 0
            ? requirement.complement === requirement.values.size > 0
            : values.some((value) => requirement.has(value));
        });
      return meets(selector) && (terms.length === 0 || terms.some(meets))
        ? []
        : [`${claim.id}: ${type} does not meet the requirements of ${name}`];
    }),
  ];
}

/**
 * The possible values of a label on a node of the type; undefined if a requirement of the pool leaves the value open.
 */
function valuesOf(
  claim: PlannedNodeClaim,
  pool: NodePoolSpec,
  table: InstanceTypeTable,
  type: string,
  key: string,
): readonly string[] | undefined {
  if (key === Label.ZONE) return claim.zones;
  if (key === Label.CAPACITY_TYPE) return claim.capacityTypes;
  if (key === Label.NODE_POOL) return [pool.name];
  const column = table.labels.find((label) => label.key === key);
  if (column === undefined) return pool.labels[key] === undefined ? undefined : [pool.labels[key]];
  const typeIndex = table.names.indexOf(type);
  if (column.sets) return column.values.filter((_, code) => Math.floor(column.sets![typeIndex] / 2 ** code) % 2 === 1);
  return column.codes[typeIndex] < 0 ? [] : [column.values[column.codes[typeIndex]]];
}

function portErrors(claim: PlannedNodeClaim, placed: readonly Placed[]): string[] {
  const ports = placed.flatMap(({ group, name }) => (group.shape.hostPorts ?? []).map((port) => ({ ...port, name })));
  return ports.flatMap((left, index) =>
    ports.slice(index + 1).flatMap((right) => {
      const address = left.ip === right.ip || [left.ip, right.ip].some((ip) => ip === '0.0.0.0' || ip === '::');
      const clash = left.name !== right.name && address && left.port === right.port && left.protocol === right.protocol;
      return clash ? [`${claim.id}: two pods take port ${left.port}`] : [];
    }),
  );
}

/** Anti-affinity over hostnames: no pod shares a node with a pod that its anti-affinity selects. */
function antiAffinityErrors(claim: PlannedNodeClaim, placed: readonly Placed[]): string[] {
  return placed.flatMap(({ group, name }) =>
    (group.shape.podAntiAffinity?.required ?? [])
      .filter(
        ({ topologyKey, namespaces = [], namespaceSelector }) =>
          topologyKey === Label.HOSTNAME && namespaces.length === 0 && !namespaceSelector,
      )
      .flatMap(({ labelSelector }) =>
        placed
          .filter(
            (neighbor) =>
              neighbor.name !== name &&
              neighbor.group.namespace === group.namespace &&
              isSelected(neighbor.group.shape, labelSelector),
          )
          .map((neighbor) => `${claim.id}: ${name} shares the node with ${neighbor.name}`),
      ),
  );
}

function isSelected({ labels = {} }: PodShape, selector: LabelSelector | undefined): boolean {
  return selector !== undefined && selects(selector, labels);
}
