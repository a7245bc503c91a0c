import { DO_NOT_DISRUPT } from '../../contract';
import { ClusterPod } from '../cluster';
import { PdbSelection, pdbSelection } from '../pdb-selection';
import { isActive, isDrained } from '../pod-eviction';
import { World } from './world';
import { WorldPod, WorldPods } from './world-pods';

/** What a node that drains waits for, as long as none of its pods changes. */
export interface DrainList {
  /** Told to end or not. */
  readonly waiting: readonly WorldPod[];
  /** Those whose turn it is, and who have not been told yet: pods of no importance first, DaemonSets after the others, critical ones last. */
  readonly next: readonly WorldPod[];
  /** Of each of these the position of the PodDisruptionBudget that alone decides whether it may go; -1 where more than that does. */
  readonly budgets: readonly number[];
  /** The longest grace period, in milliseconds, of those that have not been told yet; undefined where all have. */
  readonly longestGrace?: number;
}

export function drainListOf(node: string, { pods, cluster }: World): DrainList {
  const all = pods.on(node);
  const found = LISTS.get(all) ?? listOf(all, pods, pdbSelection(cluster.pdbs));
  LISTS.set(all, found);
  return found;
}

const LISTS = new WeakMap<readonly WorldPod[], DrainList>();

function listOf(all: readonly WorldPod[], pods: WorldPods, selection: PdbSelection): DrainList {
  const waiting = all.filter((subject) => isDrained(subject.pod) && !isAbandoned(subject));
  const rank = ({ pod }: WorldPod) => (pod.critical ? 2 : 0) + (pod.daemon ? 1 : 0);
  const first = Math.min(...waiting.map(rank));
  const staying = all.filter(({ phase, pod }) => phase !== 'ending' && isDrained(pod));
  const next = waiting.filter((subject) => subject.phase !== 'ending' && rank(subject) === first);
  const longestGrace = staying.length === 0 ? undefined : Math.max(...staying.map(graceOf));
  return { waiting, next, budgets: next.map((subject) => onlyBudget(pods.shown(subject), selection)), longestGrace };
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
