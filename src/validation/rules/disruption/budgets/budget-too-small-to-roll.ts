import { allowedWithoutSchedule, blockedMinutesPerYear, MINUTES_PER_YEAR } from './disruption-budgets';
import { durationText } from '../../../../model';
import { ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { workloadsByPool } from '../../common/placements';
import { podTerminationSeconds, NODE_READY_SECONDS, podStartSeconds } from '../../common/pod-times';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { disruptedPools } from '../../subjects';

const DAY_SECONDS = 86_400;
/** A new AMI is released about once a month. */
const MONTH_SECONDS = 30 * DAY_SECONDS;

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export const budgetTooSmallToRoll = defineRule({
  id: 'KARP-418',
  name: 'budget-too-small-to-roll',
  severity: 'warning',
  summary: 'The disruption budgets are so small that a new AMI reaches some nodes only after they expire.',
  subjects: disruptedPools(),
  judge(disruption, context) {
    const nodes = context.plan.nodeClaims.filter(({ nodePool }) => nodePool === disruption.name).length;
    return nodes === 0
      ? NOT_APPLICABLE
      : judgePool(disruption, nodes, workloadsByPool(context).get(disruption.name) ?? []);
  },
});

function judgePool(pool: ManifestDisruption, nodes: number, workloads: readonly WorkloadManifest[]): Judgement {
  const allowed = Math.min(nodes, allowedWithoutSchedule(pool.budgets, 'Drifted', nodes));
  const open = 1 - blockedMinutesPerYear(pool, 'Drifted') / MINUTES_PER_YEAR;
  // KARP-417 reports budgets that never allow drift.
  if (allowed === 0 || open === 0) return undefined;
  // Budgets that delay no node are not too small, however soon nodes expire.
  if (allowed === nodes && open === 1) return undefined;
  const perNode =
    NODE_READY_SECONDS +
    Math.max(0, ...workloads.map(podStartSeconds)) +
    Math.max(0, ...workloads.map(podTerminationSeconds));
  const roll = (Math.ceil(nodes / allowed) * perNode) / open;
  const most = Math.min(MONTH_SECONDS, (pool.expireAfter ?? Infinity) / 1000);
  if (roll <= most) return undefined;
  return finding({ nodes, allowed, perNode, open, roll, most });
}

function finding({ nodes, allowed, perNode, open, roll, most }: Rollout): SubjectFinding {
  const openPercent = Math.round(1000 * open) / 10;
  return {
    path: ['spec', 'disruption', 'budgets'],
    message:
      `the budgets are too small for a new AMI: ${nodes} nodes, ${allowed} at a time, ${durationText(perNode)} each and only ${openPercent}% of the time ` +
      `take ${durationText(roll)}, but ${most < MONTH_SECONDS ? 'nodes expire' : 'the next AMI is due'} after ${durationText(most)}`,
    remedy: 'allow more nodes at a time, or shorten the windows without disruption',
    evidence: {
      nodes,
      allowedAtATime: allowed,
      secondsPerNode: perNode,
      openPercent,
      days: Math.round((10 * roll) / DAY_SECONDS) / 10,
    },
  };
}

/** Durations are in seconds. */
interface Rollout {
  readonly nodes: number;
  readonly allowed: number;
  readonly perNode: number;
  /** Share of the time in which the budgets allow disruption. */
  readonly open: number;
  readonly roll: number;
  /** Time until nodes expire or the next AMI is released. */
  readonly most: number;
}
