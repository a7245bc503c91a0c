import { YAMLSeq } from 'yaml';
import { LegacyObject } from './legacy-object';
import { AMI_ALIAS_FAMILIES } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(AMI_ALIAS_FAMILIES).map(([alias, family]) => [family, alias]));

/** Of an image that only a person can choose. No image has this id, so that a class with it launches nothing. */
const PLACEHOLDER = [{ id: 'ami-placeholder' }];

/** The disk that Karpenter gave to nodes of the family Ubuntu, and gives to no other family. */
const UBUNTU_DISK = { deviceName: '/dev/sda1', rootVolume: true, ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' } };

/**
 * Says the AMI family and its images as v1 does: by an alias where the class selected no images of its own.
 *
 * Source: EC2NodeClass.ConvertFrom, pkg/apis/v1/ec2nodeclass_conversion.go of Karpenter for AWS 1.0.
 *
 * @param terms holds `amiSelectorTerms`, or nothing
 * @param defaultFamily of a class that names none
 */
export function moveAmis(object: LegacyObject, from: Fields, terms: Fields, into: Fields, defaultFamily: string): void {
  const field = from.take('amiFamily');
  const name = scalarOf(field) ?? defaultFamily;
  const alias = ALIASES.get(name);
  into.addComment(terms.map.comment);
  const selects = (terms.find('amiSelectorTerms')?.value as YAMLSeq | undefined)?.items.length;
  if (alias && !selects) {
    const holder = Fields.empty();
    holder.addRenewed(field, 'amiSelectorTerms', [{ alias: `${alias}@latest` }]);
    into.add(holder.take('amiSelectorTerms'));
    const moved = `${field ? `amiFamily: ${name}` : `the default amiFamily ${name}`} is the alias ${alias}@latest`;
    if (name !== 'AL2') return object.note('changed', moved, field);
    return object.note('todo', `${moved}; EKS publishes no AMI of Amazon Linux 2 for Kubernetes 1.33 and newer: write al2023@latest there`, field);
  }
  into.addRenewed(field, 'amiFamily', alias ? name : name === 'Ubuntu' ? 'AL2' : 'Custom');
  if (name === 'Ubuntu') convertUbuntu(object, from, selects !== undefined);
  else if (!alias && name !== 'Custom') object.note('todo', `amiFamily: there is no family ${name}; Custom takes its place, with which userData must do everything`, field);
  if (selects) return into.add(terms.take('amiSelectorTerms'));
  into.set('amiSelectorTerms', PLACEHOLDER, 'TODO: select the AMI');
  object.note('todo', `amiSelectorTerms: no alias stands for images of ${name}; select them by id, name, tags or ssmParameter`, field);
}

/** AL2 has the same kind of user data, and other disks. */
function convertUbuntu(object: LegacyObject, from: Fields, selects: boolean): void {
  object.note(selects ? 'changed' : 'todo', 'amiFamily: Ubuntu is gone; nodes with Ubuntu images take the user data of AL2');
  if (!from.has('blockDeviceMappings')) from.set('blockDeviceMappings', [UBUNTU_DISK], 'the default of the family Ubuntu');
}
