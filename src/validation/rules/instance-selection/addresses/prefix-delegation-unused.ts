import { nodesFullOfPods, RECOMMENDED_PODS } from './full-nodes';
import { poolsOfClass } from './pod-addresses';
import { setField, unsafeFix } from '../../../../contract';
import { countText, Label, percentText, Requirements } from '../../../../model';
import { cheapestPrice, matchingTypes, PodShape } from '../../../../scheduling';
import { vpcCniOf } from '../../../context/vpc-cni';
import { capacityOf, fitsOnType } from '../../../instance-types/node-fit';
import { NodeClassManifest } from '../../../manifest/model';
import { classesInUse } from '../../common/class-use';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { LaunchingPool, subjectsFrom } from '../../subjects';

/** A cheaper type costs at most this share of the planned one. */
const MUCH_CHEAPER = 0.95;

/** A node of a larger type than its pods need, because they are many. */
interface LargeNode {
  readonly instanceType: string;
  readonly pods: number;
  readonly smaller: string;
  readonly podsOfSmaller: number;
  /** In $/h. */
  readonly saved: number;
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
  summary:
    'The VPC CNI delegates prefixes, but without maxPods, nodes are full of pods and half empty, or dearer than their pods need.',
  readsTerraform: true,
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: ({ facts }, { model }) => facts !== undefined && vpcCniOf(model)?.hasPrefixes === true,
  }),
  judge(nodeClass, context) {
    if (nodeClass.object.raw.spec?.kubelet?.maxPods !== undefined) return NOT_APPLICABLE;
    const pools = poolsOfClass(context, nodeClass);
    const nodes = pools.flatMap((pool) => nodesFullOfPods(context, pool));
    const [emptiest] = nodes.sort((left, right) => left.share - right.share);
    if (emptiest !== undefined) {
      const { instanceType, pods, share } = emptiest;
      return findingOf(
        `${countText(nodes.length, 'planned node')} ${nodes.length === 1 ? 'is' : 'are'} full of pods, such as a ${instanceType} with ${pods} pods and ${percentText(share)} of its CPU and memory requested`,
        { nodes: nodes.length, instanceType, pods: Number(pods), share },
      );
    }
    const large = pools.flatMap((pool) => nodesLargeForPods(context, pool));
    const [dearest] = [...large].sort((left, right) => right.saved - left.saved);
    if (dearest === undefined) return undefined;
    const { instanceType, pods, smaller, podsOfSmaller } = dearest;
    return findingOf(
      `${countText(large.length, 'planned node')} ${large.length === 1 ? 'is' : 'are'} dearer than the CPU and memory of the pods need, such as a ${instanceType} for ${pods} pods, which also fit a ${smaller}, but Karpenter counts only ${podsOfSmaller} pods there`,
      { nodes: large.length, instanceType, pods, smaller },
    );
  },
});

function findingOf(found: string, evidence: SubjectFinding['evidence']): SubjectFinding {
  return {
    path: ['spec', 'kubelet'],
    message: `has no maxPods, so Karpenter limits nodes to the pods that fit without prefix delegation: ${found}`,
    remedy: `write kubelet.maxPods: ${RECOMMENDED_PODS}, because the VPC CNI delegates prefixes`,
    evidence,
    fix: unsafeFix(setField(['spec', 'kubelet', 'maxPods'], RECOMMENDED_PODS)),
  };
}

/** Nodes whose pods fit a much cheaper type that the NodePool allows, except for their number. */
function nodesLargeForPods({ passesPlan: plan, lastInput }: RuleContext, pool: LaunchingPool): LargeNode[] {
  const { table, indices } = pool.launch;
  return plan.nodeClaims.flatMap((claim): LargeNode[] => {
    const { nodePool, requests, launch, groups } = claim;
    const pods = requests.get('pods') ?? 0n;
    if (nodePool !== pool.name || launch === undefined || pods > BigInt(RECOMMENDED_PODS)) return [];
    if ([...groups.keys()].some((group) => selectsType(lastInput.pods[group].shape))) return [];
    const { instanceType, capacityType, usdPerHour } = launch.cheapest;
    const ofCapacityType = Requirements.fromLabels({ [Label.CAPACITY_TYPE]: capacityType }).values();
    const requirements = Requirements.of([...pool.requirements.values(), ...ofCapacityType]);
    const others = new Map([...requests].filter(([resource]) => resource !== 'pods'));
    const [smaller] = matchingTypes(table, requirements, indices)
      .map((index) => ({ index, usdPerHour: cheapestPrice(table, requirements, index) }))
      .filter((type) => type.usdPerHour <= usdPerHour * MUCH_CHEAPER && fitsOnType(table, type.index, others))
      .sort((left, right) => left.usdPerHour - right.usdPerHour || left.index - right.index);
    const podsOfSmaller = smaller === undefined ? 0n : (capacityOf(table, smaller.index).get('pods') ?? 0n);
    if (smaller === undefined || podsOfSmaller >= pods) return [];
    return [
      {
        instanceType,
        pods: Number(pods),
        smaller: table.names[smaller.index],
        podsOfSmaller: Number(podsOfSmaller),
        saved: usdPerHour - smaller.usdPerHour,
      },
    ];
  });
}

/** Whether pods choose labels of instance types themselves. */
function selectsType({ nodeSelector, requiredNodeAffinity }: PodShape): boolean {
  const keys = requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key));
  return [...Object.keys(nodeSelector), ...keys].some((key) => /instance-/.test(key));
}
