import { asRecord, setField, unsafeFix } from '../../../../contract';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { FieldPath, WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { podSpecOf } from '../../common/pod-constraints';
import { podTerminationSeconds } from '../../common/pod-times';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';
import { workloads } from '../../subjects';

/** What a program needs after the hook to end its connections. */
const STOP_SECONDS = 30;

/** @see https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination */
export const preStopOutlastsGracePeriod = defineRule({
  id: 'KARP-438',
  name: 'pre-stop-outlasts-grace-period',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'The preStop hook of a container lasts as long as the grace period: an eviction kills the container in its hook.',
  subjects: workloads({
    unknown: (workload) => whyUnresolved(podSpecOf(workload)?.terminationGracePeriodSeconds),
  }),
  judge(workload) {
    const grace = podTerminationSeconds(workload);
    const hook = longestHook(workload, grace);
    if (hook === undefined) return NOT_APPLICABLE;
    if (hook.seconds < grace) return undefined;
    const path = [...workload.podPath, 'terminationGracePeriodSeconds'];
    const needed = hook.seconds + STOP_SECONDS;
    return {
      path: hook.path,
      message:
        `sleeps ${hook.seconds} s before the container gets SIGTERM, and the pod has ${grace} s in all: ` +
        'the kubelet kills it in the hook, so that each drain cuts its connections',
      remedy: `write terminationGracePeriodSeconds: ${needed}, which leaves ${STOP_SECONDS} s after the hook, or a shorter hook`,
      evidence: { preStopSeconds: hook.seconds, terminationGracePeriodSeconds: grace },
      related: { object: workload.object, path, label: `the grace period is ${grace} s` },
      fix: unsafeFix(setField(path, needed)),
    };
  },
});

interface Hook {
  readonly path: FieldPath;
  readonly seconds: number;
}

/** The API server refuses a sleep action above the grace period, which KARP-100 reports. */
function longestHook(workload: WorkloadManifest, grace: number): Hook | undefined {
  const hooks = recordsOf(podSpecOf(workload)?.containers).flatMap(({ lifecycle }, index): Hook[] => {
    const preStop = asRecord(asRecord(lifecycle)?.preStop);
    const path = [...workload.podPath, 'containers', index, 'lifecycle', 'preStop'];
    const slept = asRecord(preStop?.sleep)?.seconds;
    const seconds = slept ?? sleepOf(asRecord(preStop?.exec)?.command);
    const isRefused = typeof slept === 'number' && slept > grace;
    return typeof seconds === 'number' && !isRefused ? [{ path, seconds }] : [];
  });
  return hooks.sort((a, b) => b.seconds - a.seconds)[0];
}

/** How long a command sleeps at its start. */
function sleepOf(command: unknown): number | undefined {
  if (!Array.isArray(command)) return undefined;
  const text = command.filter((word) => typeof word === 'string').join(' ');
  const [, amount, unit = 's'] = /^(?:\S*\bsh (?:-\w+ )?)?["']?(?:\S*\/)?sleep (\d+)([smh]?)(?![\w.])/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * SECONDS[unit === '' ? 's' : unit];
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
