import { listText } from '../../model';
import { Amounts, NodeVerdict, PodSeparation, WorkloadVerdict } from '../vocabulary/node-verdict';

/** More reasons are not named. */
const MAX_REASONS = 2;

/** How many nodes of a group the requests of its pods need, and which constraints need more. */
export interface PodsApart {
  /** On so many nodes of the group the requests of all its pods fit. */
  readonly enough: number;
  /** Such as `a topology spread of shop/web over zones`. Empty if no constraint is known to need more nodes. */
  readonly reasons: readonly string[];
}

/** Nodes with the same instance type and NodePool, and the workloads of the plan. */
export function podsApart(group: readonly NodeVerdict[], workloads: readonly WorkloadVerdict[]): PodsApart {
  const enough = enoughNodes(group);
  if (enough >= group.length) return { enough, reasons: [] };
  const zones = domainsOf(group, 'zones');
  const split: SplitGroup = {
    enough,
    enoughByZone: zones.reduce((sum, nodes) => sum + enoughNodes(nodes), 0),
    domains: { nodes: domainsOf(group, 'nodes'), zones },
  };
  const needed = workloads.flatMap((workload) =>
    (workload.separation ?? [])
      .filter((separation) => needsMore(separation, workload, split))
      .map((separation) => ({ preferred: separation.preferred, text: reasonText(separation, workload) })),
  );
  const required = needed.filter(({ preferred }) => !preferred);
  const named = required.length > 0 ? required : needed;
  return { enough, reasons: [...new Set(named.map(({ text }) => text))].slice(0, MAX_REASONS) };
}

interface SplitGroup {
  readonly enough: number;
  /** The same if pods stay in their zones. */
  readonly enoughByZone: number;
  readonly domains: Readonly<Record<PodSeparation['over'], ReadonlyArray<readonly NodeVerdict[]>>>;
}

function domainsOf(group: readonly NodeVerdict[], over: PodSeparation['over']): NodeVerdict[][] {
  if (over === 'nodes') return group.map((node) => [node]);
  const zones = new Map<string | null, NodeVerdict[]>();
  for (const node of group) {
    const nodes = zones.get(node.zone) ?? [];
    nodes.push(node);
    zones.set(node.zone, nodes);
  }
  return [...zones.values()];
}

/** Such as `a topology spread of shop/web over zones keeps`. */
export function apartText(reasons: readonly string[]): string {
  return `${listText(reasons)} ${reasons.length === 1 ? 'keeps' : 'keep'}`;
}

/** Whether the separation alone needs more than `enough` nodes, and, if it is a preference, Karpenter has kept it. */
function needsMore(
  { over, pods: most, preferred }: PodSeparation,
  { nodes: podsOn }: WorkloadVerdict,
  { enough, enoughByZone, domains }: SplitGroup,
): boolean {
  const counts = domains[over]
    .map((nodes) => nodes.reduce((sum, { name }) => sum + (podsOn[name] ?? 0), 0))
    .filter((count) => count > 0);
  const pods = counts.reduce((sum, count) => sum + count, 0);
  if (over === 'nodes') {
    return Math.ceil(pods / most) > enough && (!preferred || counts.every((count) => count <= most));
  }
  const isKept = !preferred || Math.max(...counts) - Math.min(...counts) <= most;
  return counts.length > 1 && pods > most && enoughByZone > enough && isKept;
}

function reasonText({ by, over, preferred }: PodSeparation, workload: WorkloadVerdict): string {
  const name = `${workload.namespace}/${workload.name}`;
  switch (by) {
    case 'anti-affinity':
      return `${preferred ? 'preferred ' : ''}anti-affinity of ${name} over ${over}`;
    case 'topology-spread':
      return `a ${preferred ? 'preferred ' : ''}topology spread of ${name} over ${over}`;
    case 'host-port':
      return `a host port of ${name}`;
  }
}

/** On how many of the nodes the requests of all their pods fit, packed largest first. At most the nodes that exist. */
function enoughNodes(group: readonly NodeVerdict[]): number {
  const room = smallestRoom(group);
  const share = (requests: Amounts) =>
    Math.max(...Object.entries(requests).map(([resource, amount]) => amount / (room[resource] ?? 0)), 0);
  const kinds = podKinds(group).sort((left, right) => share(right.requests) - share(left.requests));
  const rooms: Array<Record<string, number>> = [];
  for (const { pods, requests } of kinds) {
    let left = pods;
    for (let index = 0; left > 0; index++) {
      if (index >= group.length) return group.length;
      rooms[index] ??= { ...room };
      const fitting = Math.min(left, fittingPods(rooms[index], requests));
      for (const [resource, amount] of Object.entries(requests)) {
        rooms[index][resource] = (rooms[index][resource] ?? 0) - fitting * amount;
      }
      left -= fitting;
    }
  }
  return Math.max(1, rooms.length);
}

/** The pods of the nodes, by equal requests. */
function podKinds(group: readonly NodeVerdict[]): Array<{ readonly pods: number; readonly requests: Amounts }> {
  const kinds = new Map<string, { pods: number; readonly requests: Amounts }>();
  for (const { pods, requests } of group.flatMap(({ workloads }) => workloads)) {
    const key = JSON.stringify(requests);
    const kind = kinds.get(key) ?? { pods: 0, requests: { ...requests, pods: 1 } };
    kind.pods += pods;
    kinds.set(key, kind);
  }
  return [...kinds.values()];
}

/** What every node of the group has left beside its DaemonSets. */
function smallestRoom(group: readonly NodeVerdict[]): Record<string, number> {
  const resources = new Set(group.flatMap(({ allocatable }) => Object.keys(allocatable)));
  return Object.fromEntries(
    [...resources].map((resource) => [
      resource,
      Math.min(
        ...group.map(
          ({ allocatable, requests }) => (allocatable[resource] ?? 0) - (requests.daemonSets[resource] ?? 0),
        ),
      ),
    ]),
  );
}

function fittingPods(room: Amounts, requests: Amounts): number {
  const counts = Object.entries(requests)
    .filter(([, amount]) => amount > 0)
    .map(([resource, amount]) => Math.floor((room[resource] ?? 0) / amount + 1e-9));
  return Math.max(0, Math.min(...counts));
}
