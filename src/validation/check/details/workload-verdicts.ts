import { amountsOf } from './amounts';
import { WorkloadManifest } from '../../manifest/model';
import { byCodePoint } from '../../order';
import { RuleContext } from '../../rules';
import { Placement, placementsOf } from '../../rules/common/placements';
import { pdbsSelecting } from '../../rules/common/pod-disruption-budgets';
import { protectionOfPods } from '../../rules/disruption/eviction/pod-protection';
import { NodeVerdict, WorkloadVerdict } from '../../vocabulary/node-verdict';

/** Workloads with pods of their own, in name order. DaemonSets are part of the nodes. */
export function workloadVerdicts(context: RuleContext, nodes: readonly NodeVerdict[]): WorkloadVerdict[] {
  const workloads = context.model.workloads.filter(({ kind, shape }) => kind !== 'DaemonSet' && shape !== undefined);
  const costs = costsByWorkload(nodes);
  const names = workloads.map(nameOf);
  const ambiguous = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const zones = new Map(nodes.map(({ name, zone }) => [name, zone]));
  return workloads
    .map((workload) => {
      const cost = ambiguous.has(nameOf(workload)) ? null : (costs.get(nameOf(workload)) ?? null);
      return verdictOf(workload, placementsOf(context, workload), zones, cost, context);
    })
    .sort(
      (a, b) => byCodePoint(a.namespace, b.namespace) || byCodePoint(a.name, b.name) || byCodePoint(a.kind, b.kind),
    );
}

function verdictOf(
  workload: WorkloadManifest,
  placements: readonly Placement[],
  zoneOf: ReadonlyMap<string, string | null>,
  costPerHour: number | null,
  { model }: RuleContext,
): WorkloadVerdict {
  const { object, kind, namespace, name, replicas, shape } = workload;
  const { file, line } = object.locate([]);
  const zones = new Map<string, number>();
  for (const { node, pods } of placements) {
    const zone = zoneOf.get(node) ?? null;
    if (zone !== null) zones.set(zone, (zones.get(zone) ?? 0) + pods);
  }
  return {
    kind,
    namespace,
    name,
    location: { file, line },
    pods: replicas,
    scheduledPods: placements.reduce((sum, { pods }) => sum + pods, 0),
    requests: amountsOf(shape!.requests),
    nodes: Object.fromEntries(placements.map(({ node, pods }) => [node, pods])),
    zones: Object.fromEntries([...zones].sort(([a], [b]) => byCodePoint(a, b))),
    costPerHour,
    protection: {
      disruptionBudgets: pdbsSelecting(model, workload)
        .map((pdb) => pdb.name)
        .sort(byCodePoint),
      spreadOver: [...new Set((shape!.topologySpread ?? []).map(({ topologyKey }) => topologyKey))].sort(byCodePoint),
      doNotDisrupt: protectionOfPods(workload).kind !== 'none',
    },
  };
}

/**
 * Divides the price of each node among its pods: one half by requested CPU, one half by requested memory. Workloads on
 * a node without a known price are missing.
 */
function costsByWorkload(nodes: readonly NodeVerdict[]): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  const unknown = new Set<string>();
  for (const { workloads, price } of nodes) {
    const weights = ['cpu', 'memory'].map((resource) =>
      workloads.map(({ pods, requests }) => pods * (requests[resource] ?? 0)),
    );
    const byPods = workloads.map(({ pods }) => pods);
    const shares = weights.map(sharesOf).filter((share) => share !== undefined);
    const used = shares.length > 0 ? shares : [sharesOf(byPods) ?? byPods];
    workloads.forEach(({ workload }, index) => {
      const share = used.reduce((sum, list) => sum + list[index], 0) / used.length;
      if (price === null) unknown.add(workload);
      else costs.set(workload, (costs.get(workload) ?? 0) + share * price.perHour);
    });
  }
  for (const workload of unknown) costs.delete(workload);
  return new Map([...costs].map(([workload, cost]) => [workload, Math.round(cost * 1e6) / 1e6]));
}

/** Undefined if the sum is 0. */
function sharesOf(amounts: readonly number[]): number[] | undefined {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return sum === 0 ? undefined : amounts.map((amount) => amount / sum);
}

function nameOf({ namespace, name }: WorkloadManifest): string {
  return `${namespace}/${name}`;
}
