import { Cluster, Instant, NodeDrain, runScenario, ScenarioReport } from '../../../disruption';
import { Label } from '../../../model';
import { oncePer } from '../../once-per';
import { disruptedCluster } from '../../scenario/disrupted-cluster';
import { startOf } from '../../scenario/node-facts';
import { unjudgedObjects } from '../../unjudged';
import { RuleContext } from '../rule';

/** Beyond these a scenario takes longer than the verdict it is for: consolidation of 30 nodes a tenth of a second or two. */
const MOST_NODES = 30;
const MOST_PODS = 500;

/** What scenarios begin with. */
export interface Stage {
  readonly cluster: Cluster;
  readonly start: Instant;
}

/** Undefined where it is too big to be played for a verdict, or where something is not known that would change the story. */
export const stageOf = oncePer((context: RuleContext): Stage | undefined => {
  const { model, plan, input } = context;
  const nodes = plan.nodeClaims.length + (input.nodes?.length ?? 0);
  const pods = input.pods.reduce((sum, { count }) => sum + count, (input.nodes ?? []).reduce((sum, node) => sum + node.pods.length, 0));
  if (nodes === 0 || nodes > MOST_NODES || pods > MOST_PODS || plan.notEvaluated.length > 0) return undefined;
  const { sentences, unknownPools } = unjudgedObjects(model);
  if (sentences.length > 0 || unknownPools.length > 0) return undefined;
  const start = startOf(model);
  const { cluster, notes } = disruptedCluster(context, plan, start);
  return notes.length > 0 ? undefined : { cluster, start };
});

/** What `--scenario consolidation` tells; undefined where it cannot be told, or is not over within the week that is looked at. */
export const consolidationOf = oncePer((context: RuleContext): ScenarioReport | undefined => {
  const stage = stageOf(context);
  const [report] = stage ? runScenario('consolidation', stage.cluster, { start: stage.start }) : [];
  return report?.unfinished ? undefined : report;
});

/** The same, were Karpenter to ignore what pods prefer. */
export const consolidationWithoutPreferences = oncePer((context: RuleContext): ScenarioReport | undefined => {
  const stage = stageOf(context);
  if (!stage) return undefined;
  const { scheduling } = stage.cluster;
  const cluster: Cluster = { ...stage.cluster, scheduling: { ...scheduling, settings: { ...scheduling.settings, preferencePolicy: 'Ignore' } } };
  const [report] = runScenario('consolidation', cluster, { start: stage.start });
  return report.unfinished ? undefined : report;
});

/**
 * The drain that lasts longest of a NodePool whose nodes expire, as `--scenario expiration` tells; undefined where it cannot be told, or
 * where one has no end.
 */
export function longestDrain(context: RuleContext, pool: string): NodeDrain | undefined {
  const stage = stageOf(context);
  const report = expirationOf(context);
  if (!stage || !report || report.unfinished) return undefined;
  const drains = new Map(report.drains.map((drain) => [drain.node, drain]));
  const expiring = stage.cluster.nodes.filter(({ labels, claim }) => labels[Label.NODE_POOL] === pool && claim?.expireAfter !== undefined);
  if (expiring.some(({ name }) => !drains.has(name))) return undefined;
  return expiring.map(({ name }) => drains.get(name)!).sort((left, right) => right.seconds - left.seconds)[0];
}

const expirationOf = oncePer((context: RuleContext): ScenarioReport | undefined => {
  const stage = stageOf(context);
  return stage ? runScenario('expiration', stage.cluster, { start: stage.start })[0] : undefined;
});

/** What `--scenario zone-outage` tells, a report for each zone that has nodes. */
export const zoneOutagesOf = oncePer((context: RuleContext): readonly ScenarioReport[] | undefined => {
  const stage = stageOf(context);
  const reports = stage && runScenario('zone-outage', stage.cluster, { start: stage.start });
  return reports?.some(({ unfinished }) => unfinished) ? undefined : reports;
});
