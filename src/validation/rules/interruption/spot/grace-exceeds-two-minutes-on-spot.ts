import { SPOT_NOTICE_SECONDS, SPOT_REACTION_SECONDS } from '../../../../contract';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { WorkloadManifest } from '../../../manifest/model';
import { podSpecOf } from '../../common/pod-constraints';
import { podTerminationSeconds } from '../../common/pod-times';
import {
  onDemandRemedy,
  workloadsOnKarpenterNodes,
  SpotShare,
  spotShareOf,
  spotShareText,
} from '../../common/spot-nodes';
import { defineRule, unknown, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

const LONGEST_SECONDS = SPOT_NOTICE_SECONDS - SPOT_REACTION_SECONDS;

/** The grace period is only the longest time: programs that need most of it are rare if it is little too long. */
const FAR_TOO_LONG_SECONDS = 2 * SPOT_NOTICE_SECONDS;

/** The delay of a preStop hook is part of the termination grace period, and not added to it. */
export const graceExceedsTwoMinutesOnSpot = defineRule({
  id: 'KARP-513',
  name: 'grace-exceeds-two-minutes-on-spot',
  severity: 'error',
  isVendorsChoice: true,
  summary:
    "Pods on spot nodes have a longer termination grace period than EC2's two-minute notice allows, and are killed before they finish.",
  subjects: subjectsFrom<WorkloadManifest>(workloadsOnKarpenterNodes, {
    unknown: (workload) => whyUnresolved(podSpecOf(workload)?.terminationGracePeriodSeconds),
  }),
  judge(workload, context) {
    const seconds = podTerminationSeconds(workload);
    if (seconds <= LONGEST_SECONDS) return undefined;
    const share = spotShareOf(context, workload);
    if (share === undefined) return unknown('the plan has no node for its pods');
    return share.spot === 0 ? undefined : finding(workload, seconds, share, context);
  },
});

function finding(workload: WorkloadManifest, seconds: number, share: SpotShare, context: RuleContext): SubjectFinding {
  return {
    path: [...workload.podPath, 'terminationGracePeriodSeconds'],
    message:
      `needs up to ${seconds} s to stop, but ${spotShareText(share)}: EC2 terminates the instance ${SPOT_NOTICE_SECONDS} s after its notice, and eviction starts ` +
      `about ${SPOT_REACTION_SECONDS} s into them, so up to ${seconds - LONGEST_SECONDS} s of work are lost`,
    remedy: `${onDemandRemedy(context, workload)} in its node affinity, or let the pods stop within ${LONGEST_SECONDS} s`,
    evidence: { terminationGracePeriodSeconds: seconds, nodes: share.nodes, spotNodes: share.spot },
    severity: seconds > FAR_TOO_LONG_SECONDS ? undefined : 'warning',
  };
}
