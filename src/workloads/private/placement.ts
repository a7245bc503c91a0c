/** Which nodes the pods go to: asked for by the user, not a safeguard. */
import { asWrittenNote, DO_NOT_DISRUPT } from '../../contract';
import { Label, Taint, tolerates } from '../../model';
import { INodePool } from '../../nodes';
import { CapacityPlacement } from '../capacity-placement';
import { requireOfNode } from './node-affinity';
import { addSpread, hasSpread } from './safeguards/topology-spread';
import { Settings } from './settings';
import { child, list, Subject } from './subject';

const LASTING = ['on-demand', 'reserved'];

/** What is protected from Karpenter is not to be taken by EC2 either. */
export function placementOf({ given }: Settings): CapacityPlacement | undefined {
  return given.capacity ?? (given.doNotDisrupt && CapacityPlacement.onDemandOnly());
}

export function placePods(subject: Subject, settings: Settings): void {
  if (subject.nature !== 'serving' && subject.nature !== 'batch') return;
  const { nodePool, doNotDisrupt } = settings.given;
  if (nodePool) pinTo(nodePool, subject);
  if (doNotDisrupt && subject.nature === 'serving') child(child(subject.template, 'metadata'), 'annotations')[DO_NOT_DISRUPT] ??= doNotDisrupt.value;
  const placement = placementOf(settings);
  if (placement?._onDemandOnly) requireOfNode(subject.pod, Label.CAPACITY_TYPE, 'In', LASTING);
  if (placement?._splitLabel && !hasSpread(subject, placement._splitLabel)) addSpread(subject, placement._splitLabel, 1);
}

function pinTo({ name, taints }: INodePool, subject: Subject): void {
  const selector = child(subject.pod, 'nodeSelector');
  const written = selector[Label.NODE_POOL];
  subject.note('node-pool', written !== undefined && written !== name ? asWrittenNote(written) : undefined);
  if (written !== undefined && written !== name) return;
  selector[Label.NODE_POOL] = name;
  for (const taint of taints) tolerate(taint, subject);
}

function tolerate({ key, value, effect }: Taint, { pod }: Subject): void {
  const tolerations = list(pod, 'tolerations');
  if (tolerations.some((toleration) => tolerates(toleration, { key, value, effect }))) return;
  tolerations.push(value === undefined ? { key, operator: 'Exists', effect } : { key, operator: 'Equal', value, effect });
}
