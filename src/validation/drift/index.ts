import { lookupDrift } from './lookup-drift';
import { Claim, ObjectChange, ObjectChanges, WrittenPools } from './object-change';
import { staticDrift } from './static-drift';
import { asRecord, DriftReason } from '../../contract';
import { Label, Requirements, RequirementSpec } from '../../model';
import { textsOf } from '../cluster/state-node';
import { stateNodes } from '../cluster/state-nodes';
import { ManifestModel } from '../manifest/model';
import { PlainRecord, recordsOf, textOf } from '../manifest/records';

/** A node that was launched by what is not so any more. */
export interface NodeDrift {
  readonly node: string;
  readonly reason: DriftReason;
  /** Of the NodePool or the EC2NodeClass; empty where only the hash tells that something has changed. */
  readonly fields: readonly string[];
  /** False where it depends on what the terms of the fields find in AWS. */
  readonly certain: boolean;
}

/**
 * The nodes of the cluster that drift once the manifests are applied, as far as manifests and cluster decide it, in Karpenter's order of
 * reasons. A NodeClaim tells by its hashes what it was launched by, and an object of the cluster what a manifest changes.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#drift
 */
export function driftedNodes(model: ManifestModel): NodeDrift[] {
  const changes = new ObjectChanges(model);
  return stateNodes(model.cluster?.objects ?? []).flatMap(({ name, claim }) => claim ? driftOf(claim, name, changes, model.cluster) ?? [] : []);
}

/** A node of which nothing is known but what it was launched as. */
export interface LaunchedNode {
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What drifts whichever nodes a NodePool has that the manifests before have launched: whether requirements still hold they alone would tell. */
export function driftOfPool(nodePool: string, before: WrittenPools, after: WrittenPools): Omit<NodeDrift, 'node'> | undefined {
  const changes = new ObjectChanges({ ...after, cluster: { ...before, replaced: [] } });
  const pool = changes.of('NodePool', nodePool);
  const claim = { raw: { metadata: { labels: { [Label.NODE_POOL]: nodePool } } } };
  const fields = pool && staticDrift(pool, claim);
  if (fields) return { reason: 'NodePoolDrifted', fields, certain: true };
  const nodeClass = pool && classOf(pool, changes);
  const found = nodeClass && ofNodeClass(claim, '', nodeClass);
  return found && { reason: found.reason, fields: found.fields, certain: found.certain };
}

/** The same for nodes that were launched by the manifests before. */
export function driftOfLaunched(nodes: readonly LaunchedNode[], before: WrittenPools, after: WrittenPools): NodeDrift[] {
  const changes = new ObjectChanges({ ...after, cluster: { ...before, replaced: [] } });
  return nodes.flatMap(({ node, labels }) => driftOf({ raw: { metadata: { labels } } }, node, changes, undefined) ?? []);
}

/** @param node by which name Karpenter knows it: until it has joined that of its claim */
function driftOf(claim: Claim, node: string, changes: ObjectChanges, cluster: ManifestModel['cluster']): NodeDrift | undefined {
  const pool = changes.of('NodePool', textsOf(asRecord(claim.raw.metadata)?.labels)[Label.NODE_POOL] ?? '');
  if (!pool || !isLasting(claim)) return undefined;
  const fields = staticDrift(pool, claim);
  if (fields) return { node, reason: 'NodePoolDrifted', fields, certain: true };
  const conflict = requirementConflict(claim, node, pool, cluster);
  if (conflict !== undefined) return { node, reason: 'RequirementsDrifted', fields: [`spec.template.spec.requirements (${conflict})`], certain: true };
  const nodeClass = classOf(pool, changes);
  return nodeClass && ofNodeClass(claim, node, nodeClass);
}

function classOf({ after }: ObjectChange, changes: ObjectChanges): ObjectChange | undefined {
  return changes.of('EC2NodeClass', textOf(asRecord(templateOf(after)?.nodeClassRef)?.name));
}

/** Karpenter looks at none that is going, or not there yet. What does not tell is taken to be there. */
function isLasting({ raw }: Claim): boolean {
  const launched = recordsOf(asRecord(raw.status)?.conditions).find(({ type }) => type === 'Launched');
  return asRecord(raw.metadata)?.deletionTimestamp === undefined && (launched === undefined || launched.status === 'True');
}

function ofNodeClass(claim: Claim, node: string, change: ObjectChange): NodeDrift | undefined {
  const fields = staticDrift(change, claim);
  if (fields) return { node, reason: 'NodeClassDrift', fields, certain: true };
  const looked = change.fields
    .filter(({ drifts }) => drifts === 'where it finds something else')
    .map((field) => ({ field, likelihood: lookupDrift(field, change, claim) }));
  const found = looked.find(({ likelihood }) => likelihood === 'drifts') ?? looked.find(({ likelihood }) => likelihood === 'may drift');
  return found && { node, reason: found.field.reason, fields: [found.field.path], certain: found.likelihood === 'drifts' };
}

/** In Karpenter's words. A claim without the labels of its instance, as one that was written by hand, has those of its node. */
function requirementConflict(claim: Claim, node: string, { after }: ObjectChange, cluster: ManifestModel['cluster']): string | undefined {
  const own = textsOf(asRecord(claim.raw.metadata)?.labels);
  const labels = own[Label.INSTANCE_TYPE] === undefined ? { ...cluster?.nodes.find(({ name }) => name === node)?.labels, ...own } : own;
  const required = recordsOf(templateOf(after)?.requirements).filter(isRequirement);
  return Requirements.fromLabels(labels).compatible(Requirements.from(required));
}

/** The API server takes no other, such as one with a number that nobody has put in quotes: a finding says so. */
function isRequirement(record: PlainRecord): record is PlainRecord & RequirementSpec {
  const { key, operator, values = [] } = record;
  return typeof key === 'string' && typeof operator === 'string' && Array.isArray(values) && values.every((value) => typeof value === 'string');
}

function templateOf({ raw }: Claim) {
  return asRecord(asRecord(asRecord(raw.spec)?.template)?.spec);
}
