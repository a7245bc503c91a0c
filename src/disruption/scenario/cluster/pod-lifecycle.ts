import { ClusterParts } from './cluster-parts';
import { JobController } from './job-controller';
import { podTermination, PodTermination, unreachableTermination, SimulatedPod, workloadKeyOf } from './simulated-pod';
import { StatefulSetController } from './stateful-set-controller';
import { clonePod } from '../../clone';
import { ClusterPod } from '../../cluster';
import { podKey } from '../../pods';

/** What the scheduler, the kubelets and the workload controllers of Kubernetes do to pods. */
export class PodLifecycle {
  /** Pods by `workloadKey` that were evicted or deleted with their node. */
  public readonly evictions = new Map<string, number>();
  /** Deleted bare pods, which nothing recreates. */
  public readonly lostPods: string[] = [];
  public readonly statefulSets: StatefulSetController;
  public readonly jobs: JobController;
  /** Called when the containers of a pod have ended. @default - no calls */
  public onCompleted?: (pod: ClusterPod) => void;
  /** Pods of StatefulSets that are not recreated, because their workload wants fewer. */
  private readonly retired = new WeakSet<SimulatedPod>();
  private recreatedCount = 0;

  public constructor(private readonly cluster: ClusterParts) {
    this.jobs = new JobController(cluster.pods);
    this.statefulSets = new StatefulSetController(cluster.pods, (pod) => this.create(pod, pod.name));
  }

  /** Pods without a node: pending pods, and pods that a StatefulSet has not recreated yet. */
  public get podsWithoutNode(): ClusterPod[] {
    return [...this.cluster.pods.pending().map(({ pod }) => pod), ...this.statefulSets.missingPods];
  }

  public bind(subject: SimulatedPod, node: string): void {
    const { cluster } = this;
    const pod = clonePod(subject.pod);
    pod.startedAt = cluster.now;
    cluster.pods.update(subject, { phase: 'starting', pod, node, phaseEnds: cluster.after(cluster.times.podStart) });
    cluster.recordPodEvent(node);
    cluster.consolidation.recordChange(cluster.now);
    cluster.decisionVersion++;
  }

  /**
   * Starts the termination of a pod. Its controller creates the next pod at once; a StatefulSet waits until the pod is
   * deleted.
   *
   * @param grace seconds; @default - the grace period of the pod
   */
  public startTermination(subject: SimulatedPod, grace = subject.pod.terminationGraceSeconds ?? 30): void {
    const { pod } = subject;
    this.terminate(subject, grace);
    this.countEviction(pod);
    if (isReplacedAtOnce(pod)) this.replace(pod);
  }

  /**
   * Shortens the termination of a pod, if it would take longer.
   *
   * @param grace seconds
   */
  public shortenTermination(subject: SimulatedPod, grace: number): void {
    const { phaseEnds, killDeadline } = this.terminationOf(subject, grace);
    this.cluster.pods.update(subject, {
      phase: 'terminating',
      phaseEnds: Math.min(subject.phaseEnds ?? Infinity, phaseEnds),
      killDeadline: Math.min(subject.killDeadline ?? Infinity, killDeadline),
    });
  }

  /** Deletes a pod whose node no longer exists. */
  public forceDelete(subject: SimulatedPod): void {
    const wasTerminating = subject.phase === 'terminating';
    if (!wasTerminating) this.countEviction(subject.pod);
    this.delete(subject);
    if (!wasTerminating && isReplacedAtOnce(subject.pod)) this.replace(subject.pod);
  }

  /** Ends Jobs whose deadline is over, and advances all pods whose phase has ended. */
  public reconcile(): void {
    for (const job of this.jobs.takeOverdue(this.cluster.now)) this.endJob(job);
    for (const subject of this.cluster.pods.withEndedPhase(this.cluster.now)) this.advancePhase(subject);
  }

