import { basename, dirname } from 'path';
import { PlainRecord } from './records';
import { asRecord, isSubdomain } from '../../contract';
import { environmentOf, wordsOf } from './source/roots/environments';

/** An object, and the file that it is in. */
export interface PlacedObject {
  readonly path: string;
  readonly raw: PlainRecord;
}

/**
 * The name that a copy was meant to get, if the author copied an object and forgot its name: that of its file if other
 * files have the names of their objects, or that of what the object selects.
 *
 * @param original the object of the same kind, namespace and name
 * @param all the objects of the kind
 */
export function nameOfCopy(
  copy: PlacedObject,
  original: PlacedObject,
  all: readonly PlacedObject[],
): string | undefined {
  const name = nameOf(original);
  const others = all.filter((other) => ![copy, original].some(({ raw }) => raw === other.raw));
  const isSameFile = copy.path === original.path;
  // Files of one name are in folders with the names of their objects.
  const placeOf = basename(copy.path) === basename(original.path) ? dirname : (path: string) => path;
  const stemOf = ({ path }: PlacedObject) => basename(placeOf(path)).replace(/\.ya?ml$/, '');
  const folderOf = ({ path }: PlacedObject) => dirname(placeOf(path));
  const meant = isSameFile ? nameInside(copy) : stemOf(copy);
  if (typeof name !== 'string' || meant === undefined || !isSubdomain(meant) || isVariant(meant, name))
    return undefined;
  if (others.some((other) => nameOf(other) === meant)) return undefined;
  if (isSameFile) return isMeantInside(meant, copy, original, others) ? meant : undefined;
  const isBeside = (other: PlacedObject) => folderOf(other) === folderOf(copy);
  if (!isBeside(original) || stemOf(original) !== name) return undefined;
  const areNamedAfterFiles = others.some((other) => isBeside(other) && stemOf(other) === nameOf(other));
  return areNamedAfterFiles || namesInside(copy).includes(meant) ? meant : undefined;
}

/** Whether the copy names itself inside, and the original names itself otherwise. */
function isMeantInside(
  meant: string,
  copy: PlacedObject,
  original: PlacedObject,
  others: readonly PlacedObject[],
): boolean {
  if (namesInside(original).includes(meant)) return false;
  if (poolLabelOf(copy) === meant) return true;
  if (copy.raw.kind !== 'NodePool') return nameInside(original) === nameOf(original);
  return (
    namesInside(copy).filter((name) => name === meant).length > 1 ||
    others.some((other) => nameInside(other) === nameOf(other))
  );
}

function nameOf({ raw }: PlacedObject): unknown {
  return asRecord(raw.metadata)?.name;
}

/** A label such as `acme.io/pool: edge`, which a NodePool gives its nodes. */
function poolLabelOf({ raw }: PlacedObject): unknown {
  const template = raw.kind === 'NodePool' ? asRecord(asRecord(raw.spec)?.template) : undefined;
  const labels = Object.entries(asRecord(asRecord(template?.metadata)?.labels) ?? {});
  return labels.find(([key]) => /pool$/i.test(key))?.[1];
}

/** The label or the class of a NodePool, or the label that a workload selects its pods with. */
function nameInside(object: PlacedObject): string | undefined {
  const { raw } = object;
  const spec = asRecord(raw.spec);
  const labels = asRecord(asRecord(spec?.selector)?.matchLabels);
  const nodeClass = asRecord(asRecord(asRecord(spec?.template)?.spec)?.nodeClassRef)?.name;
  const name = poolLabelOf(object) ?? nodeClass ?? labels?.['app.kubernetes.io/name'] ?? labels?.app;
  return typeof name === 'string' ? name : undefined;
}

/** The name inside, and the labels of nodes or pods. */
function namesInside(object: PlacedObject): unknown[] {
  const template = asRecord(asRecord(object.raw.spec)?.template);
  return [nameInside(object), ...Object.values(asRecord(asRecord(template?.metadata)?.labels) ?? {})];
}

const OF_VARIANTS = /^(copy|disabled|example|examples|new|next|sample|temp|template|tmp|v?\d+)$/;

/** Whether a file has another version of an object rather than another object. */
function isVariant(meant: string, name: string): boolean {
  const words = wordsOf(meant);
  return (
    environmentOf(meant) !== undefined || words.some((word) => OF_VARIANTS.test(word) || wordsOf(name).includes(word))
  );
}
