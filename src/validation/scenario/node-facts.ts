import { repairPolicyOf } from '../../contract';
import { ClaimFacts, ClusterNode, DEFAULT_START, Instant, NodeFault } from '../../disruption';
import { parseGoDuration } from '../../model';
import { StateNode, stateNodes } from '../cluster/state-nodes';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { stringMapOf, PlainRecord, recordsOf, scalarText } from '../manifest/records';

type NodeFacts = Pick<ClusterNode, 'annotations' | 'claim' | 'ready' | 'registered' | 'faults'>;

/** Lifecycle facts of the nodes in the cluster files, by node name. */
export function nodeFactsByName(objects: readonly ManifestObject[]): ReadonlyMap<string, NodeFacts> {
  return new Map(stateNodes(objects).map((machine) => [machine.name, nodeFacts(machine)]));
}

/** Lifecycle facts of one node. Until the Node is registered, its NodeClaim is authoritative. */
export function nodeFacts({ node, claim, registered }: Pick<StateNode, 'node' | 'claim' | 'registered'>): NodeFacts {
  const authoritative = registered ? (node ?? claim) : claim;
  return {
    annotations: stringMapOf(authoritative?.raw.metadata?.annotations),
    ready: !conditions(node).some(({ type, status }) => type === 'Ready' && status !== 'True'),
    faults: faultsOf(node),
    registered,
    ...(claim ? { claim: claimFacts(claim) } : {}),
  };
}

/** A condition counts from its last transition, but never from before its node was created. */
function faultsOf(node: ManifestObject | undefined): NodeFault[] {
  const created = instantOf(node?.raw.metadata?.creationTimestamp) ?? 0;
  return conditions(node).flatMap(({ type, status, reason, lastTransitionTime }) => {
    const policy = repairPolicyOf({
      type: scalarText(type),
      status: scalarText(status),
      reason: scalarText(reason ?? ''),
    });
    return policy ? [{ since: Math.max(created, instantOf(lastTransitionTime) ?? 0), ...policy }] : [];
  });
}

/** The default start of scenarios: the latest time in the cluster files. */
export function scenarioStartOf({ cluster }: ManifestModel): Instant {
  return latestTimestamp(cluster?.objects ?? []) ?? DEFAULT_START;
}

function latestTimestamp(objects: readonly ManifestObject[]): number | undefined {
  const times = objects
    .flatMap((object) => [
      object.raw.metadata?.creationTimestamp,
      object.raw.status?.startTime,
      object.raw.status?.lastPodEventTime,
      ...conditions(object).flatMap(({ lastTransitionTime, lastHeartbeatTime }) => [
        lastTransitionTime,
        lastHeartbeatTime,
      ]),
    ])
    .flatMap((text) => instantOf(text) ?? []);
  return times.length === 0 ? undefined : times.reduce((latest, time) => Math.max(latest, time));
}

function claimFacts(claim: ManifestObject): ClaimFacts {
  const { metadata, spec, status } = claim.raw as { metadata?: PlainRecord; spec?: PlainRecord; status?: PlainRecord };
  const trueCondition = (name: string) =>
    conditions(claim).find(({ type, status: value }) => type === name && value === 'True');
  const drifted = trueCondition('Drifted');
  const createdAt = instantOf(metadata?.creationTimestamp) ?? 0;
  const deletedAt = instantOf(metadata?.deletionTimestamp);
  return {
    name: claim.name,
    createdAt,
    initializedAt: instantOf(trueCondition('Initialized')?.lastTransitionTime),
    lastPodEventAt: instantOf(status?.lastPodEventTime),
    expireAfter: durationOf(spec?.expireAfter),
    terminationGracePeriod: durationOf(spec?.terminationGracePeriod),
    ...(deletedAt === undefined ? {} : { deletedAt }),
    ...(drifted
      ? {
          drifted: {
            reason: scalarText(drifted.reason ?? ''),
            since: instantOf(drifted.lastTransitionTime) ?? createdAt,
          },
        }
      : {}),
    instanceTerminating: trueCondition('InstanceTerminating') !== undefined,
  };
}

function conditions(object: ManifestObject | undefined): PlainRecord[] {
  return [...recordsOf(object?.raw.status?.conditions)];
}

function instantOf(text: unknown): number | undefined {
  const instant = typeof text === 'string' ? Date.parse(text) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

function durationOf(text: unknown): number | undefined {
  return typeof text === 'string' ? parseGoDuration(text) : undefined;
}

/** Karpenter deletes a NodeClaim that has not registered for so long, in milliseconds. */
const REGISTRATION_TIMEOUT = 15 * 60_000;

/**
 * The node as the scenario starts. A node that is still starting is initialized by then, like the nodes that are
 * launched for pending pods.
 *
 * @param now of the cluster files; a node that exceeds the registration timeout stays as it is
 * @param start of the scenario
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeclaim/lifecycle/liveness.go
 */
export function initializedAtStart(node: ClusterNode, now: Instant, start: Instant): ClusterNode {
  const { claimOnly, nodeObjectTaints, nodeObjectLabels, ...up } = node;
  if (node.initialized || !up.claim || now - up.claim.createdAt > REGISTRATION_TIMEOUT) return node;
  return {
    ...up,
    labels: { ...nodeObjectLabels, ...up.labels },
    initialized: true,
    registered: true,
    ready: true,
    faults: [],
    claim: { ...up.claim, initializedAt: start },
  };
}
