import { crowdedNodes, poolsOfClass, ShortType, shortTypes } from './pod-addresses';
import { removeField, unsafeFix } from '../../../../contract';
import { countText, Label, numberText } from '../../../../model';
import { VpcCni, vpcCniOf } from '../../../context/vpc-cni';
import { installedControllers } from '../../../controller';
import { NodeClassManifest } from '../../../manifest/model';
import { classesInUse } from '../../common/class-use';
import { chartValueFix } from '../../common/edits/chart-value-fix';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

const MAX_PODS = ['spec', 'kubelet', 'maxPods'];

/** @see https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html#determine-max-pods */
export const podsAboveAddresses = defineRule({
  id: 'KARP-252',
  name: 'pods-above-addresses',
  severity: 'warning',
  summary: 'Nodes take more pods than the VPC CNI has addresses for.',
  readsTerraform: true,
  subjects: subjectsFrom<VpcCni>(({ model }) => [vpcCniOf(model) ?? []].flat()),
  judge(cni, context) {
    const findings = classesInUse(context.model).flatMap((nodeClass) => classFinding(context, cni, nodeClass) ?? []);
    const [first] = findings;
    // A setting of Karpenter is one cause for all classes.
    return first !== undefined && first.object?.kind !== 'EC2NodeClass' ? first : findings;
  },
});

function classFinding(context: RuleContext, cni: VpcCni, nodeClass: NodeClassManifest): SubjectFinding | undefined {
  const pools = poolsOfClass(context, nodeClass);
  const [short] = pools
    .flatMap((pool) => shortTypes(context, pool, cni))
    .sort((left, right) => left.withAddress - right.withAddress);
  if (short === undefined) return undefined;
  const maxPods = nodeClass.object.raw.spec?.kubelet?.maxPods;
  if (maxPods === undefined && cni.hasOwnSubnets) return reservedInterface(context, cni, short);
  const [crowded] = crowdedNodes(context, pools, cni).sort((left, right) => right.pods - left.pods);
  const types = new Set(
    pools.flatMap((pool) => shortTypes(context, pool, cni)).map(({ instanceType }) => instanceType),
  );
  const why = cni.hasPrefixes
    ? 'the VPC CNI gives no prefixes to types without Nitro'
    : `prefix delegation is off (${cni.object.kind} ${cni.object.name})`;
  const evidence = {
    maxPods: maxPods ?? short.pods,
    prefixDelegation: cni.hasPrefixes,
    instanceTypes: types.size,
    smallest: short.instanceType,
    withAddress: short.withAddress,
  };
  const fix = maxPods === undefined ? undefined : unsafeFix(removeField(MAX_PODS));
  const remedy = cni.hasPrefixes
    ? `require ${Label.INSTANCE_HYPERVISOR} In [nitro] in the NodePool, or remove kubelet.maxPods`
    : 'remove kubelet.maxPods, so that Karpenter computes it for each type, or set ENABLE_PREFIX_DELEGATION of the VPC CNI to "true"';
  if (crowded === undefined) {
    return {
      object: nodeClass.object,
      path: MAX_PODS,
      message: `lets nodes take up to ${short.pods} pods, but ${countText(types.size, 'allowed instance type')} ${types.size === 1 ? 'has' : 'have'} fewer pod addresses, such as ${short.instanceType} with ${short.withAddress}, because ${why}: pods beyond them stay in ContainerCreating`,
      remedy,
      evidence,
      fix,
    };
  }
  const { claim, pods, instanceType, withAddress } = crowded;
  return {
    object: nodeClass.object,
    path: MAX_PODS,
    message: `lets nodes take up to ${short.pods} pods, and the plan puts ${numberText(pods)} on one ${instanceType} of NodePool ${claim.nodePool}, which has addresses for ${withAddress}, because ${why}: the other ${numberText(pods - withAddress)} stay in ContainerCreating`,
    remedy,
    evidence: { ...evidence, node: claim.id, pods, addresses: withAddress, stuckPods: pods - withAddress },
    fix,
    severity: 'error',
  };
}

function reservedInterface(context: RuleContext, cni: VpcCni, short: ShortType): SubjectFinding {
  const { instanceType, pods, withAddress } = short;
  const [controller, ...others] = installedControllers(context.controllers);
  const evidence = { instanceType, pods, withAddress, reservedENIs: 0 };
  const what = `so that the first network interface has none for pods, but Karpenter counts it: a ${instanceType} takes ${pods} pods and has addresses for ${withAddress}`;
  if (controller === undefined || others.length > 0 || !controller.fromChart) {
    return {
      object: cni.object,
      path: [],
      message: `gives pods addresses of other subnets, ${what}`,
      remedy: "set reservedENIs to 1 in Karpenter's settings (RESERVED_ENIS)",
      evidence,
    };
  }
  return {
    object: controller.object,
    path: controller.pathOf('settings', 'reservedENIs'),
    message: `does not set settings.reservedENIs, and the VPC CNI (${cni.object.kind} ${cni.object.name}) gives pods addresses of other subnets, ${what}`,
    remedy: 'write settings.reservedENIs: "1"',
    evidence,
    fix: chartValueFix(controller, ['settings', 'reservedENIs'], '1'),
    related: { object: cni.object, path: [], label: 'gives pods addresses of other subnets' },
  };
}
