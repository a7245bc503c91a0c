import { asRecord, setField, unsafeFix } from '../../../contract';
import { countText, valueText } from '../../../model';
import { AUTO_MODE_MAX_DAYS, AUTO_MODE_TERMINATION_GRACE_PERIOD, isAutoMode } from '../../eks-auto-mode';
import { readPoolDisruption } from '../../manifest/karpenter/pool-disruption';
import { defineRule, NOT_APPLICABLE, unknown } from '../define-rule';
import { nodePoolManifests } from '../subjects';

const HOUR_MILLISECONDS = 3_600_000;
const MOST = AUTO_MODE_MAX_DAYS * 24 * HOUR_MILLISECONDS;
const PATH = ['spec', 'template', 'spec', 'expireAfter'];

/** @see https://docs.aws.amazon.com/eks/latest/userguide/automode-learn-instances.html */
export const autoModeLifetimeTooLong = defineRule({
  id: 'KARP-119',
  name: 'auto-mode-lifetime-too-long',
  severity: 'error',
  summary: 'Nodes of EKS Auto Mode would live longer than 21 days: EKS refuses the NodePool.',
  subjects: nodePoolManifests({ where: isAutoMode }),
  judge(pool) {
    const { expireAfter: written, terminationGracePeriod: writtenGrace } =
      asRecord(pool.object.raw.spec?.template?.spec) ?? {};
    if (written === undefined) return NOT_APPLICABLE;
    const read = readPoolDisruption(pool);
    if (read.why !== undefined) return unknown(read.why);
    const { expireAfter, expireAfterText, terminationGracePeriod = 0 } = read.disruption;
    if (expireAfter !== undefined && expireAfter + terminationGracePeriod <= MOST) return undefined;
    const grace =
      writtenGrace === undefined ? `${AUTO_MODE_TERMINATION_GRACE_PERIOD} (the default)` : valueText(writtenGrace);
    const hours = Math.floor((MOST - terminationGracePeriod) / HOUR_MILLISECONDS);
    return {
      path: PATH,
      message: `${
        expireAfter === undefined
          ? `expireAfter: ${expireAfterText} lets nodes live forever`
          : `expireAfter ${expireAfterText} and terminationGracePeriod ${grace} are ${hoursText(expireAfter + terminationGracePeriod)}`
      }; EKS Auto Mode refuses a NodePool with more than ${hoursText(MOST)} (${AUTO_MODE_MAX_DAYS} days)`,
      remedy:
        hours > 0
          ? `write expireAfter: ${hours}h or less`
          : `lower terminationGracePeriod: both together may be ${AUTO_MODE_MAX_DAYS} days`,
      fix: hours > 0 ? unsafeFix(setField(PATH, `${hours}h`)) : undefined,
      evidence: { expireAfter: expireAfterText, terminationGracePeriod: writtenGrace ?? null },
    };
  },
});

function hoursText(milliseconds: number): string {
  return countText(Math.ceil((10 * milliseconds) / HOUR_MILLISECONDS) / 10, 'hour');
}