  /**
   * Advances a pod whose phase has ended: a terminating pod is deleted, a ready pod has completed, any other becomes
   * ready.
   */
  public advancePhase(subject: SimulatedPod): void {
    const { phase, neverTerminates, pod } = subject;
    if (phase === 'ready') return this.complete(subject);
    const phaseEnds =
      phase === 'terminating' || pod.runSeconds === undefined ? undefined : this.cluster.after(pod.runSeconds);
    if (phase === 'terminating' && !neverTerminates) this.delete(subject);
    else this.cluster.pods.update(subject, { phase: phase === 'terminating' ? 'terminating' : 'ready', phaseEnds });
    if (subject.phase === 'ready') this.statefulSets.continueAfter(pod);
    this.cluster.decisionVersion++;
  }

  public delete(subject: SimulatedPod): void {
    const { cluster } = this;
    cluster.decisionVersion++;
    cluster.pods.remove(subject);
    cluster.consolidation.recordChange(cluster.now);
    const { pod, node } = subject;
    if (this.retired.has(subject)) this.retired.delete(subject);
    else if (pod.owner?.kind === 'StatefulSet') this.statefulSets.recreate(pod);
    else if (!pod.owner && !pod.daemon) this.lostPods.push(podKey(pod));
    // A deleting node takes no pods, and once a pod terminates, topology constraints do not count it.
    const isOnDeletingNode = node !== undefined && cluster.nodes.get(node)?.isDeleting === true;
    if (!isOnDeletingNode) cluster.needsProvisioning = true;
  }

  /** Removes a pod that its workload no longer wants. This is no eviction, and no PodDisruptionBudget prevents it. */
  public retire(subject: SimulatedPod): void {
    const { cluster } = this;
    cluster.decisionVersion++;
    if (subject.phase === 'pending') return cluster.pods.remove(subject);
    this.retired.add(subject);
    this.terminate(subject, subject.pod.terminationGraceSeconds ?? 30);
  }

  /** Creates a pending pod. */
  public create(pod: ClusterPod, name: string): void {
    const next = clonePod(pod);
    next.name = name;
    next.startedAt = next.age = next.terminating = next.killDeadline = undefined;
    this.cluster.pods.addPending(next);
    this.cluster.needsProvisioning = true;
    this.cluster.decisionVersion++;
  }

  private complete(subject: SimulatedPod): void {
    const { cluster } = this;
    cluster.recordPodEvent(subject.node);
    cluster.pods.remove(subject);
    cluster.consolidation.recordChange(cluster.now);
    cluster.needsProvisioning = true;
    cluster.decisionVersion++;
    this.onCompleted?.(subject.pod);
  }

  private endJob(job: string): void {
    const { cluster } = this;
    const subjects = this.jobs.podsOf(job, cluster.nodes.keys());
    if (subjects.length > 0) cluster.recordEvent(`the pods of ${job} end by its activeDeadlineSeconds`);
    for (const subject of subjects) {
      if (subject.phase === 'pending') cluster.pods.remove(subject);
      else this.terminate(subject, subject.pod.terminationGraceSeconds ?? 30);
    }
    cluster.decisionVersion++;
  }

  private terminate(subject: SimulatedPod, grace: number): void {
    this.cluster.pods.update(subject, { phase: 'terminating', ...this.terminationOf(subject, grace) });
    this.cluster.recordPodEvent(subject.node);
  }

  private terminationOf({ node }: SimulatedPod, grace: number): Required<PodTermination> {
    const { now, nodes, times } = this.cluster;
    const isUnreachable = node !== undefined && nodes.get(node)?.unreachable === true;
    return isUnreachable ? unreachableTermination(now, grace) : podTermination(now, grace, times);
  }

  private replace(pod: ClusterPod): void {
    this.create(pod, `${pod.owner!.name}-new-${this.recreatedCount++}`);
  }

  private countEviction(pod: ClusterPod): void {
    const workload = workloadKeyOf(pod);
    if (workload !== undefined) this.evictions.set(workload, (this.evictions.get(workload) ?? 0) + 1);
  }
}

/** Whether the controller of the pod creates the next one as soon as this one starts to terminate. */
function isReplacedAtOnce({ owner, daemon }: ClusterPod): boolean {
  return owner !== undefined && owner.kind !== 'StatefulSet' && owner.kind !== 'Node' && !daemon;
}
