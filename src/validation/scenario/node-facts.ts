import { asRecord, repairPolicyOf } from '../../contract';
import { ClaimFacts, ClusterNode, DEFAULT_START, Instant, NodeFault } from '../../disruption';
import { parseGoDuration } from '../../model';
import { StateNode, textsOf } from '../cluster/state-node';
import { stateNodes } from '../cluster/state-nodes';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf, textOf } from '../manifest/records';

type Facts = Pick<ClusterNode, 'annotations' | 'claim' | 'ready' | 'registered' | 'faults'>;

/** By the names that nodes go by, what is told of their lives. */
export function factsOfNodes(objects: readonly ManifestObject[]): ReadonlyMap<string, Facts> {
  return new Map(stateNodes(objects).map((machine) => [machine.name, factsOfNode(machine)]));
}

/** What the Node and the NodeClaim of a node that is there tell of its life. */
export function factsOfNode({ node, claim, registered }: Pick<StateNode, 'node' | 'claim' | 'registered'>): Facts {
  const shown = registered ? node ?? claim : claim;
  return {
    annotations: textsOf(asRecord(shown?.raw.metadata)?.annotations),
    ready: !conditions(node).some(({ type, status }) => type === 'Ready' && status !== 'True'),
    faults: faultsOf(node),
    registered,
    ...(claim ? { claim: claimFacts(claim) } : {}),
  };
}

/** No condition is older than its node. */
function faultsOf(node: ManifestObject | undefined): NodeFault[] {
  const created = momentOf(asRecord(node?.raw.metadata)?.creationTimestamp) ?? 0;
  return conditions(node).flatMap(({ type, status, reason, lastTransitionTime }) => {
    const policy = repairPolicyOf({ type: textOf(type), status: textOf(status), reason: textOf(reason ?? '') });
    return policy ? [{ since: Math.max(created, momentOf(lastTransitionTime) ?? 0), ...policy }] : [];
  });
}

/** When scenarios begin, unless something else is asked for: the cluster is as it was at the latest moment that it tells. */
export function startOf({ cluster }: ManifestModel): Instant {
  return latestMoment(cluster?.objects ?? []) ?? DEFAULT_START;
}

function latestMoment(objects: readonly ManifestObject[]): number | undefined {
  const times = objects.flatMap((object) => [
    asRecord(object.raw.metadata)?.creationTimestamp, asRecord(object.raw.status)?.startTime, asRecord(object.raw.status)?.lastPodEventTime,
    ...conditions(object).flatMap(({ lastTransitionTime, lastHeartbeatTime }) => [lastTransitionTime, lastHeartbeatTime]),
  ]).flatMap((text) => momentOf(text) ?? []);
  return times.length === 0 ? undefined : times.reduce((latest, time) => Math.max(latest, time));
}

function claimFacts(claim: ManifestObject): ClaimFacts {
  const { metadata, spec, status } = claim.raw as { metadata?: PlainRecord; spec?: PlainRecord; status?: PlainRecord };
  const isTrue = (wanted: string) => conditions(claim).find(({ type, status: value }) => type === wanted && value === 'True');
  const drifted = isTrue('Drifted');
  const createdAt = momentOf(metadata?.creationTimestamp) ?? 0;
  const deletedAt = momentOf(metadata?.deletionTimestamp);
  return {
    name: claim.name,
    createdAt,
    initializedAt: momentOf(isTrue('Initialized')?.lastTransitionTime),
    lastPodEventAt: momentOf(status?.lastPodEventTime),
    expireAfter: durationOf(spec?.expireAfter),
    terminationGracePeriod: durationOf(spec?.terminationGracePeriod),
    ...(deletedAt === undefined ? {} : { deletedAt }),
    ...(drifted ? { drifted: { reason: textOf(drifted.reason ?? ''), since: momentOf(drifted.lastTransitionTime) ?? createdAt } } : {}),
    instanceTerminating: isTrue('InstanceTerminating') !== undefined,
  };
}

function conditions(object: ManifestObject | undefined): PlainRecord[] {
  return [...recordsOf(asRecord(object?.raw.status)?.conditions)];
}

function momentOf(text: unknown): number | undefined {
  const moment = typeof text === 'string' ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

function durationOf(text: unknown): number | undefined {
  return typeof text === 'string' ? parseGoDuration(text) : undefined;
}
