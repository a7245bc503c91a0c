import { NODE_SECONDS, POD_SECONDS } from './job-deadline-before-node';
import { setField, unsafeFix } from '../../../../contract';
import { placementsOf } from '../../common/placements';
import { allowedStartSeconds, podStartSeconds } from '../../common/pod-times';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';
import { workloads } from '../../subjects';

/** The default of progressDeadlineSeconds. */
const DEADLINE_SECONDS = 600;
/** Leaves time for a slow launch, and for the image. */
const SPARE_SECONDS = 300;

/** @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds */
export const rolloutDeadlineBeforeNode = defineRule({
  id: 'KARP-327',
  name: 'rollout-deadline-before-node',
  severity: 'warning',
  summary:
    'A rollout counts as failed before its pods can be ready on a new node: the deadline is shorter than the launch and the probes.',
  subjects: workloads({ where: ({ kind, object }) => kind === 'Deployment' && object.raw.spec?.paused !== true }),
  judge(workload, context) {
    const written: unknown = workload.object.raw.spec?.progressDeadlineSeconds ?? DEADLINE_SECONDS;
    if (typeof written !== 'number' || placementsOf(context, workload).every(({ claim }) => claim === undefined))
      return NOT_APPLICABLE;
    const probe = allowedStartSeconds(workload);
    const least = NODE_SECONDS + POD_SECONDS + podStartSeconds(workload);
    const isSure = written < least;
    if (!isSure && written >= NODE_SECONDS + probe) return undefined;
    const needed = Math.ceil((Math.max(least, NODE_SECONDS + probe) + SPARE_SECONDS) / 60) * 60;
    const path = ['spec', 'progressDeadlineSeconds'];
    return {
      path,
      message:
        `its rollout counts as failed after ${written} s without progress${written === DEADLINE_SECONDS ? ', the default' : ''}: ` +
        (isSure
          ? `a new node takes about ${NODE_SECONDS} s, and a pod is available ${least - NODE_SECONDS} s later at the earliest`
          : `a new node takes about ${NODE_SECONDS} s, and the startupProbe waits up to ${probe} s for the pod`),
      // The pods may also start at once.
      severity: isSure ? 'warning' : 'info',
      remedy: `write progressDeadlineSeconds: ${needed}`,
      evidence: { progressDeadlineSeconds: written, startupProbeSeconds: probe, leastSeconds: least },
      fix: unsafeFix(setField(path, needed)),
    };
  },
});
