import { convertAwsNodeTemplate } from './aws-node-template';
import { durationOf } from './durations';
import { LegacyObject, Successor } from './legacy-object';
import { moveNodeClassRef, setMissingNodeClassRef, setNodeClassRef } from './node-class-ref';
import { newRoot } from './object-metadata';
import { moveNodeMetadata, moveTaints } from './pool-template';
import { addDefaultRequirements, moveRequirements } from './requirements';
import { NODE_POOL_API } from '../../contract';
import { Fields } from '../yaml/fields';

/**
 * A Provisioner of karpenter.sh/v1alpha5 as a NodePool, and where it holds the settings of its instances itself, an
 * EC2NodeClass besides.
 *
 * Source: the v1beta1 migration guide, https://karpenter.sh/v0.32/upgrading/v1beta1-migration/
 *
 * @param newClassName name for a class that the Provisioner has inline
 */
export function convertProvisioner(object: LegacyObject, newClassName: (name: string) => string): Successor[] {
  const from = object.spec;
  const inlineClass = takeInlineClass(object, from, newClassName);
  const spec = Fields.empty();
  const templateSpec = Fields.empty();
  const template = Fields.empty();
  const metadata = Fields.empty();
  moveNodeMetadata(object, from, metadata);
  template.setUnlessEmpty('metadata', metadata);
  template.set('spec', templateSpec);
  spec.set('template', template);
  moveClass(object, from, templateSpec, inlineClass);
  moveRequirements(object, from, templateSpec);
  addDefaultRequirements(object, templateSpec);
  moveTaints(from, templateSpec);
  const kubelet = from.takeInner('kubeletConfiguration');
  moveExpiry(object, from, templateSpec);
  spec.set('disruption', toDisruption(object, from));
  moveLimits(object, from, spec);
  spec.add(from.take('weight'));
  object.retireRest(from, spec, 'spec.');
  const pool = { object, root: newRoot(NODE_POOL_API, object, spec), kubelet };
  return inlineClass ? [inlineClass, pool] : [pool];
}

function takeInlineClass(object: LegacyObject, from: Fields, newClassName: (name: string) => string): Successor | undefined {
  const provider = from.has('providerRef') ? undefined : from.takeInner('provider');
  if (!provider) return undefined;
  provider.take('apiVersion');
  provider.take('kind');
  const root = Fields.from({ apiVersion: 'karpenter.k8s.aws/v1alpha1', kind: 'AWSNodeTemplate', metadata: { name: newClassName(object.name) } });
  root.set('spec', provider);
  return convertAwsNodeTemplate(object.withRoot(root));
}

function moveClass(object: LegacyObject, from: Fields, into: Fields, inlineClass: Successor | undefined): void {
  if (inlineClass) {
    const { name } = inlineClass.object;
    object.note('changed', `spec.provider is an EC2NodeClass of its own now: ${name}`);
    return setNodeClassRef(into, name);
  }
  moveNodeClassRef(object, from, 'providerRef', into);
  if (!into.has('nodeClassRef')) setMissingNodeClassRef(object, into);
}

/** Without a time, nodes of a Provisioner never expired; those of a NodePool do after 720h. */
function moveExpiry(object: LegacyObject, from: Fields, into: Fields): void {
  const field = from.find('ttlSecondsUntilExpired');
  const after = durationOf(field);
  if (!field || after === undefined) return into.set('expireAfter', 'Never');
  into.addChanged(from.take('ttlSecondsUntilExpired')!, 'expireAfter', after);
  object.note('changed', `ttlSecondsUntilExpired is expireAfter: ${after}; in v1 an expired node is drained at once, whatever the disruption budgets say`, field);
}

/** Without `consolidation` and `ttlSecondsAfterEmpty`, a Provisioner removed no node that it could do without. */
function toDisruption(object: LegacyObject, from: Fields): Fields {
  const disruption = Fields.empty();
  const consolidation = from.takeInner('consolidation');
  const enabled = consolidation?.find('enabled');
  const ttl = from.find('ttlSecondsAfterEmpty');
  const after = durationOf(ttl);
  if (consolidation?.plain('enabled') === true) {
    disruption.addChanged(consolidation.take('enabled')!, 'consolidationPolicy', 'WhenEmptyOrUnderutilized');
    disruption.set('consolidateAfter', '0s');
    object.note('changed', 'consolidation.enabled is consolidationPolicy: WhenEmptyOrUnderutilized', enabled);
    if (ttl) object.retire(from.take('ttlSecondsAfterEmpty'), disruption, 'ttlSecondsAfterEmpty was without effect beside consolidation');
  } else {
    if (consolidation?.plain('enabled') === false) disruption.addComment(consolidation.take('enabled')!.key.commentBefore);
    disruption.set('consolidationPolicy', 'WhenEmpty');
    if (ttl && after !== undefined) disruption.addChanged(from.take('ttlSecondsAfterEmpty')!, 'consolidateAfter', after);
    else disruption.set('consolidateAfter', 'Never');
    object.note('changed', after === undefined ? 'nodes were never removed to save cost: consolidateAfter is Never'
      : `ttlSecondsAfterEmpty is consolidationPolicy: WhenEmpty with consolidateAfter: ${after}`, ttl);
  }
  if (consolidation) object.retireRest(consolidation, disruption, 'spec.consolidation.');
  return disruption;
}

function moveLimits(object: LegacyObject, from: Fields, into: Fields): void {
  const limits = from.takeInner('limits');
  if (!limits) return;
  const comment = limits.map.commentBefore;
  const resources = limits.takeInner('resources');
  if (resources && !resources.isEmpty) into.set('limits', resources);
  into.addComment(comment);
  object.retireRest(limits, into, 'spec.limits.');
}
