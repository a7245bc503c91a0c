import { lookupDrift } from './lookup-drift';
import { NodeClaimObject, ObjectChange, ObjectChanges, PoolManifests, staticDriftFields } from './object-change';
import { asRecord, DriftReason } from '../../contract';
import { Label, Requirements, RequirementSpec } from '../../model';
import { stateNodes } from '../cluster/state-nodes';
import { ManifestModel } from '../manifest/model';
import { PlainRecord, recordsOf, scalarText, stringMapOf } from '../manifest/records';

/** A node that no longer matches its NodePool or EC2NodeClass. */
export interface NodeDrift {
  readonly node: string;
  readonly reason: DriftReason;
  /** Field paths in the NodePool or the EC2NodeClass; empty if only the hash shows the change. */
  readonly fields: readonly string[];
  /** False if the answer depends on what the selector terms match in AWS. */
  readonly certain: boolean;
}

/**
 * The nodes of the cluster that drift once the manifests are applied, in Karpenter's order of reasons.
 *
 * The hashes on a NodeClaim say what it was launched from; the cluster's NodePools and EC2NodeClasses show what the
 * manifests change.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#drift
 */
export function driftedNodes(model: ManifestModel): NodeDrift[] {
  const changes = new ObjectChanges(model);
  return stateNodes(model.cluster?.objects ?? []).flatMap(({ name, claim }) =>
    claim ? (driftOf(claim, name, changes, model.cluster) ?? []) : [],
  );
}

/** A node that is known by its name and launch labels only. */
export interface LaunchedNode {
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The drift that affects every node of a NodePool that was launched from the old manifests. Requirements are not
 * compared: they depend on the labels of each node.
 */
export function driftOfPool(
  nodePool: string,
  before: PoolManifests,
  after: PoolManifests,
): Omit<NodeDrift, 'node'> | undefined {
  const changes = new ObjectChanges({ ...after, cluster: { ...before, replacedObjects: [] } });
  const pool = changes.of('NodePool', nodePool);
  const claim = { raw: { metadata: { labels: { [Label.NODE_POOL]: nodePool } } } };
  const fields = pool && staticDriftFields(pool, claim);
  if (fields) return { reason: 'NodePoolDrifted', fields, certain: true };
  const nodeClass = pool && nodeClassOf(pool, changes);
  const drift = nodeClass && nodeClassDrift(claim, '', nodeClass);
  return drift && { reason: drift.reason, fields: drift.fields, certain: drift.certain };
}

/** The drift of nodes that were launched from the old manifests. */
export function driftOfLaunchedNodes(
  nodes: readonly LaunchedNode[],
  before: PoolManifests,
  after: PoolManifests,
): NodeDrift[] {
  const changes = new ObjectChanges({ ...after, cluster: { ...before, replacedObjects: [] } });
  return nodes.flatMap(
    ({ node, labels }) => driftOf({ raw: { metadata: { labels } } }, node, changes, undefined) ?? [],
  );
}

/** @param node - Karpenter's name for the node: the name of its NodeClaim until it is registered */
function driftOf(
  claim: NodeClaimObject,
  node: string,
  changes: ObjectChanges,
  cluster: ManifestModel['cluster'],
): NodeDrift | undefined {
  const pool = changes.of('NodePool', stringMapOf(claim.raw.metadata?.labels)[Label.NODE_POOL] ?? '');
  if (!pool || !isDriftCandidate(claim)) return undefined;
  const fields = staticDriftFields(pool, claim);
  if (fields) return { node, reason: 'NodePoolDrifted', fields, certain: true };
  const conflict = requirementConflict(claim, node, pool, cluster);
  if (conflict !== undefined)
    return {
      node,
      reason: 'RequirementsDrifted',
      fields: [`spec.template.spec.requirements (${conflict})`],
      certain: true,
    };
  const nodeClass = nodeClassOf(pool, changes);
  return nodeClass && nodeClassDrift(claim, node, nodeClass);
}

function nodeClassOf({ after }: ObjectChange, changes: ObjectChanges): ObjectChange | undefined {
  return changes.of('EC2NodeClass', scalarText(asRecord(templateSpecOf(after)?.nodeClassRef)?.name));
}

/**
 * Karpenter skips NodeClaims that are being deleted or not launched yet. A NodeClaim without the condition counts as
 * launched.
 */
function isDriftCandidate({ raw }: NodeClaimObject): boolean {
  const launched = recordsOf(raw.status?.conditions).find(({ type }) => type === 'Launched');
  return raw.metadata?.deletionTimestamp === undefined && (launched === undefined || launched.status === 'True');
}

function nodeClassDrift(claim: NodeClaimObject, node: string, change: ObjectChange): NodeDrift | undefined {
  const fields = staticDriftFields(change, claim);
  if (fields) return { node, reason: 'NodeClassDrift', fields, certain: true };
  const lookups = change.fields
    .filter(({ drifts }) => drifts === 'if the lookup result differs')
    .map((field) => ({ field, likelihood: lookupDrift(field, change, claim) }));
  const lookup =
    lookups.find(({ likelihood }) => likelihood === 'drifts') ??
    lookups.find(({ likelihood }) => likelihood === 'may drift');
  return (
    lookup && {
      node,
      reason: lookup.field.reason,
      fields: [lookup.field.path],
      certain: lookup.likelihood === 'drifts',
    }
  );
}

/**
 * Karpenter's error text. A NodeClaim without instance labels, for example one written by hand, is judged by the labels
 * of its node.
 */
function requirementConflict(
  claim: NodeClaimObject,
  node: string,
  { after }: ObjectChange,
  cluster: ManifestModel['cluster'],
): string | undefined {
  const claimLabels = stringMapOf(claim.raw.metadata?.labels);
  const labels =
    claimLabels[Label.INSTANCE_TYPE] === undefined
      ? { ...cluster?.nodes.find(({ name }) => name === node)?.labels, ...claimLabels }
      : claimLabels;
  const required = recordsOf(templateSpecOf(after)?.requirements).filter(isRequirement);
  return Requirements.fromLabels(labels).compatible(Requirements.from(required));
}

/** False for requirements that the API server rejects, such as one with an unquoted number. A finding reports those. */
function isRequirement(record: PlainRecord): record is PlainRecord & RequirementSpec {
  const { key, operator, values = [] } = record;
  return (
    typeof key === 'string' &&
    typeof operator === 'string' &&
    Array.isArray(values) &&
    values.every((value) => typeof value === 'string')
  );
}

function templateSpecOf({ raw }: NodeClaimObject) {
  return asRecord(raw.spec?.template?.spec);
}
