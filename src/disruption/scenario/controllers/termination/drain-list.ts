import { DO_NOT_DISRUPT } from '../../../../contract';
import { PdbIndex } from '../../../budgets/pdb-index';
import { ClusterPod } from '../../../cluster';
import { isActive, isDrainable } from '../../../pods';
import { SimulatedPod } from '../../cluster/simulated-pod';
import { SimulatedPods } from '../../cluster/simulated-pods';

/** The pods that a draining node waits for. */
export interface DrainList {
  readonly waiting: readonly SimulatedPod[];
  /**
   * For each waiting pod, its position in the drain order: plain pods, pods of DaemonSets, critical pods, critical pods
   * of DaemonSets.
   */
  readonly stages: readonly number[];
  /** Pods of the first stage that are not yet terminating. */
  readonly firstStage: readonly SimulatedPod[];
  /** Pods of all stages that are not yet terminating. */
  readonly notTerminating: readonly SimulatedPod[];
  /** For each of `notTerminating`, the index of its PDB if that alone decides about its eviction, otherwise -1. */
  readonly onlyPdb: readonly number[];
}

/** @param nodePods the pods of the node */
export function buildDrainList(nodePods: readonly SimulatedPod[], pods: SimulatedPods, pdbs: PdbIndex): DrainList {
  const waiting = nodePods.filter((subject) => isDrainable(subject.pod) && !isGivenUp(subject));
  const stages = waiting.map(stageOf);
  const first = Math.min(...stages);
  const notTerminating = waiting.filter(({ phase }) => phase !== 'terminating');
  return {
    waiting,
    stages,
    firstStage: notTerminating.filter((subject) => stageOf(subject) === first),
    notTerminating,
    onlyPdb: notTerminating.map((subject) => onlyPdbOf(pods.snapshotOf(subject), pdbs)),
  };
}

function stageOf({ pod }: SimulatedPod): number {
  return (pod.critical ? 2 : 0) + (pod.daemon ? 1 : 0);
}

/** Whether Karpenter no longer waits for the pod, which should have terminated long ago. */
function isGivenUp({ phase, phaseEnds }: SimulatedPod): boolean {
  return phase === 'terminating' && phaseEnds === undefined;
}

function onlyPdbOf(pod: ClusterPod, pdbs: PdbIndex): number {
  const [index, ...others] = pdbs.indicesFor(pod);
  const isPlain = isActive(pod) && pod.ready !== false && pod.annotations?.[DO_NOT_DISRUPT] === undefined;
  return isPlain && index !== undefined && others.length === 0 ? index : -1;
}
