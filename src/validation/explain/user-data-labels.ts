import { changeFixes } from './change-fixes';
import { amiFamilyOfClass, nodeLabelsIn } from '../../contract';
import { normalizeLabelKey, WELL_KNOWN_LABELS } from '../../model';
import { leftBehind, NodePoolSpec, passesWithoutReasons, PodShape } from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { ObjectFix } from '../manifest/edit/fix-of';

type LastPass = Pick<RuleContext, 'model' | 'lastInput' | 'catalog' | 'objectionTo'>;

interface LabelChange {
  readonly description: string;
  readonly tried: number;
  readonly edits?: readonly ObjectFix[];
}

/**
 * The pods that fit if their NodePool has the labels that only the user data of its class gives to nodes: Karpenter
 * does not read user data, so that it launches no node for them.
 */
export function userDataLabelChanges(context: LastPass, pending: ReadonlySet<number>): Map<number, LabelChange> {
  const { lastInput, catalog } = context;
  const changes = new Map<number, LabelChange>();
  for (const pool of lastInput.nodePools) {
    const given = labelsOfUserData(context, pool);
    if (given.size === 0) continue;
    for (const group of pending) {
      const missing = requiredKeys(lastInput.pods[group].shape).filter((key) => given.has(key) && !declares(pool, key));
      if (missing.length === 0 || changes.has(group)) continue;
      const labels = Object.fromEntries(missing.map((key) => [key, given.get(key)!]));
      const labelled = { ...pool, labels: { ...pool.labels, ...labels } };
      const nodePools = lastInput.nodePools.map((other) => (other === pool ? labelled : other));
      const changed = { ...lastInput, nodePools };
      const passes = passesWithoutReasons(changed, catalog);
      const { solved } = passes[passes.length - 1];
      if (solved.isBeyondBounds || leftBehind(solved).has(group)) continue;
      const edits = changeFixes(context, lastInput, changed);
      if (edits !== undefined && context.objectionTo?.(edits) !== undefined) continue;
      const text = missing.map((key) => `${key}=${labels[key]}`).join(' and ');
      const description = `add the label ${text} to spec.template.metadata.labels of NodePool ${pool.name}: the user data of EC2NodeClass ${pool.nodeClass} sets it, and Karpenter does not read user data`;
      changes.set(group, { description, tried: 1, ...(edits === undefined ? {} : { edits }) });
    }
  }
  return changes;
}

function labelsOfUserData({ model }: LastPass, { nodeClass }: NodePoolSpec): ReadonlyMap<string, string> {
  const spec = model.nodeClasses.find(({ object }) => object.name === nodeClass)?.object.raw?.spec;
  const userData: unknown = spec?.userData;
  return typeof userData === 'string' ? nodeLabelsIn(amiFamilyOfClass(spec ?? {}) ?? '', userData) : new Map();
}

/** The labels of the user that a node must have. */
function requiredKeys({ nodeSelector, requiredNodeAffinity }: PodShape): string[] {
  const inTerms = requiredNodeAffinity.flatMap(({ matchExpressions }) =>
    matchExpressions.flatMap(({ key, operator }) => (operator === 'In' || operator === 'Exists' ? [key] : [])),
  );
  return [...new Set([...Object.keys(nodeSelector), ...inTerms])].filter(
    (key) => !WELL_KNOWN_LABELS.has(normalizeLabelKey(key)),
  );
}

function declares({ labels, requirements }: NodePoolSpec, key: string): boolean {
  return key in labels || requirements.some((requirement) => requirement.key === key);
}
