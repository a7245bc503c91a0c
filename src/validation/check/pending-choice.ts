import { countText } from '../../model';
import { podGroupIndices } from '../context/schedule-input';
import { RuleContext } from '../rules';
import { priorityClasses, workloadPodFacts } from '../scenario/pod-facts';

/** In Karpenter's own words: the NodePool has no room, although its instance types would do. */
const LIMITED = /^(all available instance types exceed limits|node limits have been exhausted) for nodepool /;

/**
 * How many pods stay without a node because of limits, and that which ones is open: Karpenter launches nodes, but the
 * Kubernetes scheduler binds pods to them. Nothing if priorities decide, or if only equal pods compete.
 */
export function pendingChoiceAssumptions({ model, plan, input }: RuleContext): string[] {
  const limited = plan.unschedulable.filter(({ reasons }) => reasons.some(({ message }) => LIMITED.test(message)));
  if (limited.length === 0) return [];
  const pools = new Set(
    limited.flatMap(({ reasons }) =>
      reasons.filter(({ message }) => LIMITED.test(message)).map(({ nodePool }) => nodePool),
    ),
  );
  const waiting = [...new Set(limited.map(({ group }) => group))];
  const placed = new Set(
    plan.nodeClaims.flatMap(({ nodePool, groups }) => (pools.has(nodePool) ? [...groups.keys()] : [])),
  );
  const competitors = [...placed].filter((group) => input.pods[group].buffer === undefined);
  const priorities = groupPriorities({ model });
  const priorityOf = (group: number) => priorities.get(group) ?? 0;
  const isOpen = waiting.some((group) =>
    competitors.some((other) => other !== group && priorityOf(other) <= priorityOf(group)),
  );
  if (!isOpen) return [];
  return [
    `limits leave ${countText(limited.length, 'pod')} without a node: how many is known, which ones is open, because the Kubernetes scheduler ` +
      'binds pods to nodes in its own order; a higher priority class decides',
  ];
}

function groupPriorities({ model }: Pick<RuleContext, 'model'>): Map<number, number> {
  const classes = priorityClasses([...(model.cluster?.objects ?? []), ...model.objects]);
  return new Map(
    model.workloads.flatMap((workload) => {
      const { priority = 0 } = workloadPodFacts(workload, classes);
      return podGroupIndices(workload).map((group) => [group, priority] as const);
    }),
  );
}
