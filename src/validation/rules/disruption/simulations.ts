import { Cluster, ClusterBaseline, Instant, NodeDrain, runScenario, ScenarioReport } from '../../../disruption';
import { Label, memoizeByIdentity } from '../../../model';
import { objectsNotEvaluated } from '../../context/not-evaluated';
import { scenarioStartOf } from '../../scenario/node-facts';
import { scheduledCluster } from '../../scenario/scheduled-cluster';
import { RuleContext } from '../rule';

/** A check does not simulate larger clusters. Consolidation of 30 nodes takes 0.1 to 0.2 seconds. */
const MAX_NODES = 30;
const MAX_PODS = 500;

/** The start of a simulated scenario. */
export interface SimulationInput {
  readonly cluster: Cluster;
  readonly start: Instant;
  /** Computed once for all simulations of the cluster. */
  readonly baseline: ClusterBaseline;
}

/**
 * The planned cluster; undefined if it is too large to simulate in a check, or if an unknown fact could change the
 * result.
 */
export const simulationInputOf = memoizeByIdentity((context: RuleContext): SimulationInput | undefined => {
  const { model, plan, input } = context;
  const nodes = plan.nodeClaims.length + (input.nodes?.length ?? 0);
  const pods = input.pods.reduce(
    (sum, { count }) => sum + count,
    (input.nodes ?? []).reduce((sum, node) => sum + node.pods.length, 0),
  );
  if (nodes === 0 || nodes > MAX_NODES || pods > MAX_PODS || plan.notEvaluated.length > 0) return undefined;
  const { sentences, unknownPools } = objectsNotEvaluated(model);
  if (sentences.length > 0 || unknownPools.length > 0) return undefined;
  const start = scenarioStartOf(model);
  const { cluster, notes } = scheduledCluster(context, plan, start);
  return notes.length > 0 ? undefined : { cluster, start, baseline: new ClusterBaseline(cluster) };
});

/**
 * The report of `--scenario consolidation`; undefined if it cannot be simulated or does not finish within the
 * simulated week.
 */
export const simulatedConsolidation = memoizeByIdentity((context: RuleContext): ScenarioReport | undefined => {
  const simulation = simulationInputOf(context);
  const [report] = simulation ? runScenario('consolidation', simulation.baseline, { start: simulation.start }) : [];
  return report?.unfinished ? undefined : report;
});

/** The same with preferencePolicy `Ignore`. */
export const simulatedConsolidationWithoutPreferences = memoizeByIdentity(
  (context: RuleContext): ScenarioReport | undefined => {
    const simulation = simulationInputOf(context);
    if (!simulation) return undefined;
    const { scheduling } = simulation.cluster;
    const cluster: Cluster = {
      ...simulation.cluster,
      scheduling: { ...scheduling, settings: { ...scheduling.settings, preferencePolicy: 'Ignore' } },
    };
    const [report] = runScenario('consolidation', cluster, { start: simulation.start });
    return report.unfinished ? undefined : report;
  },
);

/**
 * The longest drain of an expiring node of the NodePool, from `--scenario expiration`; undefined if it cannot be
 * simulated or some drain never ends.
 */
export function longestDrain(context: RuleContext, pool: string): NodeDrain | undefined {
  const simulation = simulationInputOf(context);
  const report = simulatedExpiration(context);
  if (!simulation || !report || report.unfinished) return undefined;
  const drains = new Map(report.drains.map((drain) => [drain.node, drain]));
  const expiring = simulation.cluster.nodes.filter(
    ({ labels, claim }) => labels[Label.NODE_POOL] === pool && claim?.expireAfter !== undefined,
  );
  if (expiring.some(({ name }) => !drains.has(name))) return undefined;
  return expiring.map(({ name }) => drains.get(name)!).sort((left, right) => right.seconds - left.seconds)[0];
}

const simulatedExpiration = memoizeByIdentity((context: RuleContext): ScenarioReport | undefined => {
  const simulation = simulationInputOf(context);
  return simulation ? runScenario('expiration', simulation.baseline, { start: simulation.start })[0] : undefined;
});

/** The reports of `--scenario zone-outage`, one for each zone that has nodes. */
export const simulatedZoneOutages = memoizeByIdentity((context: RuleContext): readonly ScenarioReport[] | undefined => {
  const simulation = simulationInputOf(context);
  const reports = simulation && runScenario('zone-outage', simulation.baseline, { start: simulation.start });
  return reports?.some(({ unfinished }) => unfinished) ? undefined : reports;
});
