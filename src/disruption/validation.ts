import { remainingDisruptions, withinBudgets } from './budgets/disruption-budgets';
import { findCandidates, isEmpty } from './candidates/candidates';
import { DisruptionContext } from './context';
import { consolidationBlock } from './methods/consolidation';
import { emptinessBlock } from './methods/emptiness';
import { Simulation, simulateScheduling } from './simulation/simulate-scheduling';
import { Candidate, Command, commandOf, DisruptionMethod } from './types';

/**
 * Milliseconds between the decision of a validated method and its execution. Karpenter decides nothing else in that
 * time.
 */
export const VALIDATION_DELAY = 15_000;
const VALIDATED_METHODS: readonly DisruptionMethod[] = [
  'Emptiness',
  'MultiNodeConsolidation',
  'SingleNodeConsolidation',
];

export function needsValidation({ method }: Pick<Command, 'method'>): boolean {
  return VALIDATED_METHODS.includes(method);
}

/**
 * Validates a command against the cluster 15 seconds later. A consolidation command is kept whole or dropped; emptiness
 * keeps the nodes that are still empty.
 *
 * @returns undefined if nothing of the command remains
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/validation.go
 */
export function validateCommand(command: Command, context: DisruptionContext): Command | undefined {
  const isEmptiness = command.method === 'Emptiness';
  const remaining = remainingDisruptions(context, isEmptiness ? 'Empty' : 'Underutilized');
  const { allowed } = withinBudgets(validCandidates(command, context), remaining);
  if (isEmptiness) return allowed.length === 0 ? undefined : commandOf(command.method, allowed);
  const isWhole = allowed.length === command.candidates.length;
  return isWhole && isSameResult(command, simulateScheduling(context, allowed, { avoidsSettlingNodes: true }))
    ? command
    : undefined;
}

/**
 * By name instead of by savings. Karpenter iterates over a Go map here, so budgets may allow any of these candidates.
 */
function validCandidates({ method, candidates }: Command, context: DisruptionContext): Candidate[] {
  const names = candidates.map(({ node }) => node.name).sort();
  const current = findCandidates(
    context,
    'graceful',
    context.cluster.nodes.filter(({ name }) => names.includes(name)),
  ).candidates;
  const isBlocked = (candidate: Candidate) =>
    method === 'Emptiness'
      ? !isEmpty(candidate) || emptinessBlock(candidate, context)
      : consolidationBlock(candidate, context);
  return names
    .flatMap((name) => current.find(({ node }) => node.name === name) ?? [])
    .filter((candidate) => !isBlocked(candidate));
}

/**
 * Whether the simulation needs as many new nodes, and each may be of the types that were decided. Their prices were
 * compared before.
 */
function isSameResult({ replacements }: Command, { failure, newNodeClaims }: Simulation): boolean {
  return (
    failure() === undefined &&
    newNodeClaims.length === replacements.length &&
    replacements.every(({ instanceTypes }, index) =>
      instanceTypes.every((type) => newNodeClaims[index].instanceTypes.includes(type)),
    )
  );
}
