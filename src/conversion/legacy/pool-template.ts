import { LegacyObject } from './legacy-object';
import { checkNodePoolLabelKey } from '../../contract';
import { Fields } from '../yaml/fields';

/** Moves labels and annotations of nodes; labels that Karpenter keeps for itself become comments. */
export function moveNodeMetadata(object: LegacyObject, from: Fields, into: Fields): void {
  into.add(from.take('labels'));
  into.add(from.take('annotations'));
  const labels = into.inner('labels');
  for (const { key: { value: key } } of labels?.all ?? []) {
    const [problem] = checkNodePoolLabelKey(key);
    if (problem) object.retire(labels!.take(key), into, `labels: ${key} ${problem.problem}`);
  }
  for (const name of ['labels', 'annotations']) into.dropEmpty(name);
}

/** Lists without an entry are left out. */
export function moveTaints(from: Fields, into: Fields): void {
  for (const name of ['taints', 'startupTaints']) {
    const field = from.take(name);
    if (field && (field.value as { items?: unknown[] }).items?.length !== 0) into.add(field); else into.addComment(field?.key.commentBefore);
  }
}
