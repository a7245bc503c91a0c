import { LegacyObject } from './legacy-object';
import { acceptsField } from '../../contract';
import { Fields } from '../yaml/fields';

const ROLE_PLACEHOLDER = 'KarpenterNodeRole-CLUSTER_NAME';

/** The role or instance profile; where a setting of the controller named the profile, the role takes its place. */
export function moveIdentity(object: LegacyObject, from: Fields, into: Fields): void {
  for (const name of ['role', 'instanceProfile']) into.add(from.take(name));
  if (into.has('role') || into.has('instanceProfile')) return;
  const { role } = object.options;
  into.set('role', role ?? ROLE_PLACEHOLDER, role === undefined ? 'TODO: the role of the nodes' : undefined);
  if (role === undefined) object.note('todo', 'no instanceProfile: the controller\'s setting defaultInstanceProfile is gone; write the role of the nodes, or pass --role');
}

/** Tags that Karpenter sets itself are refused since v1beta1. */
export function moveTags(object: LegacyObject, from: Fields, into: Fields): void {
  into.add(from.take('tags'));
  const tags = into.inner('tags');
  for (const { key: { value: key } } of tags?.all ?? []) {
    if (!acceptsField('EC2NodeClass', ['tags'], { [key]: '' })) object.retire(tags!.take(key), into, `tags: Karpenter sets ${key} itself`);
  }
  into.dropEmpty('tags');
}
