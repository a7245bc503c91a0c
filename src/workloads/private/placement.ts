/** Applies the node placement that the user chose. Placement is not a safeguard. */
import { asWrittenNote, DO_NOT_DISRUPT } from '../../contract';
import { Label, LabelSelectorExpression, selects, Taint, tolerates } from '../../model';
import { INodePool } from '../../nodes';
import { CapacityPlacement } from '../capacity-placement';
import { expressionsByTerm, requireOfNode } from './node-affinity';
import { addSpread, hasSpread } from './safeguards/topology-spread';
import { Settings } from './settings';
import { child, Json, list, Subject } from './subject';

const LASTING = ['on-demand', 'reserved'];
/** Excludes reserved capacity: it would count as a third spread domain, for which pods would stay pending. */
const SPLIT = ['on-demand', 'spot'];

/** Pods with do-not-disrupt must not be interrupted by EC2 either. */
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
  if (placement?._splitLabel === Label.CAPACITY_TYPE) requireOfNode(subject.pod, Label.CAPACITY_TYPE, 'In', SPLIT);
  if (placement?._splitLabel && !hasSpread(subject, placement._splitLabel)) addSpread(subject, placement._splitLabel, 1);
}

function pinTo({ name, taints }: INodePool, subject: Subject): void {
  const elsewhere = otherPool(name, subject);
  subject.note('node-pool', elsewhere === undefined ? undefined : asWrittenNote(elsewhere));
  if (elsewhere !== undefined) return;
  child(subject.pod, 'nodeSelector')[Label.NODE_POOL] = name;
  for (const taint of taints) tolerate(taint, subject);
}

/** What the pod says itself, where it can be on no node of the pool. */
function otherPool(name: string, { pod }: Subject): string | undefined {
  const written = pod.nodeSelector?.[Label.NODE_POOL];
  if (written !== undefined) return written === name ? undefined : written;
  const terms = expressionsByTerm(pod, (key) => key === Label.NODE_POOL);
  const isRuledOut = (expression: Json) => !selects({ matchExpressions: [expression as LabelSelectorExpression] }, { [Label.NODE_POOL]: name });
  const ruledOut = terms.map((expressions) => expressions.find(isRuledOut));
  if (terms.length === 0 || ruledOut.includes(undefined)) return undefined;
  return ruledOut.map((expression) => `${expression?.operator} [${(expression?.values ?? []).join(', ')}]`).join(' or ');
}

function tolerate({ key, value, effect }: Taint, { pod }: Subject): void {
  const tolerations = list(pod, 'tolerations');
  if (tolerations.some((toleration) => tolerates(toleration, { key, value, effect }))) return;
  tolerations.push(value === undefined ? { key, operator: 'Exists', effect } : { key, operator: 'Equal', value, effect });
}
