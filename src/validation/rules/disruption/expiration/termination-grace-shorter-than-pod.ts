import { DEFAULT_TERMINATION_GRACE_SECONDS, FieldFix, setField, unsafeFix } from '../../../../contract';
import { durationText, formatGoDuration, shortListText } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { disruptionsByName, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { poolsWithTerminationGrace } from '../../common/placements';
import { podSpecOf } from '../../common/pod-constraints';
import { defineRule, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { fail, Outcome, Rule, RuleFinding } from '../../rule';
import { workloads } from '../../subjects';

/** Time to unmount and detach a volume. */
const DETACH_SECONDS = 60;
const SPARE_SECONDS = 300;
const GRACE_PATH = ['spec', 'template', 'spec', 'terminationGracePeriod'];

const ofOneWorkload = defineRule({
  id: 'KARP-407',
  name: 'termination-grace-shorter-than-pod',
  severity: 'error',
  summary:
    'The terminationGracePeriod of a NodePool is shorter than that of its pods, or too short to detach their volumes afterwards.',
  subjects: workloads(),
  judge(workload, context) {
    const poolsWithGrace = poolsWithTerminationGrace(context, workload, disruptionsByName(context));
    if (poolsWithGrace.length === 0) return NOT_APPLICABLE;
    const written: unknown = podSpecOf(workload)?.terminationGracePeriodSeconds;
    const why = whyUnresolved(written);
    if (why !== undefined) return unknown(why);
    const grace = typeof written === 'number' ? written : DEFAULT_TERMINATION_GRACE_SECONDS;
    const needed = grace + (hasVolumes(workload) ? DETACH_SECONDS : 0);
    const short = poolsWithGrace.find(({ terminationGracePeriod }) => terminationGracePeriod! < needed * 1000);
    return short === undefined ? undefined : finding(workload, short, grace, needed);
  },
});

function finding(workload: WorkloadManifest, pool: ManifestDisruption, grace: number, needed: number): SubjectFinding {
  const given = pool.terminationGracePeriod! / 1000;
  const consequence =
    given < grace
      ? `its pods get ${given} s of their ${grace} s to terminate, from the start of the drain and in spite of PodDisruptionBudgets`
      : `after the ${grace} s of its pods, ${given - grace} s are left to detach volumes, which takes about ${DETACH_SECONDS} s: the next node waits minutes for them`;
  return {
    path: [...workload.podPath, 'terminationGracePeriodSeconds'],
    message: `NodePool ${pool.name} terminates nodes ${durationText(given)} after a drain starts; ${consequence}`,
    remedy: `write a terminationGracePeriod of at least ${needed}s in NodePool ${pool.name}, preferably some minutes more`,
    also: [{ object: pool.object, fix: graceFix(needed) }],
    evidence: {
      nodePool: pool.name,
      terminationGracePeriodSeconds: given,
      podTerminationGracePeriodSeconds: grace,
      neededSeconds: needed,
    },
    // If only the detachment is too short, the pod terminates normally and its successor starts late.
    severity: given < grace ? undefined : 'warning',
  };
}

/** The period with some minutes for pods whose eviction a PodDisruptionBudget delays, in whole minutes. */
function graceFix(neededSeconds: number): FieldFix {
  const minutes = Math.ceil((neededSeconds + SPARE_SECONDS) / 60);
  return unsafeFix(setField(GRACE_PATH, formatGoDuration(minutes * 60)));
}

function hasVolumes(workload: WorkloadManifest): boolean {
  const volumes: unknown = podSpecOf(workload)?.volumes;
  const claims =
    Array.isArray(volumes) &&
    volumes.some((volume) => volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined);
  return claims || recordsOf(workload.object.raw?.spec?.volumeClaimTemplates).length > 0;
}

/**
 * A terminationGracePeriod that is too short for several workloads is one finding, at the NodePool.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod
 */
export const terminationGraceShorterThanPod: Rule = {
  ...ofOneWorkload,
  check(context) {
    const outcomes = ofOneWorkload.check(context);
    const byPool = new Map<unknown, RuleFinding[]>();
    for (const outcome of outcomes) {
      if (outcome.state !== 'fail') continue;
      const { nodePool } = outcome.finding.evidence;
      byPool.set(nodePool, [...(byPool.get(nodePool) ?? []), outcome.finding]);
    }
    const shared = [...byPool].flatMap(([name, findings]) => {
      const pool = context.model.nodePools.find(({ object }) => object.name === name);
      return findings.length > 1 && pool !== undefined ? [{ object: pool.object, findings }] : [];
    });
    const merged = new Set(shared.flatMap(({ findings }) => findings));
    return [
      ...outcomes.filter((outcome) => outcome.state !== 'fail' || !merged.has(outcome.finding)),
      ...shared.map(({ object, findings }) => poolFinding(object, findings)),
    ];
  },
};

function poolFinding(object: RuleFinding['object'], findings: readonly RuleFinding[]): Outcome {
  const needs = findings
    .map((short) => ({ finding: short, needed: Number(short.evidence.neededSeconds) }))
    .sort((left, right) => right.needed - left.needed);
  const names = needs.map((need) => `${need.finding.object.kind} ${need.finding.object.name} (${need.needed} s)`);
  const given = Number(needs[0].finding.evidence.terminationGracePeriodSeconds);
  const isOnlyLate = findings.every(({ severity }) => severity === 'warning');
  return fail({
    object,
    path: GRACE_PATH,
    message: `terminates nodes ${durationText(given)} after a drain starts, in spite of PodDisruptionBudgets, but the pods need longer to stop and to detach their volumes: ${shortListText(names)}`,
    remedy: `write a terminationGracePeriod of at least ${needs[0].needed}s, preferably some minutes more`,
    fix: graceFix(needs[0].needed),
    evidence: { terminationGracePeriodSeconds: given, neededSeconds: needs[0].needed, workloads: names },
    ...(isOnlyLate ? { severity: 'warning' } : {}),
  });
}
