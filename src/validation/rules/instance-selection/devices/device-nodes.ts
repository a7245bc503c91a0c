import { DEVICE_PLUGINS, DevicePlugin } from '../../../../contract';
import { PlannedNodeClaim } from '../../../../scheduling';
import { poolsOf } from '../../common/pool';
import { RuleContext } from '../../rule';
import { LaunchingPool } from '../../subjects';

/** The planned nodes of a NodePool with pods that request a device. */
export interface DeviceNodes {
  readonly pool: LaunchingPool;
  readonly amiFamily: string;
  readonly plugin: DevicePlugin;
  /** The requested resource. */
  readonly resource: string;
  readonly claims: readonly PlannedNodeClaim[];
  /** How many pods on the nodes request the resource. */
  readonly pods: number;
}

/** Nodes of an AMI family with the plugin built in are left out. */
export function deviceNodes(context: RuleContext): DeviceNodes[] {
  return allDeviceNodes(context).filter(({ plugin, amiFamily }) => !plugin.builtInto.includes(amiFamily));
}

/** The planned nodes with pods that request a device, except for AMIs that may have anything. */
export function allDeviceNodes(context: RuleContext): DeviceNodes[] {
  const { model, plan, input } = context;
  const pools = poolsOf(context).filter((pool): pool is LaunchingPool => pool.launch !== undefined && !pool.autoMode);
  return pools.flatMap((pool) => {
    const nodeClass = model.nodeClasses.find(({ object }) => object.name === pool.spec.nodeClass);
    const amiFamily = nodeClass?.facts?.amiFamily;
    // The AMI of a Custom family may have anything.
    if (amiFamily === undefined || amiFamily === 'Custom' || amiFamily.startsWith('Windows')) return [];
    const claims = plan.nodeClaims.filter(({ nodePool, launch }) => nodePool === pool.name && launch !== undefined);
    return DEVICE_PLUGINS.flatMap((plugin) => {
      const resource = plugin.resources.find((name) => claims.some((claim) => requests(claim, name) > 0));
      if (resource === undefined) return [];
      const requesting = claims.filter((claim) => requests(claim, resource) > 0);
      const pods = requesting.reduce((sum, claim) => sum + requests(claim, resource), 0);
      return [{ pool, amiFamily, plugin, resource, claims: requesting, pods }];
    });
  });

  /** The pods of a node that request the resource. */
  function requests({ groups }: PlannedNodeClaim, resource: string): number {
    return [...groups]
      .filter(([group]) => (input.pods[group].shape.requests.get(resource) ?? 0n) > 0n)
      .reduce((sum, [, count]) => sum + count, 0);
  }
}

/** The first text in a value, its names included, that is a name of the plugin. */
export function mentionsPlugin(value: unknown, { marks }: DevicePlugin): boolean {
  const text = JSON.stringify(value)?.toLowerCase() ?? '';
  return marks.some((mark) => text.includes(mark));
}
