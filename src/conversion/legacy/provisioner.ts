import { LegacyObject, Successor } from './legacy-object';
import { convertAwsNodeTemplate } from './node-class';
import {
  moveNodeClassRef,
  moveNodeMetadata,
  moveTaints,
  setMissingNodeClassRef,
  setNodeClassRef,
} from './node-template';
import { newRoot } from './object-metadata';
import { addDefaultRequirements, moveRequirements } from './requirements';
import { NODE_POOL_API } from '../../contract';
import { Field, Fields } from '../yaml/fields';
import { jsonOf } from '../yaml/values';

/**
 * Converts a Provisioner of karpenter.sh/v1alpha5 to a NodePool, and its inline `provider`, if any, to an EC2NodeClass.
 *
 * Source: the v1beta1 migration guide, https://karpenter.sh/v0.32/upgrading/v1beta1-migration/
 *
 * @param newClassName returns an unused name for the inline node class
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
  object.commentOutRest(from, spec, 'spec.');
  const pool = { object, root: newRoot(NODE_POOL_API, object, spec), kubelet };
  return inlineClass ? [inlineClass, pool] : [pool];
}

function takeInlineClass(
  object: LegacyObject,
  from: Fields,
  newClassName: (name: string) => string,
): Successor | undefined {
  const provider = from.has('providerRef') ? undefined : from.takeInner('provider');
  if (!provider) return undefined;
  provider.take('apiVersion');
  provider.take('kind');
  const root = Fields.from({
    apiVersion: 'karpenter.k8s.aws/v1alpha1',
    kind: 'AWSNodeTemplate',
    metadata: { name: newClassName(object.name) },
  });
  root.set('spec', provider);
  return convertAwsNodeTemplate(object.withRoot(root));
}

function moveClass(object: LegacyObject, from: Fields, into: Fields, inlineClass: Successor | undefined): void {
  if (inlineClass) {
    const { name } = inlineClass.object;
    object.note('changed', `spec.provider becomes a separate EC2NodeClass: ${name}`);
    return setNodeClassRef(into, name);
  }
  moveNodeClassRef(object, from, 'providerRef', into);
  if (!into.has('nodeClassRef')) setMissingNodeClassRef(object, into);
}

/** Without `ttlSecondsUntilExpired`, nodes of a Provisioner never expired; those of a NodePool expire after 720h. */
function moveExpiry(object: LegacyObject, from: Fields, into: Fields): void {
  const field = from.find('ttlSecondsUntilExpired');
  const after = durationOf(field);
  if (!field || after === undefined) return into.set('expireAfter', 'Never');
  into.addChanged(from.take('ttlSecondsUntilExpired')!, 'expireAfter', after);
  object.note(
    'changed',
    `ttlSecondsUntilExpired becomes expireAfter: ${after}; v1 drains expired nodes at once and ignores disruption budgets`,
    field,
  );
}

/** Without `consolidation` and `ttlSecondsAfterEmpty`, a Provisioner never removed nodes to save cost. */
function toDisruption(object: LegacyObject, from: Fields): Fields {
  const disruption = Fields.empty();
  const consolidation = from.takeInner('consolidation');
  const enabled = consolidation?.find('enabled');
  const ttl = from.find('ttlSecondsAfterEmpty');
  const after = durationOf(ttl);
  if (consolidation?.json('enabled') === true) {
    disruption.addChanged(consolidation.take('enabled')!, 'consolidationPolicy', 'WhenEmptyOrUnderutilized');
    disruption.set('consolidateAfter', '0s');
    object.note('changed', 'consolidation.enabled becomes consolidationPolicy: WhenEmptyOrUnderutilized', enabled);
    if (ttl)
      object.commentOut(
        from.take('ttlSecondsAfterEmpty'),
        disruption,
        'ttlSecondsAfterEmpty has no effect together with consolidation',
      );
  } else {
    if (consolidation?.json('enabled') === false)
      disruption.addComment(consolidation.take('enabled')!.key.commentBefore);
    disruption.set('consolidationPolicy', 'WhenEmpty');
    if (ttl && after !== undefined)
      disruption.addChanged(from.take('ttlSecondsAfterEmpty')!, 'consolidateAfter', after);
    else disruption.set('consolidateAfter', 'Never');
    object.note(
      'changed',
      after === undefined
        ? 'consolidateAfter is Never: the Provisioner never removed nodes to save cost'
        : `ttlSecondsAfterEmpty becomes consolidationPolicy: WhenEmpty with consolidateAfter: ${after}`,
      ttl,
    );
  }
  if (consolidation) object.commentOutRest(consolidation, disruption, 'spec.consolidation.');
  return disruption;
}

function moveLimits(object: LegacyObject, from: Fields, into: Fields): void {
  const limits = from.takeInner('limits');
  if (!limits) return;
  const comment = limits.map.commentBefore;
  const resources = limits.takeInner('resources');
  if (resources && !resources.isEmpty) into.set('limits', resources);
  into.addComment(comment);
  object.commentOutRest(limits, into, 'spec.limits.');
}

/** Seconds as a Go duration without zero parts: `720h`, `1m30s`, `0s`. */
function formatSeconds(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  return (
    parts
      .filter(([amount]) => amount > 0)
      .map(([amount, unit]) => `${amount}${unit}`)
      .join('') || '0s'
  );
}

/** Go duration of a field that holds whole seconds; undefined for any other value. */
function durationOf(field: Field | undefined): string | undefined {
  const seconds = field && jsonOf(field.value);
  return Number.isSafeInteger(seconds) && (seconds as number) >= 0 ? formatSeconds(seconds as number) : undefined;
}
