import { NearestMiss } from './nearest-miss';
import { amiFamilyTraits, NodeClassFacts } from '../../../catalog';
import { ResourceList } from '../../../model';

const STORAGE = 'ephemeral-storage';
const GIB = 2 ** 30;

/**
 * The volume of a node class that would hold what a pod asks for, where that is all that is short: no other instance type has a larger one.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specblockdevicemappings
 */
export function largerVolume(nodeClass: NodeClassFacts | undefined, { room, shortages }: NearestMiss, requests: ResourceList): string | undefined {
  const { table, index, daemons } = room;
  const row = table.resources.indexOf(STORAGE);
  if (!nodeClass || row < 0 || shortages.some(({ resource }) => resource !== STORAGE)) return undefined;
  const wanted = Number(requests.get(STORAGE) ?? 0n) + Number(daemons.get(STORAGE) ?? 0n);
  const [capacity, allocatable] = [table.capacity[row][index], table.allocatable[row][index]];
  if (allocatable <= 0) return undefined;
  // Of what the kubelet keeps a part grows with the volume, and a part does not: as much more as is wanted is enough.
  return `give ${deviceOf(nodeClass)} of EC2NodeClass ${nodeClass.name} a volumeSize of ${Math.ceil(wanted * capacity / allocatable / GIB)}Gi in spec.blockDeviceMappings`;
}

function deviceOf({ amiFamily, blockDevices = [] }: NodeClassFacts): string {
  const root = blockDevices.find(({ rootVolume }) => rootVolume === true);
  return root?.deviceName ?? amiFamilyTraits(amiFamily).ephemeralDevice ?? 'the volume of the pods';
}
