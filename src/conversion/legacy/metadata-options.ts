import { LegacyObject } from './legacy-object';
import { metadataDefaults } from '../../contract';
import { Fields } from '../yaml/fields';

/**
 * Hop limit of a class without `metadataOptions`, before v1 made it 1: pods that are not on the host's network could
 * ask.
 */
const OLD_HOP_LIMIT = 2;

/**
 * Writes out what was not said, so that a change of defaults changes nothing.
 *
 * Sources: DefaultMetadataOptions, pkg/providers/amifamily/resolver.go of Karpenter for AWS 0.32, and the CRD of
 * karpenter.k8s.aws/v1beta1. Of options that a v1alpha1 object began and did not complete, EC2 filled in the rest.
 */
export function moveMetadataOptions(object: LegacyObject, from: Fields, into: Fields, version: 'v1alpha1' | 'v1beta1'): void {
  const field = from.take('metadataOptions');
  if (field) into.add(field); else into.set('metadataOptions', Fields.empty());
  const options = into.inner('metadataOptions');
  if (!options) return;
  const filledByEc2 = field !== undefined && version === 'v1alpha1';
  if (filledByEc2 && !options.has('httpTokens')) {
    object.note('todo', `metadataOptions.httpTokens: was optional by EC2's default, and is ${metadataDefaults().httpTokens} now; pods that use IMDSv1 need optional`, field);
  }
  if (!filledByEc2 && !options.has('httpPutResponseHopLimit')) {
    options.set('httpPutResponseHopLimit', OLD_HOP_LIMIT);
    object.note('changed', `metadataOptions.httpPutResponseHopLimit: ${OLD_HOP_LIMIT} was the default, and is written out; in v1 it is ${metadataDefaults().httpPutResponseHopLimit}`, field);
  }
  for (const [name, value] of Object.entries(metadataDefaults())) if (!options.has(name)) options.set(name, value);
}
