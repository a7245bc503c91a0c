import { LegacyObject } from './legacy-object';
import { EC2_NODE_CLASS_API } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';

const CLASS_KINDS = ['AWSNodeTemplate', 'EC2NodeClass'];

/** Moves a reference to a class: `apiVersion` becomes `group`, and what was optional is written out. */
export function moveNodeClassRef(object: LegacyObject, from: Fields, oldName: string, into: Fields): void {
  const old = from.takeInner(oldName);
  if (!old) return;
  const apiVersion = old.take('apiVersion');
  const kind = old.take('kind');
  const group = old.take('group');
  const ref = Fields.empty();
  const isAws = kind === undefined || CLASS_KINDS.includes(scalarOf(kind) ?? '');
  ref.addRenewed(group ?? apiVersion, 'group', isAws ? EC2_NODE_CLASS_API.group : (scalarOf(group ?? apiVersion) ?? '').split('/')[0]);
  ref.addRenewed(kind, 'kind', isAws ? EC2_NODE_CLASS_API.kind : scalarOf(kind));
  ref.add(old.take('name'));
  object.retireRest(old, ref, `${oldName}.`);
  into.set('nodeClassRef', ref);
}

/** Of a pool that names no class. */
export function setMissingNodeClassRef(object: LegacyObject, into: Fields): void {
  object.note('todo', `the ${object.kind} names no class: say in spec.template.spec.nodeClassRef.name which EC2NodeClass is meant`);
  setNodeClassRef(into, 'default', 'TODO: name the EC2NodeClass');
}

export function setNodeClassRef(into: Fields, name: string, comment?: string): void {
  into.set('nodeClassRef', { group: EC2_NODE_CLASS_API.group, kind: EC2_NODE_CLASS_API.kind, name }, comment);
}
