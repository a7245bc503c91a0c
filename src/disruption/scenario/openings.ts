import { Cluster, ClusterPod } from '../cluster';
import { PodLimit, PodLimits } from '../pdb';
import { ClusterSize, WorkloadStory } from './scenario-report';
import { World } from './world';

/** A workload as scenarios begin with it. */
export interface Opening {
  readonly workload: string;
  /** Its place among all. */
  readonly place: number;
  readonly ready: number;
  readonly replicas: number;
  readonly sample: ClusterPod;
  /** What its pods have to keep from the beginning on. */
  readonly budgets: readonly PodLimit[];
  /** Whether budgets count pods of others, too. */
  readonly isShared: boolean;
  /** Of its pods alone, how many have to be ready for all of these. */
  readonly wanted: number;
  /** What becomes of it where nothing happens to it. */
  readonly story: WorkloadStory;
}

/** All workloads, the same for every scenario of a cluster. */
export interface Openings {
  /** By `workloadKey`. */
  readonly all: ReadonlyMap<string, Opening>;
  /** By name. */
  readonly sorted: readonly Opening[];
  /** Those of which more has to be looked at than their own pods, or that have too few from the beginning. */
  readonly watched: readonly Opening[];
  readonly readyPods: number;
  readonly size: ClusterSize;
}

export function openings(world: World): Openings {
  const found = OPENINGS.get(world.cluster) ?? gather(world);
  OPENINGS.set(world.cluster, found);
  return found;
}

const OPENINGS = new WeakMap<Cluster, Openings>();

function gather(world: World): Openings {
  const all = openingsOf(world);
  return {
    all: new Map(all.map((opening) => [opening.workload, opening])),
    sorted: [...all].sort((left, right) => left.workload < right.workload ? -1 : 1),
    watched: all.filter(({ isShared, ready, wanted }) => isShared || ready < wanted),
    readyPods: all.reduce((sum, { ready }) => sum + ready, 0),
    size: world.size(),
  };
}

function openingsOf(world: World): Opening[] {
  const { pods: { ready: counts, first: { samples } }, cluster: { replicas: known } } = world;
  const limits = new PodLimits(world.snapshot());
  const selected = new Map<PodLimit, number>();
  for (const limit of [...counts.keys()].flatMap((key) => limits.of(samples.get(key)!))) selected.set(limit, (selected.get(limit) ?? 0) + 1);
  return [...counts].map(([workload, ready], place): Opening => {
    const sample = samples.get(workload)!;
    // How many there should be of pods without a scale, as those of Jobs, Kubernetes cannot tell: then there is nothing to be below of.
    const budgets = limits.of(sample).filter(({ isUnknown }) => !isUnknown);
    const isShared = budgets.some((limit) => selected.get(limit)! > 1 || limit.healthy !== ready);
    const wanted = budgets.reduce((most, { desiredHealthy }) => Math.max(most, desiredHealthy), 0);
    const replicas = known?.get(workload) ?? ready;
    const story = storyOf({ workload, replicas, budgets }, { lowestReady: ready, evictions: 0, millisecondsBelow: 0 });
    return { workload, place, ready, replicas, sample, budgets, isShared, wanted, story };
  });
}

/** What happened to it. */
interface Happened {
  readonly lowestReady: number;
  readonly evictions: number;
  readonly millisecondsBelow: number;
}

export function storyOf(
  { workload, replicas, budgets }: Pick<Opening, 'workload' | 'replicas' | 'budgets'>, { lowestReady, evictions, millisecondsBelow }: Happened,
): WorkloadStory {
  const ofBudget = budgets.length === 0 ? {} : { secondsBelowBudget: Math.round(millisecondsBelow / 1_000) };
  return { workload, replicas, lowestReady, evictions, ...ofBudget };
}
