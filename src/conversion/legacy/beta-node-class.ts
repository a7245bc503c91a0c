import { moveAmis } from './ami';
import { moveBlockDevices } from './block-devices';
import { moveIdentity, moveTags } from './class-settings';
import { LegacyObject, Successor } from './legacy-object';
import { moveMetadataOptions } from './metadata-options';
import { newRoot } from './object-metadata';
import { EC2_NODE_CLASS_API } from '../../contract';
import { Fields } from '../yaml/fields';

/**
 * An EC2NodeClass of karpenter.k8s.aws/v1beta1 as one of v1.
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
  object.retireRest(from, spec, 'spec.');
  return { object, root: newRoot(EC2_NODE_CLASS_API, object, spec) };
}
