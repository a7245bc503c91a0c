import { Instant } from '../../cluster';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { SimulatedPod } from '../cluster/simulated-pod';

/** How long pods were pending that have a node in the end. */
export class WaitingTimes {
  private readonly since = new Map<SimulatedPod, Instant>();
  private pods = 0;
  private longest = 0;

  public constructor(private readonly cluster: SimulatedCluster) {}

  public get result(): { readonly waitingPods: number; readonly longestWaitSeconds: number } {
    return { waitingPods: this.pods, longestWaitSeconds: Math.round(this.longest / 1_000) };
  }

  /** Call it before the clock advances, and at the end. */
  public update(): void {
    const {
      since,
      cluster: { now, pods },
    } = this;
    const pending = new Set(pods.pending());
    for (const subject of pending) if (!since.has(subject)) since.set(subject, now);
    for (const [subject, from] of since) {
      if (pending.has(subject)) continue;
      since.delete(subject);
      if (subject.node === undefined || now === from) continue;
      this.pods++;
      this.longest = Math.max(this.longest, now - from);
    }
  }
}
