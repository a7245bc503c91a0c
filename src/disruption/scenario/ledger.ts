import { PodLimits } from '../pdb';
import { WorkloadStory } from './scenario-report';
import { World } from './world';

interface Account {
  readonly replicas: number;
  lowestReady: number;
  isDown: boolean;
  budget?: number;
  millisecondsBelow: number;
}

/** Keeps account of how many pods of each workload are ready, and tells when none is. */
export class Ledger {
  private readonly accounts = new Map<string, Account>();
  private since: number;

  public constructor(private readonly world: World) {
    this.since = world.now;
    const { pods, cluster } = world;
    const limits = new PodLimits(world.snapshot());
    const { samples } = pods.first;
    for (const [key, ready] of pods.ready) {
      const own = limits.of(samples.get(key)!);
      this.accounts.set(key, {
        replicas: cluster.replicas?.get(key) ?? ready,
        lowestReady: ready,
        isDown: ready === 0,
        millisecondsBelow: 0,
        ...(own.length > 0 ? { budget: Math.max(...own.map(({ desiredHealthy }) => desiredHealthy)) } : {}),
      });
    }
  }

  /** Call it when time is about to pass: things are as they are until then. */
  public passTo(instant: number): void {
    const { ready } = this.world.pods;
    for (const [key, account] of this.accounts) {
      const count = ready.get(key) ?? 0;
      account.lowestReady = Math.min(account.lowestReady, count);
      if (account.budget !== undefined && count < account.budget) account.millisecondsBelow += instant - this.since;
      if ((count === 0) !== account.isDown) this.world.tell(count === 0 ? `${key} has no pod ready` : `${key} has ${count} of ${account.replicas} ready again`);
      account.isDown = count === 0;
    }
    this.since = instant;
  }

  public stories(): WorkloadStory[] {
    return [...this.accounts].sort(([left], [right]) => left < right ? -1 : 1)
      .map(([workload, { replicas, lowestReady, budget, millisecondsBelow }]) => ({
        workload,
        replicas,
        lowestReady,
        evictions: this.world.evictions.get(workload) ?? 0,
        ...(budget === undefined ? {} : { secondsBelowBudget: Math.round(millisecondsBelow / 1_000) }),
      }));
  }
}
