import { Label } from '../../model';
import { Cluster, ClusterNode } from '../cluster';
import { drain } from './drain-node';
import { run } from './run';
import { ScenarioReport } from './scenario-report';
import { base, Stage } from './stage';
import { World } from './world';

/** What somebody deletes by hand. */
export interface DeletionTarget {
  readonly kind: 'node' | 'nodeclaim' | 'nodepool';
  readonly name: string;
}

/** There is nothing of the name. */
export class UnknownTargetError extends Error {}

/**
 * What `kubectl delete` of a Node, a NodeClaim or a NodePool comes to. Finalizers keep nodes until they are drained; of a NodePool
 * Kubernetes deletes the NodeClaims, all at once, and there is nobody to launch others of it.
 *
 * @param target every NodePool that has nodes, each by itself, unless given
 * @throws UnknownTargetError
 */
export function deletions(stage: Stage, target: DeletionTarget | undefined): ScenarioReport[] {
  const pools = [...new Set(stage.cluster.nodes.flatMap(({ labels, claim }) => claim ? labels[Label.NODE_POOL] ?? [] : []))].sort();
  if (!target) return pools.map((name) => deletionOfPool(name, stage));
  if (target.kind === 'nodepool') {
    const known = stage.cluster.scheduling.nodePools.map(({ name }) => name);
    if (!known.includes(target.name)) throw unknownTarget(target, known);
    return [deletionOfPool(target.name, stage)];
  }
  const named = ({ name, claim }: ClusterNode) => target.kind === 'node' ? name : claim && (claim.name ?? name);
  const node = stage.cluster.nodes.find((each) => named(each) === target.name);
  if (!node) throw unknownTarget(target, stage.cluster.nodes.flatMap((each) => named(each) ?? []));
  return [deletionOfNode(node, target, stage)];
}

function deletionOfNode(node: ClusterNode, { kind, name }: DeletionTarget, stage: Stage): ScenarioReport {
  const what = kind === 'node' ? `Node ${name}` : `NodeClaim ${name}`;
  const happen = (world: World) => {
    world.tell(`${what} is deleted`);
    // Without Karpenter's finalizer nothing waits for the pods.
    if (node.claim) drain(world, node.name, node.claim.terminationGracePeriod);
    else world.remove(node.name, 'is gone, and its pods with it');
  };
  return run({ ...base('deletion', stage, [{ at: stage.start, happen }]), subject: what });
}

function deletionOfPool(name: string, stage: Stage): ScenarioReport {
  const own = stage.cluster.nodes.filter(({ labels, claim, deleting }) => labels[Label.NODE_POOL] === name && claim && !deleting);
  const happen = (world: World) => {
    world.tell(`NodePool ${name} is deleted, and its NodeClaims with it`);
    world.cluster = withoutPool(world.cluster, name);
    for (const node of own) drain(world, node.name, node.claim!.terminationGracePeriod);
  };
  return run({ ...base('deletion', stage, [{ at: stage.start, happen }]), subject: `NodePool ${name}` });
}

function withoutPool(cluster: Cluster, gone: string): Cluster {
  const nodePools = cluster.scheduling.nodePools.filter(({ name }) => name !== gone);
  return {
    ...cluster,
    pools: new Map([...cluster.pools].filter(([name]) => name !== gone)),
    scheduling: { ...cluster.scheduling, nodePools },
  };
}

function unknownTarget({ kind, name }: DeletionTarget, known: readonly string[]): UnknownTargetError {
  const remedy = known.length === 0 ? 'there is none at all' : `write for example ${kind}/${known[0]}`;
  return new UnknownTargetError(`there is no such ${kind}, got ${JSON.stringify(name)}; ${remedy}`);
}
