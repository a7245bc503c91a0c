import { Label } from '../../../model';
import { ClusterNode } from '../../cluster';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { ClusterConfig } from '../cluster/snapshots';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';

/** An object that is deleted by hand. */
export interface DeletionTarget {
  readonly kind: 'node' | 'nodeclaim' | 'nodepool';
  readonly name: string;
}

/** The object to delete does not exist. */
export class UnknownTargetError extends Error {}

/**
 * The effect of `kubectl delete` on a Node, a NodeClaim or a NodePool. Finalizers keep nodes until they are drained.
 * With a NodePool, Kubernetes deletes all of its NodeClaims at once.
 *
 * @param target @default - each NodePool that has nodes, on its own
 * @throws UnknownTargetError
 */
export function deletions(start: ScenarioStart, target: DeletionTarget | undefined): ScenarioReport[] {
  const {
    nodes,
    scheduling: { nodePools },
  } = start.baseline.cluster;
  const poolsWithNodes = [
    ...new Set(nodes.flatMap(({ labels, claim }) => (claim ? (labels[Label.NODE_POOL] ?? []) : []))),
  ].sort();
  if (!target) return poolsWithNodes.map((name) => nodePoolDeletion(name, start));
  if (target.kind === 'nodepool') {
    const poolNames = nodePools.map(({ name }) => name);
    if (!poolNames.includes(target.name)) throw unknownTarget(target, poolNames);
    return [nodePoolDeletion(target.name, start)];
  }
  const objectName = ({ name, claim }: ClusterNode) => (target.kind === 'node' ? name : claim && (claim.name ?? name));
  const node = nodes.find((candidate) => objectName(candidate) === target.name);
  if (!node)
    throw unknownTarget(
      target,
      nodes.flatMap((candidate) => objectName(candidate) ?? []),
    );
  return [nodeDeletion(node, target, start)];
}

function nodeDeletion(node: ClusterNode, { kind, name }: DeletionTarget, start: ScenarioStart): ScenarioReport {
  const subject = kind === 'node' ? `Node ${name}` : `NodeClaim ${name}`;
  const apply = (cluster: SimulatedCluster) => {
    cluster.recordEvent(`${subject} is deleted`);
    // Without Karpenter's finalizer, nothing waits for the pods.
    if (node.claim) cluster.startDraining(node.name, node.claim.terminationGracePeriod);
    else cluster.removeNode(node.name, 'is terminated, and its pods with it');
  };
  return simulateFrom(start, { scenario: 'deletion', subject, events: [{ at: start.start, apply }] });
}

function nodePoolDeletion(name: string, start: ScenarioStart): ScenarioReport {
  const poolNodes = start.baseline.cluster.nodes.filter(
    ({ labels, claim, deleting }) => labels[Label.NODE_POOL] === name && claim && !deleting,
  );
  const apply = (cluster: SimulatedCluster) => {
    cluster.recordEvent(`NodePool ${name} is deleted, and its NodeClaims with it`);
    cluster.config = withoutPool(cluster.config, name);
    for (const node of poolNodes) cluster.startDraining(node.name, node.claim!.terminationGracePeriod);
  };
  return simulateFrom(start, {
    scenario: 'deletion',
    subject: `NodePool ${name}`,
    events: [{ at: start.start, apply }],
  });
}

function withoutPool(config: ClusterConfig, deleted: string): ClusterConfig {
  const nodePools = config.scheduling.nodePools.filter(({ name }) => name !== deleted);
  return {
    ...config,
    pools: new Map([...config.pools].filter(([name]) => name !== deleted)),
    scheduling: { ...config.scheduling, nodePools },
  };
}

function unknownTarget({ kind, name }: DeletionTarget, existingNames: readonly string[]): UnknownTargetError {
  const remedy =
    existingNames.length === 0 ? `the cluster has no ${kind}` : `write for example ${kind}/${existingNames[0]}`;
  return new UnknownTargetError(`there is no ${kind} ${JSON.stringify(name)}; ${remedy}`);
}
