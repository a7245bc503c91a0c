import { CommandAnswer, DisruptionAnswer } from './answer';
import { Command, DisruptionClass, DisruptionMethod, disruptionPass, DisruptionReason } from '../../src/disruption';
import { remainingDisruptions } from '../../src/disruption/budgets/disruption-budgets';
import { findCandidates } from '../../src/disruption/candidates/candidates';
import { DisruptionContext } from '../../src/disruption/context';
import { needsValidation, validateCommand } from '../../src/disruption/validation';
import { stateNodes } from '../../src/validation/cluster/state-nodes';
import { driftedNodes } from '../../src/validation/drift';
import { ManifestModel } from '../../src/validation/manifest/model';
import { nodeFacts } from '../../src/validation/scenario/node-facts';
import { scenarioCluster } from '../../test/support/disruption-scenario/cluster';
import { DisruptionScenario } from '../../test/support/disruption-scenario/generate';

export interface OurAnswer extends DisruptionAnswer {
  /** Parts of the scenario that are not modelled; a scenario with any is not compared. */
  readonly notEvaluated: readonly string[];
}

/** The methods, each with the disruption reason of its budgets. */
const METHODS: ReadonlyArray<readonly [DisruptionMethod, DisruptionReason]> = [
  ['Repair', 'Unhealthy'],
  ['Emptiness', 'Empty'],
  ['StaticDrift', 'Drifted'],
  ['Drift', 'Drifted'],
  ['MultiNodeConsolidation', 'Underutilized'],
  ['SingleNodeConsolidation', 'Underutilized'],
];

/** Disruption class by reason; `graceful` if absent. */
const CLASSES: Partial<Record<DisruptionReason, DisruptionClass>> = { Drifted: 'eventual', Unhealthy: 'repair' };

/** Our answer: every method on the cluster that `check` reads from the manifests. */
export function ourAnswer(scenario: DisruptionScenario): OurAnswer {
  const { model, cluster } = scenarioCluster(scenario);
  const { now } = scenario;
  const notEvaluated: string[] = [];
  const decided: Command[] = [];
  const context = new DisruptionContext(cluster, now);
  const methods = METHODS.map(([method, reason]) => {
    const { commands, refusals } = disruptionPass(cluster, now, [method], context.session);
    const { blocked } = findCandidates(context, CLASSES[reason] ?? 'graceful');
    decided.push(...commands);
    notEvaluated.push(...refusals.flatMap(({ why }) => (why.startsWith('not all pods can be evaluated') ? [why] : [])));
    return {
      method,
      commands: commands.map(commandAnswer),
      budgets: Object.fromEntries(remainingDisruptions(context, reason)),
      said: [
        ...blocked.map(({ node, why }) => ({ node, message: why })),
        ...refusals.flatMap(({ nodes, why }) => (nodes.length === 1 ? [{ node: nodes[0], message: why }] : [])),
      ],
    };
  });
  return {
    methods,
    notEvaluated,
    drifts: driftsOf(model),
    ...(scenario.later ? { confirmed: validatedCommands(decided, scenario) } : {}),
  };
}

/** Commands that pass validation, for the methods that Karpenter validates. */
function validatedCommands(
  decided: readonly Command[],
  { settings, later }: DisruptionScenario,
): NonNullable<DisruptionAnswer['confirmed']> {
  const { cluster } = scenarioCluster({ ...later!, settings });
  const context = new DisruptionContext(cluster, later!.now);
  const methods = METHODS.flatMap(([method]) => (needsValidation({ method }) ? [method] : []));
  return Object.fromEntries(
    methods.map((method) => [
      method,
      decided
        .filter((command) => command.method === method)
        .flatMap((command) => validateCommand(command, context) ?? [])
        .map(commandAnswer),
    ]),
  );
}

/** Drift reasons by NodeClaim: drift by the manifests, and conditions that Karpenter has already set because of AWS. */
function driftsOf(model: ManifestModel): Record<string, string> {
  const machines = stateNodes(model.cluster?.objects ?? []);
  const alreadyDrifted = machines.flatMap((machine) => {
    const { claim } = nodeFacts(machine);
    return claim?.drifted ? [[claim.name!, claim.drifted.reason] as const] : [];
  });
  const names = new Map(machines.flatMap(({ name, claim }) => (claim ? [[name, claim.name] as const] : [])));
  return Object.fromEntries([
    ...alreadyDrifted,
    ...driftedNodes(model).map(({ node, reason }) => [names.get(node)!, reason] as const),
  ]);
}

function commandAnswer({ decision, candidates, replacements, savings, terminateFirst }: Command): CommandAnswer {
  return {
    decision,
    candidates: candidates.map(({ node }) => node.name).sort(),
    replacements: replacements.map(({ nodePool, instanceTypes, zones, capacityTypes }) => ({
      nodePool,
      instanceTypes,
      zones: [...zones].sort(),
      capacityTypes: [...capacityTypes].sort(),
    })),
    savings,
    ...(terminateFirst === undefined ? {} : { terminateFirst }),
  };
}
