import { CommandAnswer, DisruptionAnswer } from './answer';
import { DisruptionScenario, Moment } from './scenario/generate';
import { standingCluster } from './standing-cluster';
import { Catalog } from '../../src/catalog';
import { Cluster, Command, DisruptionMethod, disruptionPass, DisruptionReason } from '../../src/disruption';
import { remainingDisruptions } from '../../src/disruption/budgets';
import { DisruptionClass, findCandidates, sceneOf } from '../../src/disruption/candidates';
import { confirmed, isLookedAtTwice } from '../../src/disruption/second-look';
import { readManifests, scheduleInput } from '../../src/validation';
import { stateNodes } from '../../src/validation/cluster/state-nodes';
import { driftedNodes } from '../../src/validation/drift';
import { ManifestModel } from '../../src/validation/manifest/model';
import { factsOfNode } from '../../src/validation/scenario/node-facts';

export interface OurAnswer extends DisruptionAnswer {
  /** What of the scenario our scheduler has no model for; a scenario with any is not compared. */
  readonly notEvaluated: readonly string[];
}

/** With the reason that their budgets are for. */
const METHODS: ReadonlyArray<readonly [DisruptionMethod, DisruptionReason]> = [
  ['Repair', 'Unhealthy'], ['Emptiness', 'Empty'], ['StaticDrift', 'Drifted'], ['Drift', 'Drifted'], ['MultiNodeConsolidation', 'Underutilized'], ['SingleNodeConsolidation', 'Underutilized'],
];

const NOMINATION = 10_000;
/** By the reason for it. */
const CLASSES: Partial<Record<DisruptionReason, DisruptionClass>> = { Drifted: 'eventual', Unhealthy: 'repair' };

const catalogs = new Map<string, Catalog>();

/** The way of `check` from manifests to a cluster, and each method on it. */
export function ours(scenario: DisruptionScenario): OurAnswer {
  const { model, cluster } = standingOf(scenario);
  const { now } = scenario;
  const notEvaluated: string[] = [];
  const decided: Command[] = [];
  const methods = METHODS.map(([method, reason]) => {
    const { commands, refusals } = disruptionPass(cluster, now, [method]);
    const { blocked } = findCandidates(sceneOf(cluster, now), CLASSES[reason] ?? 'graceful');
    decided.push(...commands);
    notEvaluated.push(...refusals.flatMap(({ why }) => why.startsWith('not all pods can be evaluated') ? [why] : []));
    return {
      method,
      commands: commands.map(told),
      budgets: Object.fromEntries(remainingDisruptions(cluster, reason, now)),
      said: [
        ...blocked.map(({ node, why }) => ({ node, message: why })),
        ...refusals.flatMap(({ nodes, why }) => nodes.length === 1 ? [{ node: nodes[0], message: why }] : []),
      ],
    };
  });
  return { methods, notEvaluated, drifts: driftsOf(model), ...(scenario.later ? { confirmed: confirmedOf(decided, scenario) } : {}) };
}

/** What stays of the commands that Karpenter looks at twice. */
function confirmedOf(decided: readonly Command[], { settings, later }: DisruptionScenario): NonNullable<DisruptionAnswer['confirmed']> {
  const { cluster } = standingOf({ ...later!, settings });
  const methods = METHODS.flatMap(([method]) => isLookedAtTwice({ method }) ? [method] : []);
  return Object.fromEntries(methods.map((method) =>
    [method, decided.filter((each) => each.method === method).flatMap((each) => confirmed(each, cluster, later!.now) ?? []).map(told)]));
}

/** By NodeClaim: what the manifests drift, and what Karpenter has found before of what only AWS tells. */
function driftsOf(model: ManifestModel): Record<string, string> {
  const machines = stateNodes(model.cluster?.objects ?? []);
  const known = machines.flatMap((machine) => {
    const { claim } = factsOfNode(machine);
    return claim?.drifted ? [[claim.name!, claim.drifted.reason] as const] : [];
  });
  const names = new Map(machines.flatMap(({ name, claim }) => claim ? [[name, claim.name] as const] : []));
  return Object.fromEntries([...known, ...driftedNodes(model).map(({ node, reason }) => [names.get(node)!, reason] as const)]);
}

/** @throws Error where the API would not take the scenario */
export function clusterOf(scenario: DisruptionScenario): Cluster {
  return standingOf(scenario).cluster;
}

function standingOf(
  { manifests, cluster, settings, now, nominated }: Moment & Pick<DisruptionScenario, 'settings'>,
): { readonly model: ManifestModel; readonly cluster: Cluster } {
  const options = { ...settings, cluster: [{ path: 'cluster.yaml', text: cluster }] };
  const model = readManifests([{ path: 'scenario.yaml', text: manifests }], options);
  const [rejected] = model.problems.filter(({ severity }) => severity === 'error');
  if (rejected) throw new Error(`the scenario is not one that the API takes: ${rejected.message}`);
  const standing = standingCluster(model, scheduleInput(model, options), catalogOf(settings), options);
  const nodes = standing.nodes.map((node) => nominated.includes(node.name) ? { ...node, nominatedUntil: now + NOMINATION } : node);
  return { model, cluster: { ...standing, nodes } };
}

function told({ decision, candidates, replacements, savings, terminateFirst }: Command): CommandAnswer {
  return {
    decision,
    candidates: candidates.map(({ node }) => node.name).sort(),
    replacements: replacements.map(({ nodePool, instanceTypes, zones, capacityTypes }) => ({
      nodePool, instanceTypes, zones: [...zones].sort(), capacityTypes: [...capacityTypes].sort(),
    })),
    savings,
    ...(terminateFirst === undefined ? {} : { terminateFirst }),
  };
}

function catalogOf(settings: DisruptionScenario['settings']): Catalog {
  const key = JSON.stringify(settings);
  const catalog = catalogs.get(key) ?? Catalog.load(settings);
  catalogs.set(key, catalog);
  return catalog;
}
