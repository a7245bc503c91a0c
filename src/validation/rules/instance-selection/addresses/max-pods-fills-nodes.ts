import { nodesFullOfPods, RECOMMENDED_PODS } from './full-nodes';
import { poolsOfClass } from './pod-addresses';
import { removeField, setField, unsafeFix } from '../../../../contract';
import { percentText } from '../../../../model';
import { podsWithAddress, vpcCniOf } from '../../../context/vpc-cni';
import { NodeClassManifest } from '../../../manifest/model';
import { classesInUse } from '../../common/class-use';
import { defineRule } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

const MAX_PODS = ['spec', 'kubelet', 'maxPods'];
/** Fewer nodes may be full by chance. */
const FEWEST_NODES = 3;
/** The VPC CNI as EKS installs it. */
const PLAIN_CNI = { hasPrefixes: false, hasOwnSubnets: false };

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#speckubelet */
export const maxPodsFillsNodes = defineRule<NodeClassManifest>({
  id: 'KARP-273',
  name: 'max-pods-fills-nodes',
  severity: 'warning',
  summary: 'The maxPods of a node class fills planned nodes with pods while much of their CPU and memory is free.',
  readsTerraform: true,
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: ({ facts, object }) =>
      facts !== undefined && typeof object.raw.spec?.kubelet?.maxPods === 'number' && facts.amiFamily !== 'Custom',
  }),
  judge(nodeClass, context) {
    const { catalog, model, passesPlan } = context;
    const maxPods = Number(nodeClass.object.raw.spec?.kubelet?.maxPods);
    const cni = vpcCniOf(model) ?? PLAIN_CNI;
    const pools = poolsOfClass(context, nodeClass);
    const full = pools
      .flatMap((pool) => nodesFullOfPods(context, pool))
      .flatMap((node) => {
        const limits = catalog.networkLimits(node.instanceType);
        const possible = limits === undefined ? 0 : podsWithAddress(limits, cni);
        return Number(node.pods) === maxPods && possible > maxPods ? [{ ...node, possible }] : [];
      });
    const all = passesPlan.nodeClaims.filter(({ nodePool }) => pools.some(({ name }) => name === nodePool)).length;
    if (full.length < FEWEST_NODES || full.length * 2 < all) return undefined;
    const [{ instanceType, share, possible }] = full.sort((left, right) => left.share - right.share);
    return {
      path: MAX_PODS,
      message: `fills ${full.length} of ${all} planned nodes with ${maxPods} pods each, DaemonSets included, such as a ${instanceType}, which has addresses for ${possible}, with ${percentText(share)} of its CPU and memory requested: more nodes run than the pods need`,
      remedy: cni.hasPrefixes
        ? `write kubelet.maxPods: ${RECOMMENDED_PODS}, because the VPC CNI delegates prefixes`
        : 'remove kubelet.maxPods, so that Karpenter computes it for each instance type',
      evidence: { maxPods, nodes: full.length, instanceType, share },
      fix: unsafeFix(cni.hasPrefixes ? setField(MAX_PODS, RECOMMENDED_PODS) : removeField(MAX_PODS)),
    };
  },
});
