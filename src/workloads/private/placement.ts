/** Applies the node placement that the user chose. Placement is not a safeguard. */
import { keptAsWrittenNote, DO_NOT_DISRUPT } from '../../contract';
import { Label, LabelSelectorExpression, selects, Taint, tolerates } from '../../model';
import { INodePool } from '../../nodes';
import { CapacityPlacement } from '../capacity-placement';
import { child, Json, ensureList, EditableWorkload } from './editable-workload';
import { expressionsByTerm, requireNodeLabel } from './node-affinity';
import { nodePoolsOf } from './node-pools';
import { addSpread, hasSpread } from './safeguards/topology-spread';
import { Settings } from './settings';

const NOT_INTERRUPTED = ['on-demand', 'reserved'];
/** Excludes reserved capacity: it would count as a third spread domain, for which pods would stay pending. */
const SPLIT = ['on-demand', 'spot'];

/** Pods with do-not-disrupt must not be interrupted by EC2 either. */
export function placementOf({ props: given }: Settings): CapacityPlacement | undefined {
  return given.capacity ?? (given.doNotDisrupt && CapacityPlacement.onDemandOnly());
}

export function placePods(subject: EditableWorkload, settings: Settings): void {
  if (subject.role !== 'serving' && subject.role !== 'batch') return;
  const { doNotDisrupt } = settings.props;
  const nodePools = nodePoolsOf(settings.props);
  if (nodePools.length > 0) pinToNodePools(nodePools, subject);
  if (doNotDisrupt && subject.role === 'serving')
    child(child(subject.template, 'metadata'), 'annotations')[DO_NOT_DISRUPT] ??= doNotDisrupt.value;
  const placement = placementOf(settings);
  if (placement?._onDemandOnly) requireNodeLabel(subject.pod, Label.CAPACITY_TYPE, 'In', NOT_INTERRUPTED);
  if (placement?._splitLabel === Label.CAPACITY_TYPE) requireNodeLabel(subject.pod, Label.CAPACITY_TYPE, 'In', SPLIT);
  if (placement?._splitLabel && !hasSpread(subject, placement._splitLabel))
    addSpread(subject, placement._splitLabel, 1);
}

/** A node selector can name one NodePool only. */
function pinToNodePools(nodePools: readonly INodePool[], subject: EditableWorkload): void {
  const names = nodePools.map(({ name }) => name);
  const conflict = conflictingNodePool(names, subject);
  subject.note('node-pool', conflict === undefined ? undefined : keptAsWrittenNote(conflict));
  if (conflict !== undefined) return;
  if (names.length === 1) child(subject.pod, 'nodeSelector')[Label.NODE_POOL] = names[0];
  else requireNodeLabel(subject.pod, Label.NODE_POOL, 'In', names);
  for (const taint of nodePools.flatMap(({ taints }) => taints)) tolerate(taint, subject);
}

/** The NodePools that the pod requires itself, if they exclude all of these NodePools. */
function conflictingNodePool(names: readonly string[], { pod }: EditableWorkload): string | undefined {
  const written = pod.nodeSelector?.[Label.NODE_POOL];
  if (written !== undefined) return names.includes(written) ? undefined : written;
  const terms = expressionsByTerm(pod, (key) => key === Label.NODE_POOL);
  const isRuledOut = (expression: Json) =>
    !names.some((name) =>
      selects({ matchExpressions: [expression as LabelSelectorExpression] }, { [Label.NODE_POOL]: name }),
    );
  const ruledOut = terms.map((expressions) => expressions.find(isRuledOut));
  if (terms.length === 0 || ruledOut.includes(undefined)) return undefined;
  return ruledOut
    .map((expression) => `${expression?.operator} [${(expression?.values ?? []).join(', ')}]`)
    .join(' or ');
}

function tolerate({ key, value, effect }: Taint, { pod }: EditableWorkload): void {
  const tolerations = ensureList(pod, 'tolerations');
  if (tolerations.some((toleration) => tolerates(toleration, { key, value, effect }))) return;
  tolerations.push(
    value === undefined ? { key, operator: 'Exists', effect } : { key, operator: 'Equal', value, effect },
  );
}
