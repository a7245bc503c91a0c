import { amountsOf } from './amounts';
import { podSeparations } from './pod-separations';
import { WorkloadManifest } from '../../manifest/model';
import { byCodePoint } from '../../order';
import { RuleContext } from '../../rules';
import { Placement, placementsOf } from '../../rules/common/placements';
import { pdbsSelecting } from '../../rules/common/pod-disruption-budgets';
import { protectionOfPods } from '../../rules/disruption/eviction/pod-protection';
import { NodeVerdict, WorkloadVerdict } from '../../vocabulary/node-verdict';
import { costsByWorkload } from '../costs/allocate-costs';
import { PodsOfWorkload } from '../costs/pods-on-nodes';

/**
 * Workloads with pods of their own, in name order. DaemonSets are part of the nodes.
 *
 * @param pods of the nodes, in their order
 */
export function workloadVerdicts(
  context: RuleContext,
  nodes: readonly NodeVerdict[],
  pods: ReadonlyArray<readonly PodsOfWorkload[]>,
): WorkloadVerdict[] {
  const workloads = context.model.workloads.filter(({ kind, shape }) => kind !== 'DaemonSet' && shape !== undefined);
  const costs = costsByWorkload(nodes, pods);
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
  { model, options }: RuleContext,
): WorkloadVerdict {
  const { object, kind, namespace, name, replicas, shape } = workload;
  const { file, line } = object.locate([]);
  const zones = new Map<string, number>();
  for (const { node, pods } of placements) {
    const zone = zoneOf.get(node) ?? null;
    if (zone !== null) zones.set(zone, (zones.get(zone) ?? 0) + pods);
  }
  const separation = podSeparations(workload, options.preferencePolicy !== 'Ignore');
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
    ...(separation.length === 0 ? {} : { separation }),
  };
}

function nameOf({ namespace, name }: WorkloadManifest): string {
  return `${namespace}/${name}`;
}
