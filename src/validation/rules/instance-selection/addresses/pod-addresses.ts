import { asRecord, FieldPath } from '../../../../contract';
import { PlannedNodeClaim } from '../../../../scheduling';
import { podGroupIndices } from '../../../context/schedule-input';
import { podsWithAddress, VpcCni } from '../../../context/vpc-cni';
import { ManifestModel, ManifestObject, NodeClassManifest } from '../../../manifest/model';
import { Pool, poolsOf } from '../../common/pool';
import { RuleContext } from '../../rule';
import { LaunchingPool } from '../../subjects';

/** The NodePools of a Linux class whose instance types are known. */
export function poolsOfClass(context: RuleContext, { object, facts }: NodeClassManifest): LaunchingPool[] {
  // Interfaces that the class lists replace those that the VPC CNI would add.
  if (facts === undefined || facts.networkInterfaces !== undefined || facts.amiFamily.startsWith('Windows')) return [];
  return poolsOf(context).filter(
    (pool): pool is LaunchingPool => pool.launch !== undefined && pool.spec?.nodeClass === object.name,
  );
}

/** A type that takes more pods than it has addresses for. */
export interface ShortType {
  readonly instanceType: string;
  /** The pods that Karpenter plans with. */
  readonly pods: number;
  /** The pods that have an address, with those of the host network. */
  readonly withAddress: number;
}

export function shortTypes({ catalog }: RuleContext, { launch }: LaunchingPool, cni: VpcCni): ShortType[] {
  const pods = launch.table.capacity[launch.table.resources.indexOf('pods')];
  return launch.indices.flatMap((index) => {
    const instanceType = launch.table.names[index];
    const limits = catalog.networkLimits(instanceType);
    if (limits === undefined) return [];
    const withAddress = podsWithAddress(limits, cni);
    return pods[index] > withAddress ? [{ instanceType, pods: pods[index], withAddress }] : [];
  });
}

/** A planned node whose pods do not all get an address, whichever of its types EC2 launches. */
export interface CrowdedNode {
  readonly claim: PlannedNodeClaim;
  readonly instanceType: string;
  /** Pods of workloads that need an address of their own. */
  readonly pods: number;
  readonly withAddress: number;
}

export function crowdedNodes(context: RuleContext, pools: readonly Pool[], cni: VpcCni): CrowdedNode[] {
  // As Karpenter plans nodes: kube-scheduler fills the first nodes that are ready as much.
  const { catalog, passesPlan: plan } = context;
  const hostNetworked = groupsOnHostNetwork(context);
  return plan.nodeClaims.flatMap((claim): CrowdedNode[] => {
    const { launch, nodePool } = claim;
    if (launch === undefined || !pools.some(({ name }) => name === nodePool)) return [];
    const possible =
      launch.allocationStrategy === 'lowest-price' ? launch.instanceTypes.slice(0, 1) : launch.instanceTypes;
    const limits = possible.map((instanceType) => ({ instanceType, limits: catalog.networkLimits(instanceType) }));
    if (limits.some((type) => type.limits === undefined)) return [];
    const [largest] = limits
      .map(({ instanceType, limits: known }) => ({ instanceType, withAddress: podsWithAddress(known!, cni) - 2 }))
      .sort((left, right) => right.withAddress - left.withAddress);
    const pods = [...claim.groups].reduce((sum, [group, count]) => sum + (hostNetworked.has(group) ? 0 : count), 0);
    return pods > largest.withAddress ? [{ claim, pods, ...largest }] : [];
  });
}

/** DaemonSets of CNIs that may have pod addresses of their own. */
const OTHER_CNIS = ['cilium', 'calico-node', 'kube-flannel-ds', 'antrea-agent', 'weave-net'];

export function hasOtherCni({ workloads }: ManifestModel): boolean {
  return workloads.some(({ kind, name }) => kind === 'DaemonSet' && OTHER_CNIS.includes(name));
}

/** The indices of pods that use the address of their node. */
export function groupsOnHostNetwork({ model }: RuleContext): ReadonlySet<number> {
  return new Set(
    model.workloads
      .filter(({ object, podPath }) => isOnHostNetwork(object, podPath))
      .flatMap((workload) => podGroupIndices(workload)),
  );
}

function isOnHostNetwork({ raw }: ManifestObject, podPath: FieldPath): boolean {
  const spec = podPath.reduce<unknown>((value, name) => asRecord(value)?.[name], raw);
  return asRecord(spec)?.hostNetwork === true;
}
