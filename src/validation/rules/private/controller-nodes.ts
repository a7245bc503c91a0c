import { asRecord } from '../../../contract';
import { Label } from '../../../model';
import { Controller, valueAt } from '../../controller';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { RuleContext } from '../rule';

const TERMS = ['requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
/** Labels that only nodes of node groups and of Fargate have; that of Karpenter's domain is given to the node group meant for Karpenter. */
const OF_OTHERS: readonly string[] = [
  'eks.amazonaws.com/nodegroup', 'eks.amazonaws.com/compute-type', 'eks.amazonaws.com/capacityType', 'alpha.eksctl.io/nodegroup-name', 'karpenter.sh/controller',
];

/** Whether the controller keeps off the nodes that it launches: in every way to meet its constraints, since the terms are alternatives. */
export function keepsOffOwnNodes(context: RuleContext, { values }: Controller): boolean {
  const selector = asRecord(values.nodeSelector) ?? {};
  if (Object.keys(selector).some((key) => isOnlyElsewhere(context, key))) return true;
  const terms = recordsOf(valueAt(values, 'affinity', 'nodeAffinity', ...TERMS));
  return terms.length > 0 && terms.every((term) => recordsOf(term.matchExpressions).some((expression) => excludesOwn(context, expression)));
}

function excludesOwn(context: RuleContext, { key, operator, values }: PlainRecord): boolean {
  if (key === Label.NODE_POOL) return operator === 'DoesNotExist';
  if (typeof key !== 'string') return false;
  // A pod that wants no label of node groups is on other nodes.
  if (operator === 'DoesNotExist' || operator === 'NotIn') return false;
  return isOnlyElsewhere(context, key) && (operator === 'Exists' || Array.isArray(values));
}

/** A label of node groups, or one of the user's own that no NodePool gives to its nodes. */
function isOnlyElsewhere({ model }: RuleContext, key: string): boolean {
  if (OF_OTHERS.includes(key)) return true;
  const isOwn = !/(^|\.)(kubernetes\.io|k8s\.io|karpenter\.sh|k8s\.aws|amazonaws\.com)\//.test(key);
  return isOwn && model.nodePools.every(({ spec }) =>
    spec !== undefined && !(key in (spec.labels ?? {})) && !spec.requirements.some((requirement) => requirement.key === key));
}

/** Whether two pods of the controller must be on two nodes. */
export function needsNodeEach({ values }: Controller): boolean {
  return recordsOf(valueAt(values, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'))
    .some(({ topologyKey }) => topologyKey === 'kubernetes.io/hostname');
}
