import { LegacyObject, Successor } from './legacy-object';
import { moveNodeClassRef, moveTaints } from './node-template';
import { newRoot } from './object-metadata';
import { Label } from '../../model';
import { Fields } from '../yaml/fields';

const NODE_CLAIM_API = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim' } as const;

/** Copies `expireAfter` from the pool: a v1 NodeClaim without it would expire after the default of 720h. */
export function inheritExpireAfter(claim: Fields, pools: ReadonlyMap<string, Fields>): void {
  const pool = pools.get(claim.inner('metadata')?.inner('labels')?.text(Label.NODE_POOL) ?? '');
  const expireAfter = pool?.inner('spec')?.inner('template')?.inner('spec')?.json('expireAfter');
  const spec = claim.inner('spec');
  if (expireAfter !== undefined && !spec?.has('expireAfter')) spec?.set('expireAfter', expireAfter);
}

/** Converts a NodeClaim of v1beta1 or a Machine of v1alpha5 to a NodeClaim of v1. */
export function convertNodeClaim(object: LegacyObject): Successor {
  const from = object.spec;
  const spec = Fields.empty();
  moveNodeClassRef(object, from, object.kind === 'Machine' ? 'machineTemplateRef' : 'nodeClassRef', spec);
  if (from.has('requirements')) spec.add(from.take('requirements'));
  else spec.set('requirements', []);
  spec.add(from.take('resources'));
  moveTaints(from, spec);
  object.commentOut(from.take('kubelet'), spec, 'spec.kubelet belongs to the EC2NodeClass in v1');
  object.moveV1Fields(from, spec, ['expireAfter', 'terminationGracePeriod']);
  object.commentOutRest(from, spec, 'spec.');
  return { object, root: newRoot(NODE_CLAIM_API, object, spec) };
}
