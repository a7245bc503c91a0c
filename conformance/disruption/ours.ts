import { CommandAnswer, DisruptionAnswer } from './answer';
import { DisruptionScenario } from './scenario/generate';
import { standingCluster } from './standing-cluster';
import { Catalog } from '../../src/catalog';
import { Cluster, Command, DisruptionMethod, disruptionPass, DisruptionReason } from '../../src/disruption';
import { remainingDisruptions } from '../../src/disruption/budgets';
import { findCandidates, sceneOf } from '../../src/disruption/candidates';
import { readManifests, scheduleInput } from '../../src/validation';

export interface OurAnswer extends DisruptionAnswer {
  /** What of the scenario our scheduler has no model for; a scenario with any is not compared. */
  readonly notEvaluated: readonly string[];
}

/** With the reason that their budgets are for. */
const METHODS: ReadonlyArray<readonly [DisruptionMethod, DisruptionReason]> = [
  ['Emptiness', 'Empty'], ['StaticDrift', 'Drifted'], ['Drift', 'Drifted'], ['MultiNodeConsolidation', 'Underutilized'], ['SingleNodeConsolidation', 'Underutilized'],
];

const NOMINATION = 10_000;

const catalogs = new Map<string, Catalog>();

/** The way of `check` from manifests to a cluster, and each method on it. */
export function ours(scenario: DisruptionScenario): OurAnswer {
  const cluster = clusterOf(scenario);
  const { now } = scenario;
  const notEvaluated: string[] = [];
  const methods = METHODS.map(([method, reason]) => {
    const { commands, refusals } = disruptionPass(cluster, now, [method]);
    const { blocked } = findCandidates(sceneOf(cluster, now), reason === 'Drifted' ? 'eventual' : 'graceful');
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
  return { methods, notEvaluated };
}

/** @throws Error where the API would not take the scenario */
export function clusterOf({ manifests, cluster, settings, now, nominated }: DisruptionScenario): Cluster {
  const options = { ...settings, cluster: [{ path: 'cluster.yaml', text: cluster }] };
  const model = readManifests([{ path: 'scenario.yaml', text: manifests }], options);
  const [rejected] = model.problems.filter(({ severity }) => severity === 'error');
  if (rejected) throw new Error(`the scenario is not one that the API takes: ${rejected.message}`);
  const standing = standingCluster(model, scheduleInput(model, options), catalogOf(settings), options);
  return {
    ...standing,
    nodes: standing.nodes.map((node) => nominated.includes(node.name) ? { ...node, nominatedUntil: now + NOMINATION } : node),
  };
}

function told({ decision, candidates, replacements, savings }: Command): CommandAnswer {
  return {
    decision,
    candidates: candidates.map(({ node }) => node.name).sort(),
    replacements: replacements.map(({ nodePool, instanceTypes, zones, capacityTypes }) => ({
      nodePool, instanceTypes, zones: [...zones].sort(), capacityTypes: [...capacityTypes].sort(),
    })),
    savings,
  };
}

function catalogOf(settings: DisruptionScenario['settings']): Catalog {
  const key = JSON.stringify(settings);
  const catalog = catalogs.get(key) ?? Catalog.load(settings);
  catalogs.set(key, catalog);
  return catalog;
}
