import { UNLISTED_FAMILIES } from '../../../../contract';
import { countText, Label, listText } from '../../../../model';
import { PlannedNodeClaim } from '../../../../scheduling';
import { poolsOf } from '../../common/pool';
import { defineRule } from '../../define-rule';
import { RuleContext } from '../../rule';
import { LaunchingPool, subjectsWith } from '../../subjects';

const POD_ENI = 'vpc.amazonaws.com/pod-eni';

/** The planned nodes of a NodePool with pods that have security groups of their own. */
interface PodEniNodes {
  readonly pool: LaunchingPool;
  readonly claims: readonly PlannedNodeClaim[];
}

/** @see https://docs.aws.amazon.com/eks/latest/userguide/security-groups-for-pods.html */
export const podEniOfNewFamily = defineRule({
  id: 'KARP-264',
  name: 'pod-eni-of-new-family',
  severity: 'info',
  summary:
    'Pods with security groups of their own get a node of a family that older VPC resource controllers do not know.',
  subjects: subjectsWith<PodEniNodes>(({ pool }) => pool.object, podEniNodes),
  judge({ claims }) {
    const named = claims.map(({ launch }) => familyOf(launch!.cheapest.instanceType));
    const newest = [...UNLISTED_FAMILIES]
      .reverse()
      .find(({ families }) => families.some((name) => named.includes(name)));
    if (newest === undefined) return undefined;
    const families = [...new Set(named)].filter((name) => newest.families.includes(name)).sort();
    const nodes = named.filter((name) => families.includes(name)).length;
    return {
      path: ['spec', 'template', 'spec', 'requirements'],
      message:
        `${countText(nodes, 'planned node')} for pods with ${POD_ENI} ${nodes === 1 ? 'is' : 'are'} of ${listText(families)}, which the VPC resource controller of EKS does not know up to release ${newest.release} (${newest.date}): ` +
        `with such a controller the ${nodes === 1 ? 'node never reports' : 'nodes never report'} ${POD_ENI}, and the pods stay Pending`,
      remedy: `start one such pod after each update of the control plane first, or exclude the ${families.length === 1 ? 'family' : 'families'}: ${Label.INSTANCE_FAMILY} NotIn [${families.join(', ')}]`,
      evidence: { families, nodes, unlistedUpTo: newest.release, date: newest.date },
    };
  },
});

function podEniNodes(context: RuleContext): PodEniNodes[] {
  const { plan, input } = context;
  const isRequested = ({ groups }: PlannedNodeClaim) =>
    [...groups].some(([group, count]) => count > 0 && (input.pods[group].shape.requests.get(POD_ENI) ?? 0n) > 0n);
  const pools = poolsOf(context).filter((pool): pool is LaunchingPool => pool.launch !== undefined);
  return pools.flatMap((pool) => {
    const claims = plan.nodeClaims.filter(
      (claim) => claim.nodePool === pool.name && claim.launch !== undefined && isRequested(claim),
    );
    return claims.length === 0 ? [] : [{ pool, claims }];
  });
}

function familyOf(instanceType: string): string {
  return instanceType.split('.')[0];
}
