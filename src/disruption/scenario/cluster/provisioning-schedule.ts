import { SimulatedPod } from './simulated-pod';
import { Instant } from '../../cluster';

/** Milliseconds between two runs of the provisioner while pods are pending or on deleting nodes. */
const RUN_INTERVAL = 10_000;
/**
 * After this many follow-up runs that schedule no further pod, no other follows: a label that nodes turn out to lack
 * would repeat them without end.
 */
const MAX_FRUITLESS_RUNS = 3;

/**
 * When the provisioner runs: at once when a pod becomes pending or a node is deleted, otherwise every ten seconds. A
 * run that launches nodes is followed by another one, because then further pods may fit elsewhere.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/controller.go
 */
export class ProvisioningSchedule {
  private isTriggered = false;
  /** Pods that have triggered a run. */
  private readonly triggeringPods = new WeakSet<SimulatedPod>();
  private followUp: Instant = Infinity;
  private isCurrentRunFollowUp = false;
  private fruitlessRuns = 0;
  private hasRefusedLaunch = false;
  /** Pods without a node after the last run. */
  private unscheduled = Infinity;

  /** @param lastRun when the provisioner ran before the scenario */
  public constructor(private lastRun: Instant) {}

  /** Requests a run at once. */
  public trigger(): void {
    this.isTriggered = true;
  }

  /** Requests a run if a pod has become pending. */
  public triggerForNewPods(pending: readonly SimulatedPod[]): void {
    for (const pod of pending) {
      if (this.triggeringPods.has(pod)) continue;
      this.triggeringPods.add(pod);
      this.isTriggered = true;
    }
  }

  public clearTrigger(): void {
    this.isTriggered = false;
  }

  /** When the provisioner runs next, which may be now. */
  public nextRun(now: Instant): Instant {
    return this.isTriggered ? now : this.previousRun(now) + RUN_INTERVAL;
  }

  /** The last run before now, including runs that found nothing to do and are not simulated. */
  public previousRun(now: Instant): Instant {
    return this.lastRun + Math.max(0, Math.ceil((now - this.lastRun) / RUN_INTERVAL) - 1) * RUN_INTERVAL;
  }

  /** When a follow-up run is due; infinite if none is. */
  public get followUpAt(): Instant {
    return this.followUp;
  }

  /** Whether the run of this tick is a follow-up. */
  public get isFollowUp(): boolean {
    return this.isCurrentRunFollowUp;
  }

  /** Starts a follow-up run if one is due. */
  public startFollowUp(now: Instant): boolean {
    if (this.followUp > now) return false;
    this.followUp = Infinity;
    this.isCurrentRunFollowUp = true;
    return true;
  }

  /** EC2 refused a launch: another run follows, as after a launch. */
  public retryLaunches(): void {
    this.hasRefusedLaunch = true;
  }

  /** @param unscheduled the number of pods that got no node */
  public recordRun(now: Instant, hasLaunched: boolean, unscheduled: number): void {
    this.lastRun = now;
    this.isTriggered = false;
    this.fruitlessRuns = !this.isCurrentRunFollowUp || unscheduled < this.unscheduled ? 0 : this.fruitlessRuns + 1;
    this.isCurrentRunFollowUp = false;
    this.unscheduled = unscheduled;
    this.followUp =
      (hasLaunched || this.hasRefusedLaunch) && (unscheduled === 0 || this.fruitlessRuns < MAX_FRUITLESS_RUNS)
        ? now + RUN_INTERVAL
        : Infinity;
    this.hasRefusedLaunch = false;
  }

  /** Requests a follow-up run at this time at the latest. */
  public scheduleFollowUp(at: Instant): void {
    this.followUp = Math.min(this.followUp, at);
  }
}
