import { Claim, ObjectChange } from './object-change';

/**
 * The fields for which a node drifts that was launched before; empty where only a hash tells that something has changed. Undefined where
 * it does not drift.
 */
export function staticDrift(change: ObjectChange, claim: Claim): string[] | undefined {
  const launchedBy = change.hashOn(claim);
  const fields = change.fields.filter(({ drifts }) => drifts === 'always').map(({ path }) => path);
  const { hash } = change;
  if (launchedBy && hash && hash.version === launchedBy.version) return hash.hash === launchedBy.hash ? undefined : fields;
  const known = change.before && change.hashOn(change.before);
  // Karpenter compares no hashes that are made in two ways. When it comes to another way it writes anew what its nodes have, with the pool.
  if (launchedBy && hash && known?.version === hash.version) return undefined;
  const isBehind = known !== undefined && launchedBy !== undefined && known.version === launchedBy.version && known.hash !== launchedBy.hash;
  return isBehind || fields.length > 0 ? fields : undefined;
}
