import { PodLimits } from '../pdb';
import { Opening, Openings, openings, storyOf } from './openings';
import { ClusterSize, CourseEntry, WorkloadStory } from './scenario-report';
import { World } from './world';

interface Account {
  readonly opening: Opening;
  ready: number;
  lowestReady: number;
  millisecondsBelow: number;
}

/** Keeps account of how many pods of each workload are ready, and tells when none is. To most of hundreds nothing happens. */
export class Ledger {
  public readonly course: CourseEntry[] = [];
  private readonly openings: Openings;
  /** Of workloads to which something has happened, or might. */
  private readonly accounts = new Map<string, Account>();
  private readyPods: number;
  private since: number;

  public constructor(private readonly world: World) {
    this.since = world.now;
    this.openings = openings(world);
    this.readyPods = this.openings.readyPods;
    for (const opening of this.openings.watched) this.open(opening);
  }

  /** As it began. */
  public get before(): ClusterSize {
    return this.openings.size;
  }

  /** Call it when time is about to pass: things are as they are until then. */
  public passTo(instant: number): void {
    const { all } = this.openings;
    const changed = [...this.world.pods.changedWorkloads()].flatMap((key) => all.get(key) ?? []);
    for (const opening of changed.sort((left, right) => left.place - right.place)) this.count(this.open(opening));
    let now: PodLimits | undefined;
    const limits = () => now ??= new PodLimits(this.world.snapshot());
    this.accounts.forEach((account) => {
      if (isBelow(account, limits)) account.millisecondsBelow += instant - this.since;
    });
    this.enter({ second: Math.round((this.since - this.world.start) / 1_000), nodes: this.world.nodes.size, readyPods: this.readyPods });
    this.since = instant;
  }

  public stories(): WorkloadStory[] {
    const { evictions: counts } = this.world;
    return this.openings.sorted.map((opening) => {
      const { workload, story, ready: lowestReady } = opening;
      const [account, evictions] = [this.accounts.get(workload), counts.get(workload)];
      if (account === undefined && evictions === undefined) return story;
      return storyOf(opening, { lowestReady, millisecondsBelow: 0, ...account, evictions: evictions ?? 0 });
    });
  }

  private open(opening: Opening): Account {
    const { workload, ready } = opening;
    const found = this.accounts.get(workload) ?? { opening, ready, lowestReady: ready, millisecondsBelow: 0 };
    this.accounts.set(workload, found);
    return found;
  }

  private count(account: Account): void {
    const { ready: before, opening: { workload, replicas } } = account;
    const ready = this.world.pods.ready.get(workload) ?? 0;
    this.readyPods += ready - before;
    account.ready = ready;
    account.lowestReady = Math.min(account.lowestReady, ready);
    if ((ready === 0) === (before === 0)) return;
    this.world.tell(ready === 0 ? `${workload} has no pod ready` : `${workload} has ${ready} of ${replicas} ready again`);
  }

  /** Of one second only how it ends. */
  private enter(entry: CourseEntry): void {
    const { course } = this;
    if (course.length > 0 && course[course.length - 1].second === entry.second) course.pop();
    const last = course[course.length - 1];
    if (last?.nodes !== entry.nodes || last.readyPods !== entry.readyPods) course.push(entry);
  }
}

/** Whether one of its budgets has fewer healthy pods than it is to keep; those of one workload alone are counted already. */
function isBelow({ ready, opening: { budgets, isShared, wanted, sample } }: Account, limits: () => PodLimits): boolean {
  if (!isShared) return ready < wanted;
  const now = limits().of(sample);
  return budgets.some(({ key, desiredHealthy }) => now.find((limit) => limit.key === key)!.healthy < desiredHealthy);
}
