import { LegacyObject, Successor } from './legacy-object';
import { moveNodeClassRef, setMissingNodeClassRef } from './node-class-ref';
import { newRoot } from './object-metadata';
import { moveNodeMetadata, moveTaints } from './pool-template';
import { moveRequirements } from './requirements';
import { disruptionDefaults, NODE_POOL_API } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';

/**
 * A NodePool of karpenter.sh/v1beta1 as one of v1.
 *
 * Source: the v1 migration guide, https://karpenter.sh/v1.0/upgrading/v1-migration/
 */
export function convertBetaNodePool(object: LegacyObject): Successor {
  const from = object.spec;
  const oldTemplate = from.takeInner('template') ?? Fields.empty();
  const oldSpec = oldTemplate.takeInner('spec') ?? Fields.empty();
  const oldMetadata = oldTemplate.takeInner('metadata') ?? Fields.empty();
  const disruption = from.takeInner('disruption');
  const spec = Fields.empty();
  const template = Fields.empty();
  const templateSpec = Fields.empty();
  const metadata = Fields.empty();
  moveNodeMetadata(object, oldMetadata, metadata);
  object.retireRest(oldMetadata, metadata, 'spec.template.metadata.');
  template.setUnlessEmpty('metadata', metadata);
  template.set('spec', templateSpec);
  spec.set('template', template);
  moveNodeClassRef(object, oldSpec, 'nodeClassRef', templateSpec);
  if (!templateSpec.has('nodeClassRef')) setMissingNodeClassRef(object, templateSpec);
  moveRequirements(object, oldSpec, templateSpec);
  moveTaints(oldSpec, templateSpec);
  const kubelet = oldSpec.takeInner('kubelet');
  moveExpiry(object, disruption, templateSpec);
  object.moveNewFields(oldSpec, templateSpec, ['expireAfter', 'terminationGracePeriod']);
  object.retire(oldSpec.take('resources'), templateSpec, 'spec.template.spec.resources never had an effect');
  object.retireRest(oldSpec, templateSpec, 'spec.template.spec.');
  object.retireRest(oldTemplate, template, 'spec.template.');
  moveDisruption(object, disruption, spec);
  for (const name of ['limits', 'weight']) spec.add(from.take(name));
  object.moveNewFields(from, spec, ['replicas']);
  object.retireRest(from, spec, 'spec.');
  return { object, root: newRoot(NODE_POOL_API, object, spec), kubelet };
}

function moveExpiry(object: LegacyObject, disruption: Fields | undefined, into: Fields): void {
  const field = disruption?.take('expireAfter');
  if (!field) return;
  into.add(field);
  object.note('changed', 'disruption.expireAfter is template.spec.expireAfter; in v1 an expired node is drained at once, whatever the disruption budgets say', field);
}

/** Releases before 1.15 refuse a written `disruption` without `consolidateAfter`. */
function moveDisruption(object: LegacyObject, from: Fields | undefined, into: Fields): void {
  if (!from) return;
  const disruption = Fields.empty();
  const policy = from.take('consolidationPolicy');
  if (policy && scalarOf(policy) !== 'WhenUnderutilized') {
    disruption.add(policy);
  } else if (policy || !from.isEmpty) {
    disruption.addRenewed(policy, 'consolidationPolicy', disruptionDefaults().consolidationPolicy);
    if (policy) object.note('changed', `consolidationPolicy: WhenUnderutilized is ${disruptionDefaults().consolidationPolicy}`, policy);
  }
  if (from.has('consolidateAfter')) disruption.add(from.take('consolidateAfter'));
  else if (!disruption.isEmpty) disruption.set('consolidateAfter', disruptionDefaults().consolidateAfter);
  disruption.add(from.take('budgets'));
  object.retireRest(from, disruption, 'spec.disruption.');
  into.setUnlessEmpty('disruption', disruption);
}
