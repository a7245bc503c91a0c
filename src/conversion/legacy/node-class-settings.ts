import { isMap } from 'yaml';
import { LegacyObject } from './legacy-object';
import { acceptsField, metadataDefaults } from '../../contract';
import { Quantity, valueText } from '../../model';
import { Fields } from '../yaml/fields';

const ROLE_PLACEHOLDER = 'KarpenterNodeRole-CLUSTER_NAME';

/**
 * Moves the role or instance profile. A node class without either used the controller setting
 * `defaultInstanceProfile`, which v1 does not have: it gets a role.
 */
export function moveIdentity(object: LegacyObject, from: Fields, into: Fields): void {
  for (const name of ['role', 'instanceProfile']) into.add(from.take(name));
  if (into.has('role') || into.has('instanceProfile')) return;
  const { role } = object.options;
  into.set('role', role ?? ROLE_PLACEHOLDER, role === undefined ? 'TODO: the IAM role of the nodes' : undefined);
  if (role === undefined)
    object.note(
      'todo',
      'no instanceProfile: v1 has no controller setting defaultInstanceProfile; write the IAM role of the nodes, or pass --role',
    );
}

/** Moves tags. Those that Karpenter sets itself are rejected since v1beta1, and become comments. */
export function moveTags(object: LegacyObject, from: Fields, into: Fields): void {
  into.add(from.take('tags'));
  const tags = into.inner('tags');
  for (const {
    key: { value: key },
  } of tags?.entries ?? []) {
    if (!acceptsField('EC2NodeClass', ['tags'], { [key]: '' }))
      object.commentOut(tags!.take(key), into, `tags: Karpenter sets ${key} itself`);
  }
  into.dropEmpty('tags');
}

/** Default hop limit before v1: pods outside the host network could reach IMDS. The default of v1 is 1. */
const OLD_HOP_LIMIT = 2;

/**
 * Writes the old defaults explicitly, so that the new defaults of v1 change nothing.
 *
 * Sources: DefaultMetadataOptions, pkg/providers/amifamily/resolver.go of Karpenter for AWS 0.32, and the CRD of
 * karpenter.k8s.aws/v1beta1. If a v1alpha1 object set some of the options, EC2 filled in the others.
 */
export function moveMetadataOptions(
  object: LegacyObject,
  from: Fields,
  into: Fields,
  version: 'v1alpha1' | 'v1beta1',
): void {
  const field = from.take('metadataOptions');
  if (field) into.add(field);
  else into.set('metadataOptions', Fields.empty());
  const options = into.inner('metadataOptions');
  if (!options) return;
  const filledByEc2 = field !== undefined && version === 'v1alpha1';
  if (filledByEc2 && !options.has('httpTokens')) {
    object.note(
      'todo',
      `metadataOptions.httpTokens: EC2's default was optional, v1 writes ${metadataDefaults().httpTokens}; pods that use IMDSv1 need optional`,
      field,
    );
  }
  if (!filledByEc2 && !options.has('httpPutResponseHopLimit')) {
    options.set('httpPutResponseHopLimit', OLD_HOP_LIMIT);
    object.note(
      'changed',
      `metadataOptions.httpPutResponseHopLimit: the old default ${OLD_HOP_LIMIT} is written explicitly; the default of v1 is ${metadataDefaults().httpPutResponseHopLimit}`,
      field,
    );
  }
  for (const [name, value] of Object.entries(metadataDefaults())) if (!options.has(name)) options.set(name, value);
}

const GIBIBYTE = 1024n ** 3n;

/**
 * Moves block devices. v1 accepts volume sizes in whole Gi, G, Ti or T; earlier releases accepted any quantity and
 * rounded it up to Gi.
 */
export function moveBlockDevices(from: Fields, into: Fields): void {
  into.add(from.take('blockDeviceMappings'));
  for (const device of into.items('blockDeviceMappings')) {
    const ebs = isMap(device) ? new Fields(device).inner('ebs') : undefined;
    const size = ebs?.json('volumeSize');
    if (ebs && size !== undefined) roundUpSize(ebs, valueText(size));
  }
}

function roundUpSize(ebs: Fields, size: string): void {
  if (acceptsField('EC2NodeClass', ['blockDeviceMappings', 0, 'ebs', 'volumeSize'], size)) return;
  const bytes = Quantity.tryParse(size)?.value();
  if (bytes !== undefined && bytes > 0n) ebs.set('volumeSize', `${(bytes + GIBIBYTE - 1n) / GIBIBYTE}Gi`);
}
