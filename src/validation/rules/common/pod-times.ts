import { podSpecOf } from './pod-constraints';
import { asRecord, DEFAULT_TERMINATION_GRACE_SECONDS } from '../../../contract';
import { WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';

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

/** Maximum time that startup probes give the pods until they are ready. */
export function allowedStartSeconds(workload: WorkloadManifest): number {
  const probes = recordsOf(podSpecOf(workload)?.containers).map(({ startupProbe }) => asRecord(startupProbe));
  const seconds = probes.flatMap((probe) =>
    probe ? [delayOf(probe) + (secondsOf(probe.failureThreshold) || 3) * (secondsOf(probe.periodSeconds) || 10)] : [],
  );
  return Math.max(0, ...seconds);
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
