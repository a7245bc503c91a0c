import { DO_NOT_DISRUPT } from '../../contract';
import { Cluster, ClusterPod } from '../cluster';
import { PdbSelection, pdbSelection } from '../pdb-selection';
import { isActive, isDrained } from '../pod-eviction';
import { WorldPod, WorldPods } from './world-pods';

/** What a node that drains waits for, as long as none of its pods changes. */
export interface DrainList {
  /** Told to end or not. */
  readonly waiting: readonly WorldPod[];
  /** Of each of these its group: pods of no importance come first, DaemonSets after the others, critical ones last. */
  readonly groups: readonly number[];
  /** Those of the first group that have not been told yet. */
  readonly first: readonly WorldPod[];
  /** Those that have not been told yet, whatever their group. */
  readonly untold: readonly WorldPod[];
  /** Of each of these the position of the PodDisruptionBudget that alone decides whether it may go; -1 where more than that does. */
  readonly budgets: readonly number[];
}

export function drainListOf(node: string, { pods, cluster }: { readonly pods: WorldPods; readonly cluster: Pick<Cluster, 'pdbs'> }): DrainList {
  const all = pods.on(node);
  const known = LISTS.get(all);
  if (known) return known;
  const found = listOf(all, pods, pdbSelection(cluster.pdbs));
  LISTS.set(all, found);
  return found;
}

const LISTS = new WeakMap<readonly WorldPod[], DrainList>();

function listOf(all: readonly WorldPod[], pods: WorldPods, selection: PdbSelection): DrainList {
  const waiting = all.filter((subject) => isDrained(subject.pod) && !isAbandoned(subject));
  const groups = waiting.map(groupOf);
  const first = Math.min(...groups);
  const untold = waiting.filter(({ phase }) => phase !== 'ending');
  return {
    waiting,
    groups,
    first: untold.filter((subject) => groupOf(subject) === first),
    untold,
    budgets: untold.map((subject) => onlyBudget(pods.shown(subject), selection)),
  };
}

function groupOf({ pod }: WorldPod): number {
  return (pod.critical ? 2 : 0) + (pod.daemon ? 1 : 0);
}

/** Told to end where nobody hears: for one that should have ended long ago nobody waits. */
function isAbandoned({ phase, until }: WorldPod): boolean {
  return phase === 'ending' && until === undefined;
}

function onlyBudget(pod: ClusterPod, selection: PdbSelection): number {
  const [position, ...others] = selection.positions(pod);
  const isPlain = isActive(pod) && pod.ready !== false && pod.annotations?.[DO_NOT_DISRUPT] === undefined;
  return isPlain && position !== undefined && others.length === 0 ? position : -1;
}

/** Milliseconds. */
export function graceOf({ pod: { terminationGraceSeconds = 30 } }: WorldPod): number {
  return terminationGraceSeconds * 1_000;
}
