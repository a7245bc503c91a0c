import { Scalar } from 'yaml';
import { LegacyObject } from './legacy-object';
import { Fields } from '../yaml/fields';
import { plainOf } from '../yaml/plain';

/** Makes the kubelet settings of a pool what an EC2NodeClass takes; undefined if nothing of them is left. */
export function toClassKubelet(object: LegacyObject, kubelet: Fields, comments: Fields): Fields | undefined {
  object.retire(kubelet.take('containerRuntime'), comments, 'kubelet: containerRuntime has no successor, every image runs containerd', 'kept');
  for (const name of ['systemReserved', 'kubeReserved']) quoteAmounts(kubelet.inner(name));
  if (!kubelet.isEmpty) return kubelet;
  comments.addComment(kubelet.map.comment);
  return undefined;
}

/** Amounts could be numbers in the pool; in the class they are texts. */
function quoteAmounts(amounts: Fields | undefined): void {
  for (const { value } of amounts?.all ?? []) {
    const scalar = value as Scalar;
    if (typeof plainOf(scalar) === 'number') Object.assign(scalar, { value: String(plainOf(scalar)), type: Scalar.QUOTE_DOUBLE });
  }
}
