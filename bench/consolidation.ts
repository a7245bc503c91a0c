import Table from 'cli-table3';
import { ClusterKind, LOOSE, ROLLING, standing, TIGHT } from './consolidation-clusters';
import { time, Timing } from './statistics';
import { MethodAnswer } from '../conformance/disruption/answer';
import { firstDifference } from '../conformance/disruption/equivalence';
import { DisruptionOracle } from '../conformance/disruption/oracle';
import { ourAnswer } from '../conformance/disruption/our-answer';
import { Oracles } from '../conformance/oracles';
import { DisruptionMethod, disruptionPass } from '../src/disruption';
import { clusterOf } from '../test/support/disruption-scenario/cluster';
import { DisruptionScenario } from '../test/support/disruption-scenario/generate';

const METHODS: readonly DisruptionMethod[] = ['MultiNodeConsolidation', 'SingleNodeConsolidation'];
const ROUNDS = 5;
/** Rounds of Karpenter. A round that simulates every candidate takes it half a minute. */
const HEATS: ReadonlyArray<readonly [kind: ClusterKind, nodes: number, rounds: number]> = [
  [LOOSE, 50, 3],
  [LOOSE, 200, 3],
  [TIGHT, 50, 3],
  [TIGHT, 100, 1],
  [ROLLING, 100, 1],
];

/** One consolidation method on one running cluster, timed from the cluster state in memory to the decision. */
export interface ConsolidationRace {
  readonly cluster: string;
  readonly nodes: number;
  readonly pods: number;
  readonly method: string;
  readonly decision: string;
  /** Each round has a new cluster object, so no cache of an earlier round applies. */
  readonly ours: Timing;
  readonly karpenter?: { readonly milliseconds: readonly number[]; readonly median: number };
  /** Karpenter's median divided by ours. */
  readonly ratio?: number;
}

/**
 * Runs both implementations on the same clusters and calls `progress` after each.
 *
 * @throws Error if the decisions differ
 */
export async function consolidationRaces(
  isAlone: boolean,
  progress: (line: string) => void,
): Promise<ConsolidationRace[]> {
  const oracles = isAlone ? undefined : new Oracles(DisruptionOracle);
  const ran: ConsolidationRace[] = [];
  for (const [kind, nodes, rounds] of HEATS) {
    const scenario = standing(kind, nodes);
    for (const method of METHODS) {
      const one = await race(scenario, nodes, method, oracles, rounds);
      progress(lineOf(one));
      ran.push(one);
    }
  }
  oracles?.stop();
  return ran;
}

async function race(
  scenario: DisruptionScenario,
  nodes: number,
  method: DisruptionMethod,
  oracles: Oracles<DisruptionOracle> | undefined,
  rounds: number,
): Promise<ConsolidationRace> {
  const clusters = Array.from({ length: ROUNDS + 1 }, () => clusterOf(scenario));
  const decided = ourAnswer(scenario).methods.filter((each) => each.method === method);
  const result: ConsolidationRace = {
    cluster: scenario.name,
    nodes,
    pods: clusters[0].nodes.reduce((sum, { pods }) => sum + pods.length, 0),
    method,
    decision: sentence(decided[0]),
    ours: time(ROUNDS, () => disruptionPass(clusters.pop()!, scenario.now, [method])),
  };
  if (!oracles) return result;
  const { answer, milliseconds } = await (await oracles.karpenter()).time(scenario, rounds, [method]);
  if (firstDifference(answer, { methods: decided }) !== undefined) {
    // Karpenter picks among equal zones at random.
    const inOrder = await (await oracles.karpenterInMapOrder()).time(scenario, 1, [method]);
    const differing = firstDifference(inOrder.answer, { methods: decided });
    if (differing !== undefined)
      throw new Error(`${scenario.name}, ${nodes} nodes: not what Karpenter decides: ${differing}`);
  }
  const median = [...milliseconds].sort((left, right) => left - right)[Math.floor(milliseconds.length / 2)];
  return { ...result, karpenter: { milliseconds, median }, ratio: Math.round((median / result.ours.median) * 10) / 10 };
}

function sentence({ commands }: MethodAnswer): string {
  return commands.map(({ decision, candidates }) => `${decision} ${candidates.length}`).join(', ') || 'none';
}

function lineOf({ cluster, nodes, method, ours: own, karpenter, ratio }: ConsolidationRace): string {
  const theirs = karpenter === undefined ? '' : `; Karpenter ${karpenter.median} ms, ${ratio} times that`;
  return `${method}, ${nodes} nodes, ${cluster}: ${own.median} ms${theirs}`;
}

export function printConsolidation(ran: readonly ConsolidationRace[]): void {
  const table = new Table({
    head: ['cluster', 'nodes', 'pods', 'method', 'decision', 'ms', 'Karpenter ms', 'times faster'],
    style: { head: [], border: [] },
  });
  for (const { cluster, nodes, pods, method, decision, ours: own, karpenter, ratio } of ran) {
    table.push([cluster, nodes, pods, method, decision, own.median, karpenter?.median ?? '', ratio ?? '']);
  }
  console.log(table.toString());
}

/** The smallest ratio of all clusters, for the JSON line. */
export function summaryOf(ran: readonly ConsolidationRace[]): {
  readonly leastRatio: number | null;
  readonly races: readonly ConsolidationRace[];
} {
  const ratios = ran.flatMap(({ ratio }) => ratio ?? []);
  return { leastRatio: ratios.length === 0 ? null : Math.min(...ratios), races: ran };
}
