import { LegacyObject } from './legacy-object';
import { checkNodePoolLabelKey, EC2_NODE_CLASS_API } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';

const CLASS_KINDS = ['AWSNodeTemplate', 'EC2NodeClass'];

/** Moves a reference to a node class: `apiVersion` becomes `group`, and optional fields are written explicitly. */
export function moveNodeClassRef(object: LegacyObject, from: Fields, oldName: string, into: Fields): void {
  const old = from.takeInner(oldName);
  if (!old) return;
  const apiVersion = old.take('apiVersion');
  const kind = old.take('kind');
  const group = old.take('group');
  const ref = Fields.empty();
  const isAws = kind === undefined || CLASS_KINDS.includes(scalarOf(kind) ?? '');
  ref.addOrSet(
    group ?? apiVersion,
    'group',
    isAws ? EC2_NODE_CLASS_API.group : (scalarOf(group ?? apiVersion) ?? '').split('/')[0],
  );
  ref.addOrSet(kind, 'kind', isAws ? EC2_NODE_CLASS_API.kind : scalarOf(kind));
  ref.add(old.take('name'));
  object.commentOutRest(old, ref, `${oldName}.`);
  into.set('nodeClassRef', ref);
}

/** Writes a placeholder reference for a pool that names no node class. */
export function setMissingNodeClassRef(object: LegacyObject, into: Fields): void {
  object.note(
    'todo',
    `the ${object.kind} names no node class; write the name of an EC2NodeClass in spec.template.spec.nodeClassRef.name`,
  );
  setNodeClassRef(into, 'default', 'TODO: name the EC2NodeClass');
}

export function setNodeClassRef(into: Fields, name: string, comment?: string): void {
  into.set('nodeClassRef', { group: EC2_NODE_CLASS_API.group, kind: EC2_NODE_CLASS_API.kind, name }, comment);
}

/** Moves labels and annotations of nodes. Labels that Karpenter reserves become comments. */
export function moveNodeMetadata(object: LegacyObject, from: Fields, into: Fields): void {
  into.add(from.take('labels'));
  into.add(from.take('annotations'));
  const labels = into.inner('labels');
  for (const {
    key: { value: key },
  } of labels?.entries ?? []) {
    const [problem] = checkNodePoolLabelKey(key);
    if (problem) object.commentOut(labels!.take(key), into, `labels: ${key} ${problem.problem}`);
  }
  for (const name of ['labels', 'annotations']) into.dropEmpty(name);
}

/** Moves taints and startup taints; empty lists are omitted. */
export function moveTaints(from: Fields, into: Fields): void {
  for (const name of ['taints', 'startupTaints']) {
    const field = from.take(name);
    if (field && (field.value as { items?: unknown[] }).items?.length !== 0) into.add(field);
    else into.addComment(field?.key.commentBefore);
  }
}
