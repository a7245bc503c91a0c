import { asRecord } from '../../contract';
import { PoolView } from '../../scheduling';
import { NodeClassManifest } from '../manifest/model';

/** The step of the elimination that drops types whose memory or CPU the kubelet's reserves take as a whole. */
const ROOM_FOR_PODS = 'allocatable left for pods';

/** Whether a NodePool has instance types, and the reserves of its nodes leave nothing of them for pods. */
export function leavesNoRoomForPods({ elimination }: Pick<PoolView, 'elimination'>): boolean {
  const emptied = elimination.findIndex(({ left }) => left === 0);
  return emptied > 0 && elimination[emptied].constraint === ROOM_FOR_PODS;
}

/** Whether the class sets what the kubelet keeps from pods. */
export function setsReserves({ object }: NodeClassManifest): boolean {
  const { kubeReserved, systemReserved, evictionHard } = asRecord(object.raw.spec?.kubelet) ?? {};
  return [kubeReserved, systemReserved, evictionHard].some((setting) => asRecord(setting) !== undefined);
}
