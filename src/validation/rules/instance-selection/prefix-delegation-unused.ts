import { poolsOfClass } from './pod-addresses';
import { setField, unsafeFix } from '../../../contract';
import { countText, percentText } from '../../../model';
import { vpcCniOf } from '../../context/vpc-cni';
import { capacityOf } from '../../instance-types/node-fit';
import { NodeClassManifest } from '../../manifest/model';
import { classesInUse } from '../common/class-use';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { RuleContext } from '../rule';
import { LaunchingPool, subjectsFrom } from '../subjects';

/** What EKS recommends for types of less than 30 vCPUs. */
const RECOMMENDED_PODS = 110;
/** Nodes with a larger share of their CPU and memory requested could take few further pods. */
const FULL = 0.8;

interface FullNode {
  readonly instanceType: string;
  readonly pods: bigint;
  /** The larger of the requested shares of CPU and memory. */
  readonly share: number;
}

/**
 * Karpenter writes the number of pods into the kubelet's configuration, and computes it without prefixes. So AL2023's
 * nodeadm never computes its own number.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#speckubelet
 */
export const prefixDelegationUnused = defineRule({
  id: 'KARP-253',
  name: 'prefix-delegation-unused',
  severity: 'warning',
  summary: 'The VPC CNI delegates prefixes, but without maxPods, nodes are full of pods and half empty.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: ({ facts }, { model }) => facts !== undefined && vpcCniOf(model)?.hasPrefixes === true,
  }),
  judge(nodeClass, context) {
    if (nodeClass.object.raw.spec?.kubelet?.maxPods !== undefined) return NOT_APPLICABLE;
    const nodes = poolsOfClass(context, nodeClass).flatMap((pool) => nodesFullOfPods(context, pool));
    const [emptiest] = [...nodes].sort((left, right) => left.share - right.share);
    if (emptiest === undefined) return undefined;
    const { instanceType, pods, share } = emptiest;
    return {
      path: ['spec', 'kubelet'],
      message: `has no maxPods, so Karpenter limits nodes to the pods that fit without prefix delegation: ${countText(nodes.length, 'planned node')} ${nodes.length === 1 ? 'is' : 'are'} full of pods, such as a ${instanceType} with ${pods} pods and ${percentText(share)} of its CPU and memory requested`,
      remedy: `write kubelet.maxPods: ${RECOMMENDED_PODS}, because the VPC CNI delegates prefixes`,
      evidence: { nodes: nodes.length, instanceType, pods: Number(pods), share },
      fix: unsafeFix(setField(['spec', 'kubelet', 'maxPods'], RECOMMENDED_PODS)),
    };
  },
});

/** As Karpenter plans them: kube-scheduler may spread their pods over all nodes. */
function nodesFullOfPods({ passesPlan: plan }: RuleContext, { name, launch }: LaunchingPool): FullNode[] {
  return plan.nodeClaims.flatMap(({ nodePool, requests, launch: request }) => {
    const instanceType = request?.cheapest.instanceType;
    const index = instanceType === undefined ? -1 : launch.table.names.indexOf(instanceType);
    if (nodePool !== name || instanceType === undefined || index < 0) return [];
    const capacity = capacityOf(launch.table, index);
    const shareOf = (resource: string) => Number(requests.get(resource) ?? 0n) / Number(capacity.get(resource) ?? 1n);
    const share = Math.max(shareOf('cpu'), shareOf('memory'));
    const pods = capacity.get('pods') ?? 0n;
    const isFull = (requests.get('pods') ?? 0n) >= pods && pods < BigInt(RECOMMENDED_PODS);
    return isFull && share < FULL ? [{ instanceType, pods, share }] : [];
  });
}
