import { ClusterPod } from '../cluster';
import { PodLimit, PodLimits } from '../pdb';
import { CourseEntry, WorkloadStory } from './scenario-report';
import { World } from './world';

/** A workload as scenarios begin with it. */
interface Opening {
  readonly replicas: number;
  readonly sample: ClusterPod;
  /** What its pods have to keep from the beginning on. */
  readonly budgets: readonly PodLimit[];
  /** Whether budgets count pods of others, too. */
  readonly isShared: boolean;
  /** Of its pods alone, how many have to be ready for all of these. */
  readonly wanted: number;
}

interface Account {
  readonly opening: Opening;
  lowestReady: number;
  isDown: boolean;
  millisecondsBelow: number;
}

/** Keeps account of how many pods of each workload are ready, and tells when none is. */
export class Ledger {
  public readonly course: CourseEntry[] = [];
  private readonly accounts = new Map<string, Account>();
  private since: number;

  public constructor(private readonly world: World) {
    this.since = world.now;
    const openings = OPENINGS.get(world.cluster) ?? openingsOf(world);
    OPENINGS.set(world.cluster, openings);
    for (const [key, ready] of world.pods.ready) {
      this.accounts.set(key, { opening: openings.get(key)!, lowestReady: ready, isDown: ready === 0, millisecondsBelow: 0 });
    }
  }

  /** Call it when time is about to pass: things are as they are until then. */
  public passTo(instant: number): void {
    const { ready } = this.world.pods;
    let now: PodLimits | undefined;
    const limits = () => now ??= new PodLimits(this.world.snapshot());
    let readyPods = 0;
    this.accounts.forEach((account, key) => {
      const count = ready.get(key) ?? 0;
      readyPods += count;
      account.lowestReady = Math.min(account.lowestReady, count);
      if (isBelow(account.opening, count, limits)) account.millisecondsBelow += instant - this.since;
      if ((count === 0) !== account.isDown) this.world.tell(count === 0 ? `${key} has no pod ready` : `${key} has ${count} of ${account.opening.replicas} ready again`);
      account.isDown = count === 0;
    });
    this.enter({ second: Math.round((this.since - this.world.start) / 1_000), nodes: this.world.nodes.size, readyPods });
    this.since = instant;
  }

  /** Of one second only how it ends. */
  private enter(entry: CourseEntry): void {
    const { course } = this;
    if (course.length > 0 && course[course.length - 1].second === entry.second) course.pop();
    const last = course[course.length - 1];
    if (last?.nodes !== entry.nodes || last.readyPods !== entry.readyPods) course.push(entry);
  }

  public stories(): WorkloadStory[] {
    return [...this.accounts].sort(([left], [right]) => left < right ? -1 : 1)
      .map(([workload, { opening: { replicas, budgets }, lowestReady, millisecondsBelow }]) => ({
        workload,
        replicas,
        lowestReady,
        evictions: this.world.evictions.get(workload) ?? 0,
        ...(budgets.length === 0 ? {} : { secondsBelowBudget: Math.round(millisecondsBelow / 1_000) }),
      }));
  }
}

/** The same for every scenario of a cluster. */
const OPENINGS = new WeakMap<World['cluster'], ReadonlyMap<string, Opening>>();

/** By `workloadKey`. */
function openingsOf(world: World): Map<string, Opening> {
  const { pods: { ready, first: { samples } }, cluster: { replicas } } = world;
  const limits = new PodLimits(world.snapshot());
  const selected = new Map<PodLimit, number>();
  for (const limit of [...ready.keys()].flatMap((key) => limits.of(samples.get(key)!))) selected.set(limit, (selected.get(limit) ?? 0) + 1);
  return new Map([...ready].map(([key, count]) => {
    const sample = samples.get(key)!;
    // How many there should be of pods without a scale, as those of Jobs, Kubernetes cannot tell: then there is nothing to be below of.
    const budgets = limits.of(sample).filter(({ isUnknown }) => !isUnknown);
    const isShared = budgets.some((limit) => selected.get(limit)! > 1 || limit.healthy !== count);
    const wanted = budgets.reduce((most, { desiredHealthy }) => Math.max(most, desiredHealthy), 0);
    return [key, { replicas: replicas?.get(key) ?? count, sample, budgets, isShared, wanted }];
  }));
}

/** Whether one of its budgets has fewer healthy pods than it is to keep; those of one workload alone are counted already. */
function isBelow({ budgets, isShared, wanted, sample }: Opening, ready: number, limits: () => PodLimits): boolean {
  if (!isShared) return ready < wanted;
  return isOneBelow(budgets, sample, limits);
}

function isOneBelow(budgets: readonly PodLimit[], sample: ClusterPod, limits: () => PodLimits): boolean {
  const now = limits().of(sample);
  return budgets.some(({ key, desiredHealthy }) => now.find((limit) => limit.key === key)!.healthy < desiredHealthy);
}
