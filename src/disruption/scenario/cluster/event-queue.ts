import { SimulatedCluster } from './simulated-cluster';
import { Instant } from '../../cluster';

/** Something that happens to the cluster from outside, such as an interruption or a deletion by hand. */
export interface ScheduledEvent {
  readonly at: Instant;
  readonly apply: (cluster: SimulatedCluster) => void;
}

/** The events of a scenario, in order of time. */
export class EventQueue {
  private readonly events: ScheduledEvent[];

  public constructor(events: readonly ScheduledEvent[]) {
    this.events = [...events].sort((left, right) => left.at - right.at);
  }

  /** When the next event is due; infinite if there is none. */
  public get next(): Instant {
    return this.events[0]?.at ?? Infinity;
  }

  public applyDue(cluster: SimulatedCluster): void {
    while (this.next <= cluster.now) this.events.shift()!.apply(cluster);
  }
}
