import { podSpecOf } from './pod-constraints';
import { DEFAULT_TERMINATION_GRACE_SECONDS } from '../../../contract';
import { WorkloadManifest } from '../../manifest/model';

/** From the launch of an instance until its node takes pods, when it is slow. */
export const NODE_READY_SECONDS = 300;

/** Least time from the start of a pod until it is available, as far as its manifest tells it: the delays that it asks for. */
export function startSeconds(workload: WorkloadManifest): number {
  const containers: unknown = podSpecOf(workload)?.containers;
  const delays = Array.isArray(containers) ? containers.map((each) => delayOf(each?.startupProbe) + delayOf(each?.readinessProbe)) : [];
  return Math.max(0, ...delays) + secondsOf(workload.object.raw?.spec?.minReadySeconds);
}

/** Longest time that a pod may take to end once it is told to. */
export function drainSeconds(workload: WorkloadManifest): number {
  const written: unknown = podSpecOf(workload)?.terminationGracePeriodSeconds;
  return written === undefined ? DEFAULT_TERMINATION_GRACE_SECONDS : secondsOf(written);
}

function delayOf(probe: { readonly initialDelaySeconds?: unknown } | undefined): number {
  return secondsOf(probe?.initialDelaySeconds);
}

function secondsOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
