import { PlannedNodeClaim } from '../../../scheduling';
import { ZONAL_DRIVERS } from '../../manifest/workload/storage';
import { RuleContext } from '../rule';

/** Whether the driver attaches volumes to a node. The drivers of file systems mount them, whatever the access mode. */
export function isEbsDriver(driver: string): boolean {
  return ZONAL_DRIVERS.includes(driver);
}

/** How many EBS volumes of pods a planned node can attach. */
export interface AttachLimit {
  /** The type that the plan launches, or the one of the possible types that attaches most. */
  readonly instanceType: string;
  readonly attachable: number;
  /** Volumes of the node itself. */
  readonly nodeVolumes: number;
  /** Whether each further network interface takes the place of a volume. */
  readonly isShared: boolean;
  readonly nodeClass: string;
}

/**
 * The most volumes that the node can attach, whichever type EC2 launches. Undefined if the limit of a type is unknown,
 * or if the node is not launched.
 */
export function attachLimitOf(
  { catalog, model }: RuleContext,
  { nodePool, launch }: PlannedNodeClaim,
): AttachLimit | undefined {
  if (launch === undefined) return undefined;
  const possible =
    launch.allocationStrategy === 'lowest-price' ? launch.instanceTypes.slice(0, 1) : launch.instanceTypes;
  const limits = possible.map((instanceType) => ({ instanceType, limit: catalog.ebsAttachments(instanceType) }));
  if (limits.some(({ limit }) => limit === undefined)) return undefined;
  const { instanceType, limit } = limits.reduce((most, other) =>
    other.limit!.volumes > most.limit!.volumes ? other : most,
  );
  const nodeClass =
    [...model.nodePools, ...(model.cluster?.nodePools ?? [])].find(({ object }) => object.name === nodePool)
      ?.nodeClassRef?.name ?? '';
  const facts = [...model.nodeClasses, ...(model.cluster?.nodeClasses ?? [])].find(
    ({ object }) => object.name === nodeClass,
  )?.facts;
  const nodeVolumes = Math.max(facts?.blockDevices?.length ?? 0, facts?.amiFamily === 'Bottlerocket' ? 2 : 1);
  return {
    instanceType,
    attachable: Math.max(0, limit!.volumes - nodeVolumes),
    nodeVolumes,
    isShared: limit!.isShared,
    nodeClass,
  };
}
