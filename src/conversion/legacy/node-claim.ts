import { LegacyObject, Successor } from './legacy-object';
import { moveNodeClassRef } from './node-class-ref';
import { newRoot } from './object-metadata';
import { moveTaints } from './pool-template';
import { Label } from '../../model';
import { Fields } from '../yaml/fields';

const NODE_CLAIM_API = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim' } as const;

/** Nodes live as long as the pool said when they were launched; a claim that does not say so expires after 720h. */
export function takeExpiryOfPool(claim: Fields, pools: ReadonlyMap<string, Fields>): void {
  const pool = pools.get(claim.inner('metadata')?.inner('labels')?.text(Label.NODE_POOL) ?? '');
  const expireAfter = pool?.inner('spec')?.inner('template')?.inner('spec')?.plain('expireAfter');
  const spec = claim.inner('spec');
  if (expireAfter !== undefined && !spec?.has('expireAfter')) spec?.set('expireAfter', expireAfter);
}

/** A NodeClaim of v1beta1, or a Machine of v1alpha5, as a NodeClaim of v1. */
export function convertNodeClaim(object: LegacyObject): Successor {
  const from = object.spec;
  const spec = Fields.empty();
  moveNodeClassRef(object, from, object.kind === 'Machine' ? 'machineTemplateRef' : 'nodeClassRef', spec);
  if (from.has('requirements')) spec.add(from.take('requirements')); else spec.set('requirements', []);
  spec.add(from.take('resources'));
  moveTaints(from, spec);
  object.retire(from.take('kubelet'), spec, 'spec.kubelet is part of the EC2NodeClass now');
  object.moveNewFields(from, spec, ['expireAfter', 'terminationGracePeriod']);
  object.retireRest(from, spec, 'spec.');
  return { object, root: newRoot(NODE_CLAIM_API, object, spec) };
}
