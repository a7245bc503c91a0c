import { Rollout } from './day-plan';
import { WorkloadScaler } from './workload-scaler';
import { ClusterPod } from '../cluster';
import { SimulatedPod } from '../scenario/cluster/simulated-pod';

const TEMPLATE_HASH = 'pod-template-hash';

/** A Deployment while its pods are replaced. */
interface RunningRollout {
  readonly rollout: Rollout;
  /** What its new pods are like. */
  readonly pod: ClusterPod;
}

/**
 * The pods of rollouts. Days that are compared share one object, because the scheduler encodes each kind of pods once.
 */
export class RolloutPods {
  private readonly byKey = new Map<string, ClusterPod>();

  /** @param generation how often the workload was rolled out before */
  public of({ key, pod: { shape, ...pod } }: Rollout, generation: number): ClusterPod {
    const hash = `${key} ${generation}`;
    const known = this.byKey.get(hash);
    if (known) return known;
    const created = { ...pod, shape: { ...shape, labels: { ...shape.labels, [TEMPLATE_HASH]: hash } } };
    this.byKey.set(hash, created);
    return created;
  }
}

/**
 * Replaces the pods of Deployments within maxSurge and maxUnavailable.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/controller/deployment/rolling.go
 */
export class RolloutController {
  private readonly running = new Map<string, RunningRollout>();
  /** The current pods of each workload after its first rollout. */
  private readonly templates = new Map<string, ClusterPod>();
  /** How often each workload was rolled out. */
  private readonly generations = new Map<string, number>();

  /** @param replicasOf the wanted replicas of a workload; undefined if no autoscaler sets them */
  public constructor(
    private readonly scaler: WorkloadScaler,
    private readonly replicasOf: (workload: string) => number | undefined,
    private readonly pods = new RolloutPods(),
  ) {}

  public start(rollout: Rollout): void {
    const { key } = rollout;
    const generation = this.generations.get(key) ?? 0;
    this.generations.set(key, generation + 1);
    const pod = this.pods.of(rollout, generation);
    this.running.set(key, { rollout, pod });
    this.templates.set(key, pod);
  }

  public isRunning(workload: string): boolean {
    return this.running.has(workload);
  }

  /** What new pods of the workload are like after its rollouts. */
  public templateOf(workload: string, original: ClusterPod): ClusterPod {
    return this.templates.get(workload) ?? original;
  }

  public reconcile(): void {
    if (this.running.size === 0) return;
    const { live, terminating } = this.scaler.podsOf(new Set(this.running.keys()));
    for (const [key, running] of this.running) {
      const wanted = this.replicasOf(key) ?? running.rollout.replicas;
      if (this.advance(running, live.get(key)!, terminating.get(key) ?? 0, wanted)) this.running.delete(key);
    }
  }

  /** Returns whether the rollout has ended. */
  private advance(
    { rollout, pod }: RunningRollout,
    pods: readonly SimulatedPod[],
    terminating: number,
    wanted: number,
  ): boolean {
    const [fresh, old] = [
      pods.filter((subject) => isLike(subject, pod)),
      pods.filter((subject) => !isLike(subject, pod)),
    ];
    if (rollout.maxSurge === undefined) {
      this.scaler.remove(old, old.length);
      if (old.length > 0 || terminating > 0) return false;
      this.scaler.scale({ key: rollout.key, pod }, fresh, wanted);
      return true;
    }
    const { surge, unavailable } = rolloutBounds(rollout, wanted);
    const missing = Math.min(wanted - fresh.length, wanted + surge - pods.length);
    if (missing > 0) this.scaler.create({ key: rollout.key, pod }, missing);
    else if (fresh.length > wanted) this.scaler.remove(fresh, fresh.length - wanted);
    this.removeOld(old, fresh, wanted - unavailable);
    return old.length === 0 && fresh.length === wanted && fresh.every(({ phase }) => phase === 'ready');
  }

  /** Removes old pods that are not ready, and ready ones as far as enough pods stay ready. */
  private removeOld(old: readonly SimulatedPod[], fresh: readonly SimulatedPod[], minAvailable: number): void {
    const freshReady = fresh.filter(({ phase }) => phase === 'ready').length;
    const unready = old.filter(({ phase }) => phase !== 'ready');
    const ready = old.filter(({ phase }) => phase === 'ready');
    const removable = Math.max(0, old.length + freshReady - minAvailable);
    const cleaned = Math.min(unready.length, removable);
    this.scaler.remove(unready, cleaned);
    this.scaler.remove(ready, Math.min(ready.length, freshReady + ready.length - minAvailable));
  }
}

function isLike({ pod }: SimulatedPod, { shape }: ClusterPod): boolean {
  return pod.shape.labels?.[TEMPLATE_HASH] === shape.labels![TEMPLATE_HASH];
}

/**
 * Kubernetes rounds maxSurge up and maxUnavailable down. If both are 0, one pod may be unavailable.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/controller/deployment/util/deployment_util.go
 */
export function rolloutBounds(
  { maxSurge = '25%', maxUnavailable = '25%' }: Pick<Rollout, 'maxSurge' | 'maxUnavailable'>,
  replicas: number,
): { readonly surge: number; readonly unavailable: number } {
  const surge = scaledValue(maxSurge, replicas, Math.ceil);
  const unavailable = scaledValue(maxUnavailable, replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, replicas) };
}

function scaledValue(value: number | string, replicas: number, round: (value: number) => number): number {
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? Number(value) : round((Number(percent) * replicas) / 100);
}
