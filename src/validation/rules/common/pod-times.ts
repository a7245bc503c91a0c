import { podSpecOf } from './pod-constraints';
import { DEFAULT_TERMINATION_GRACE_SECONDS } from '../../../contract';
import { WorkloadManifest } from '../../manifest/model';

/** Time from the launch of an instance until its node is ready, in a slow case. */
export const NODE_READY_SECONDS = 300;

/** Minimum time from a pod's start until it is available: the delays of its probes and `minReadySeconds`. */
export function podStartSeconds(workload: WorkloadManifest): number {
  const containers: unknown = podSpecOf(workload)?.containers;
  const delays = Array.isArray(containers)
    ? containers.map((container) => delayOf(container?.startupProbe) + delayOf(container?.readinessProbe))
    : [];
  return Math.max(0, ...delays) + secondsOf(workload.object.raw?.spec?.minReadySeconds);
}

/** Maximum time that an evicted pod may take to terminate. */
export function podTerminationSeconds(workload: WorkloadManifest): number {
  const written: unknown = podSpecOf(workload)?.terminationGracePeriodSeconds;
  return written === undefined ? DEFAULT_TERMINATION_GRACE_SECONDS : secondsOf(written);
}

function delayOf(probe: { readonly initialDelaySeconds?: unknown } | undefined): number {
  return secondsOf(probe?.initialDelaySeconds);
}

function secondsOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
