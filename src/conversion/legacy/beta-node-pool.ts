import { LegacyObject, Successor } from './legacy-object';
import { moveNodeClassRef, moveNodeMetadata, moveTaints, setMissingNodeClassRef } from './node-template';
import { newRoot } from './object-metadata';
import { moveRequirements } from './requirements';
import { disruptionDefaults, NODE_POOL_API } from '../../contract';
import { Fields, scalarOf } from '../yaml/fields';

/**
 * Converts a NodePool of karpenter.sh/v1beta1 to v1.
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
  object.commentOutRest(oldMetadata, metadata, 'spec.template.metadata.');
  template.setUnlessEmpty('metadata', metadata);
  template.set('spec', templateSpec);
  spec.set('template', template);
  moveNodeClassRef(object, oldSpec, 'nodeClassRef', templateSpec);
  if (!templateSpec.has('nodeClassRef')) setMissingNodeClassRef(object, templateSpec);
  moveRequirements(object, oldSpec, templateSpec);
  moveTaints(oldSpec, templateSpec);
  const kubelet = oldSpec.takeInner('kubelet');
  moveExpiry(object, disruption, templateSpec);
  object.moveV1Fields(oldSpec, templateSpec, ['expireAfter', 'terminationGracePeriod']);
  object.commentOut(oldSpec.take('resources'), templateSpec, 'spec.template.spec.resources never had an effect');
  object.commentOutRest(oldSpec, templateSpec, 'spec.template.spec.');
  object.commentOutRest(oldTemplate, template, 'spec.template.');
  moveDisruption(object, disruption, spec);
  for (const name of ['limits', 'weight']) spec.add(from.take(name));
  object.moveV1Fields(from, spec, ['replicas']);
  object.commentOutRest(from, spec, 'spec.');
  return { object, root: newRoot(NODE_POOL_API, object, spec), kubelet };
}

function moveExpiry(object: LegacyObject, disruption: Fields | undefined, into: Fields): void {
  const field = disruption?.take('expireAfter');
  if (!field) return;
  into.add(field);
  object.note(
    'changed',
    'disruption.expireAfter moves to template.spec.expireAfter; v1 drains expired nodes at once and ignores disruption budgets',
    field,
  );
}

/**
 * Moves `disruption`. Karpenter before 1.15 rejects a `disruption` without `consolidateAfter`, so it is always written.
 */
function moveDisruption(object: LegacyObject, from: Fields | undefined, into: Fields): void {
  if (!from) return;
  const disruption = Fields.empty();
  const policy = from.take('consolidationPolicy');
  if (policy && scalarOf(policy) !== 'WhenUnderutilized') {
    disruption.add(policy);
  } else if (policy || !from.isEmpty) {
    disruption.addOrSet(policy, 'consolidationPolicy', disruptionDefaults().consolidationPolicy);
    if (policy)
      object.note(
        'changed',
        `consolidationPolicy: WhenUnderutilized becomes ${disruptionDefaults().consolidationPolicy}`,
        policy,
      );
  }
  if (from.has('consolidateAfter')) disruption.add(from.take('consolidateAfter'));
  else if (!disruption.isEmpty) disruption.set('consolidateAfter', disruptionDefaults().consolidateAfter);
  disruption.add(from.take('budgets'));
  object.commentOutRest(from, disruption, 'spec.disruption.');
  into.setUnlessEmpty('disruption', disruption);
}
