import { asRecord } from '../../../contract';
import { Label } from '../../../model';
import { AUTO_MODE_NODE_POOLS, isAutoMode } from '../../auto-mode';
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
  const isElsewhere = ([key, value]: [string, unknown]) => key === Label.NODE_POOL ? isPoolOfAutoMode(context, value) : isOnlyElsewhere(context, key);
  if (Object.entries(selector).some(isElsewhere)) return true;
  const terms = termsOf(values);
  return terms.length > 0 && terms.every((term) => recordsOf(term.matchExpressions).some((expression) => excludesOwn(context, expression)));
}

/** Whether it is sure to keep off the nodes of EKS Auto Mode too, which have the label of a NodePool as its own have. */
export function keepsOffAllNodePools({ values }: Controller): boolean {
  const terms = termsOf(values);
  return terms.length > 0 && terms.every((term) => recordsOf(term.matchExpressions).some(({ key, operator }) => key === Label.NODE_POOL && operator === 'DoesNotExist'));
}

function termsOf(values: Controller['values']): PlainRecord[] {
  return recordsOf(valueAt(values, 'affinity', 'nodeAffinity', ...TERMS));
}

function excludesOwn(context: RuleContext, { key, operator, values }: PlainRecord): boolean {
  if (key === Label.NODE_POOL) {
    return operator === 'DoesNotExist' || (operator === 'In' && Array.isArray(values) && values.every((pool) => isPoolOfAutoMode(context, pool)));
  }
  if (typeof key !== 'string') return false;
  // A pod that wants no label of node groups is on other nodes.
  if (operator === 'DoesNotExist' || operator === 'NotIn') return false;
  return isOnlyElsewhere(context, key) && (operator === 'Exists' || Array.isArray(values));
}

/** A NodePool whose nodes EKS launches: one that says so, or one of those that it brings along. */
function isPoolOfAutoMode({ model }: RuleContext, name: unknown): boolean {
  const pool = model.nodePools.find(({ object }) => object.name === name);
  return pool ? isAutoMode(pool) : AUTO_MODE_NODE_POOLS.includes(String(name));
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
