import Table from 'cli-table3';
import { ClusterKind, LOOSE, standing, TIGHT } from './consolidation-clusters';
import { DisruptionOracle, TimedSimulations } from '../conformance/disruption/oracle';
import { simulationOf } from '../src/disruption/scenario/scenario-times';

const NODES = [50, 100, 200, 400];
const PODS = [0, 20, 80, 200, 400, 800];
const CANDIDATES = 6;
const ROUNDS = 4;
/** Where the pods go that are on their way, and of how many for each node of the cluster they are no more: then three tenths of the nodes go. */
const PLACES: ReadonlyArray<readonly [where: string, kind: ClusterKind, replaced: boolean, most: number]> = [
  ['to nodes launched for them', TIGHT, true, 2.4], ['to nodes that stand', LOOSE, false, 1.2], ['nowhere yet', TIGHT, false, 2.4],
];

/** One simulation of Karpenter's, in milliseconds, by nodes and by pods on their way. */
interface SimulationTime extends TimedSimulations {
  readonly where: string;
  readonly nodes: number;
  /** What scenarios take it to be. */
  readonly taken: number;
}

/** How long one simulation of Karpenter's takes in clusters that stand while more and more nodes go, on one CPU. */
export async function simulationTimes(progress: (line: string) => void): Promise<void> {
  process.env.GOMAXPROCS = '1';
  const oracle = await DisruptionOracle.start();
  const times: SimulationTime[] = [];
  for (const nodes of NODES) {
    for (const [where, kind, replaced, most] of PLACES) {
      const scenario = standing(kind, nodes);
      const pods = PODS.filter((count) => count <= most * nodes);
      for (const timed of await oracle.timeSimulations(scenario, { pods, replaced, candidates: CANDIDATES, rounds: ROUNDS })) {
        const one = { where, nodes, ...timed, taken: Math.round(simulationOf(nodes, timed.pods) * 1_000) };
        progress(`${where}, ${nodes} nodes, ${timed.pods} pods: ${Math.round(timed.milliseconds)} ms`);
        times.push(one);
      }
    }
  }
  oracle.stop();
  print(times);
}

function print(times: readonly SimulationTime[]): void {
  const table = new Table({ head: ['nodes', 'pods on their way', 'they go', 'new nodes', 'Karpenter ms', 'scenarios ms'], style: { head: [], border: [] } });
  for (const { nodes, pods, where, claims, milliseconds, taken } of times) {
    table.push([nodes, pods, where, Math.round(claims * 10) / 10, Math.round(milliseconds), taken]);
  }
  console.log(table.toString());
  console.log(JSON.stringify({ simulations: times }));
}
