import { DEFAULT_NODE_CLASS } from '../../catalog';
import { NodePoolSpec, ScheduleInput } from '../../scheduling';

type Pools = Pick<ScheduleInput, 'nodePools' | 'nodeClasses'>;

/** It launches nothing. */
const STAND_IN: NodePoolSpec = {
  name: '', weight: 0, nodeClass: DEFAULT_NODE_CLASS.name, labels: {}, requirements: [], taints: [], replicas: 0, limits: new Map(),
};
const ALONE: Pools = { nodePools: [STAND_IN], nodeClasses: new Map([[DEFAULT_NODE_CLASS.name, DEFAULT_NODE_CLASS]]) };

/** Where there is nothing to launch from, Kubernetes still puts pods on nodes that have room: a pool in its place lets that be asked. */
export function withSomePool({ nodePools, nodeClasses }: Pools): Pools {
  return nodePools.some(({ nodeClass }) => nodeClasses.has(nodeClass)) ? { nodePools, nodeClasses } : ALONE;
}
