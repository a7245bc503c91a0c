import { isMap, YAMLSeq } from 'yaml';
import { LegacyObject, Successor } from './legacy-object';
import { newRoot } from './object-metadata';
import { AMI_SELECTOR, moveSelector, TAG_SELECTOR } from './tag-selector';
import { EC2_NODE_CLASS_API, acceptsField, metadataDefaults, AMI_ALIAS_FAMILIES } from '../../contract';
import { Quantity, valueText } from '../../model';
import { Fields, scalarOf } from '../yaml/fields';

/**
 * Converts an AWSNodeTemplate of karpenter.k8s.aws/v1alpha1 to an EC2NodeClass of v1.
 *
 * Source: the v1beta1 migration guide, https://karpenter.sh/v0.32/upgrading/v1beta1-migration/
 */
export function convertAwsNodeTemplate(object: LegacyObject): Successor {
  const from = object.spec;
  const spec = Fields.empty();
  const launchTemplate = from.take('launchTemplate');
  const terms = Fields.empty();
  moveSelector(object, from, 'amiSelector', terms, AMI_SELECTOR);
  moveAmis(object, from, terms, spec, launchTemplate ? 'Custom' : 'AL2');
  moveIdentity(object, from, spec);
  for (const name of ['subnetSelector', 'securityGroupSelector']) moveSelector(object, from, name, spec, TAG_SELECTOR);
  moveBlockDevices(from, spec);
  moveMetadataOptions(object, from, spec, 'v1alpha1');
  spec.add(from.take('userData'));
  moveTags(object, from, spec);
  for (const name of ['detailedMonitoring', 'context']) spec.add(from.take(name));
  object.commentOut(
    launchTemplate,
    spec,
    'launchTemplate: custom launch templates are no longer supported; write their settings in this EC2NodeClass',
    'todo',
  );
  object.commentOutRest(from, spec, 'spec.');
  return { object, root: newRoot(EC2_NODE_CLASS_API, object, spec) };
}

/**
 * Converts an EC2NodeClass of karpenter.k8s.aws/v1beta1 to v1.
 *
 * Source: the v1 migration guide, https://karpenter.sh/v1.0/upgrading/v1-migration/
 */
export function convertBetaNodeClass(object: LegacyObject): Successor {
  const from = object.spec;
  const spec = Fields.empty();
  const terms = Fields.empty();
  terms.add(from.take('amiSelectorTerms'));
  moveAmis(object, from, terms, spec, 'Custom');
  moveIdentity(object, from, spec);
  for (const name of ['subnetSelectorTerms', 'securityGroupSelectorTerms']) spec.add(from.take(name));
  moveBlockDevices(from, spec);
  spec.add(from.take('instanceStorePolicy'));
  moveMetadataOptions(object, from, spec, 'v1beta1');
  spec.add(from.take('userData'));
  moveTags(object, from, spec);
  for (const name of ['detailedMonitoring', 'associatePublicIPAddress', 'context']) spec.add(from.take(name));
  object.commentOutRest(from, spec, 'spec.');
  return { object, root: newRoot(EC2_NODE_CLASS_API, object, spec) };
}

const ROLE_PLACEHOLDER = 'KarpenterNodeRole-CLUSTER_NAME';

/**
 * Moves the role or instance profile. A node class without either used the controller setting
 * `defaultInstanceProfile`, which v1 does not have: it gets a role.
 */
function moveIdentity(object: LegacyObject, from: Fields, into: Fields): void {
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

/** Moves tags. Tags that Karpenter sets itself are rejected since v1beta1, and become comments. */
function moveTags(object: LegacyObject, from: Fields, into: Fields): void {
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
function moveMetadataOptions(object: LegacyObject, from: Fields, into: Fields, version: 'v1alpha1' | 'v1beta1'): void {
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
function moveBlockDevices(from: Fields, into: Fields): void {
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

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(AMI_ALIAS_FAMILIES).map(([alias, family]) => [family, alias]),
);

/**
 * Placeholder for an AMI that only a person can choose. No AMI has this id, so a node class with it launches nothing.
 */
const PLACEHOLDER = [{ id: 'ami-placeholder' }];

/** Default root volume of the AMI family Ubuntu. No AMI family of v1 has this default. */
const UBUNTU_DISK = {
  deviceName: '/dev/sda1',
  rootVolume: true,
  ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' },
};

/**
 * Writes the AMI family and the AMI selection as v1 expects them: as an alias if the node class selected no AMIs.
 *
 * Source: EC2NodeClass.ConvertFrom, pkg/apis/v1/ec2nodeclass_conversion.go of Karpenter for AWS 1.0.
 *
 * @param terms holds `amiSelectorTerms`, or is empty
 * @param defaultFamily AMI family of a node class that names none
 */
function moveAmis(object: LegacyObject, from: Fields, terms: Fields, into: Fields, defaultFamily: string): void {
  const field = from.take('amiFamily');
  const name = scalarOf(field) ?? defaultFamily;
  const alias = ALIASES.get(name);
  into.addComment(terms.map.comment);
  const selects = (terms.find('amiSelectorTerms')?.value as YAMLSeq | undefined)?.items.length;
  if (alias && !selects) {
    const holder = Fields.empty();
    holder.addOrSet(field, 'amiSelectorTerms', [{ alias: `${alias}@latest` }]);
    into.add(holder.take('amiSelectorTerms'));
    const moved = `${field ? `amiFamily: ${name}` : `the default amiFamily ${name}`} becomes the alias ${alias}@latest`;
    if (name !== 'AL2') return object.note('changed', moved, field);
    return object.note(
      'todo',
      `${moved}; EKS publishes no AMI of Amazon Linux 2 for Kubernetes 1.33 and newer: write al2023@latest there`,
      field,
    );
  }
  into.addOrSet(field, 'amiFamily', alias ? name : name === 'Ubuntu' ? 'AL2' : 'Custom');
  if (name === 'Ubuntu') convertUbuntu(object, from, selects !== undefined);
  else if (!alias && name !== 'Custom')
    object.note(
      'todo',
      `amiFamily: v1 has no family ${name}; Custom is written instead, and its userData must contain the whole bootstrap`,
      field,
    );
  if (selects) return into.add(terms.take('amiSelectorTerms'));
  into.set('amiSelectorTerms', PLACEHOLDER, 'TODO: select the AMI');
  object.note(
    'todo',
    `amiSelectorTerms: v1 has no alias for ${name}; select the AMIs by id, name, tags or ssmParameter`,
    field,
  );
}

/** The family AL2 uses the same kind of user data, with other default block devices. */
function convertUbuntu(object: LegacyObject, from: Fields, selects: boolean): void {
  object.note(
    selects ? 'changed' : 'todo',
    'amiFamily: v1 has no family Ubuntu; AL2 is written instead, whose nodes use the same kind of user data',
  );
  if (!from.has('blockDeviceMappings'))
    from.set('blockDeviceMappings', [UBUNTU_DISK], 'the default of AMI family Ubuntu');
}
