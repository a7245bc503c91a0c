import { SimulatedPod, workloadKeyOf } from './simulated-pod';
import { SimulatedPods } from './simulated-pods';
import { ClusterPod, Instant } from '../../cluster';

interface JobDeadline {
  readonly at: Instant;
  /** Its `workloadKey`. */
  readonly job: string;
}

/**
 * Ends the pods of Jobs whose `activeDeadlineSeconds` are over.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/controller/job/job_controller.go
 */
export class JobController {
  /** Deadlines that are not over yet, the first one first. */
  private readonly deadlines: JobDeadline[];

  public constructor(private readonly pods: SimulatedPods) {
    this.deadlines = [...pods.initial.samples]
      .flatMap(([job, { jobDeadline }]) => (jobDeadline === undefined ? [] : [{ at: jobDeadline, job }]))
      .sort((left, right) => left.at - right.at);
  }

  /** When the next deadline is over; infinite if there is none. */
  public get nextDeadline(): Instant {
    return this.deadlines[0]?.at ?? Infinity;
  }

  /** Removes the Jobs whose deadline is over. Returns their keys. */
  public takeOverdue(now: Instant): string[] {
    const count = this.deadlines.filter(({ at }) => at <= now).length;
    return this.deadlines.splice(0, count).map(({ job }) => job);
  }

  /** The pods of a Job that have not ended. */
  public podsOf(job: string, nodes: Iterable<string>): SimulatedPod[] {
    const all = [...[...nodes].flatMap((node) => this.pods.onNode(node)), ...this.pods.pending()];
    return all.filter(({ pod, phase }) => phase !== 'terminating' && workloadKeyOf(pod) === job);
  }
}

/** Whether the deadline of its Job is over, so that the Job creates no more pods. */
export function hasJobEnded({ jobDeadline = Infinity }: Pick<ClusterPod, 'jobDeadline'>, now: Instant): boolean {
  return jobDeadline <= now;
}
