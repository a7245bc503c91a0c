import { moveAmis } from './ami';
import { LegacyObject, Successor } from './legacy-object';
import { moveBlockDevices, moveIdentity, moveMetadataOptions, moveTags } from './node-class-settings';
import { newRoot } from './object-metadata';
import { AMI_SELECTOR, moveSelector, TAG_SELECTOR } from './tag-selector';
import { EC2_NODE_CLASS_API } from '../../contract';
import { Fields } from '../yaml/fields';

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
