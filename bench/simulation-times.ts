import Table from 'cli-table3';
import { ClusterKind, LOOSE, standing, TIGHT } from './consolidation-clusters';
import { DisruptionOracle, TimedSimulations } from '../conformance/disruption/oracle';
import { simulationOf } from '../src/disruption/scenario/scenario-times';

const NODES = [50, 100, 200, 400];
const PODS = [0, 20, 80, 200, 400, 800];
const CANDIDATES = 6;
const ROUNDS = 4;
/**
 * Where waiting pods are placed, and the number of pods per node of the cluster at which 30 % of the nodes are being
 * deleted.
 */
const PLACES: ReadonlyArray<readonly [where: string, kind: ClusterKind, replaced: boolean, most: number]> = [
  ['on new nodes', TIGHT, true, 2.4],
  ['on existing nodes', LOOSE, false, 1.2],
  ['on no node yet', TIGHT, false, 2.4],
];

/** The duration of one simulation of Karpenter in milliseconds, by number of nodes and of waiting pods. */
interface SimulationTime extends TimedSimulations {
  readonly where: string;
  readonly nodes: number;
  /** The duration that scenarios use. */
  readonly taken: number;
}

/** Measures one simulation of Karpenter on one CPU, in clusters where more and more nodes are being deleted. */
export async function simulationTimes(progress: (line: string) => void): Promise<void> {
  process.env.GOMAXPROCS = '1';
  const oracle = await DisruptionOracle.start();
  const times: SimulationTime[] = [];
  for (const nodes of NODES) {
    for (const [where, kind, replaced, most] of PLACES) {
      const scenario = standing(kind, nodes);
      const pods = PODS.filter((count) => count <= most * nodes);
      for (const timed of await oracle.timeSimulations(scenario, {
        pods,
        replaced,
        candidates: CANDIDATES,
        rounds: ROUNDS,
      })) {
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
  const table = new Table({
    head: ['nodes', 'waiting pods', 'placed', 'new nodes', 'Karpenter ms', 'scenarios ms'],
    style: { head: [], border: [] },
  });
  for (const { nodes, pods, where, claims, milliseconds, taken } of times) {
    table.push([nodes, pods, where, Math.round(claims * 10) / 10, Math.round(milliseconds), taken]);
  }
  console.log(table.toString());
  console.log(JSON.stringify({ simulations: times }));
}
