import { YAMLSeq } from 'yaml';
import { LegacyObject } from './legacy-object';
import { AMI_ALIAS_FAMILIES } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';

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
export function moveAmis(object: LegacyObject, from: Fields, terms: Fields, into: Fields, defaultFamily: string): void {
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
