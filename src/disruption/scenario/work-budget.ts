import { SchedulingSession } from '../../scheduling';

/** 15 to 60 seconds of one core. A roll of 500 nodes with 10,000 pods needs less than a hundredth of it. */
export const MAX_WORK = 30_000_000;

/**
 * Bounds the work of one simulation. Work is counted and not timed, so that a simulation stops at the same event on
 * every machine.
 */
export class WorkBudget {
  private readonly workBefore: number;
  private ownWork = 0;

  public constructor(
    private readonly scheduling: SchedulingSession,
    private readonly maxWork: number,
  ) {
    this.workBefore = scheduling.work;
  }

  /** Adds work besides that of the scheduling simulations, in the same unit. */
  public spend(work: number): void {
    this.ownWork += work;
  }

  public get spent(): number {
    return this.ownWork + this.scheduling.work - this.workBefore;
  }

  public get isSpent(): boolean {
    return this.spent > this.maxWork;
  }
}
