import { moveAmis } from './ami';
import { moveBlockDevices } from './block-devices';
import { moveIdentity, moveTags } from './class-settings';
import { LegacyObject, Successor } from './legacy-object';
import { moveMetadataOptions } from './metadata-options';
import { newRoot } from './object-metadata';
import { AMI_SELECTOR, moveSelector, PLAIN_SELECTOR } from './tag-selector';
import { EC2_NODE_CLASS_API } from '../../contract';
import { Fields } from '../yaml/fields';

/**
 * An AWSNodeTemplate of karpenter.k8s.aws/v1alpha1 as an EC2NodeClass.
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
  for (const name of ['subnetSelector', 'securityGroupSelector']) moveSelector(object, from, name, spec, PLAIN_SELECTOR);
  moveBlockDevices(from, spec);
  moveMetadataOptions(object, from, spec, 'v1alpha1');
  spec.add(from.take('userData'));
  moveTags(object, from, spec);
  for (const name of ['detailedMonitoring', 'context']) spec.add(from.take(name));
  object.retire(launchTemplate, spec, 'launchTemplate: a launch template of your own is not supported any more; say its settings here', 'todo');
  object.retireRest(from, spec, 'spec.');
  return { object, root: newRoot(EC2_NODE_CLASS_API, object, spec) };
}
