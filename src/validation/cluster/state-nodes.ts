import { StateNode, textsOf } from './state-node';
import { asRecord, EC2_NODE_CLASS_API, NODE_CLAIM_API } from '../../contract';
import { Label } from '../../model';
import { ManifestObject } from '../manifest/model';

/**
 * Every machine of the cluster, Nodes and NodeClaims put together by what they say of the instance. A claim that has no
 * instance yet is none; a Node that Karpenter launched counts once it says what it is.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/state/cluster.go
 */
export function stateNodes(objects: readonly ManifestObject[]): StateNode[] {
  const nodes = new Map<string, ManifestObject>();
  const claims = new Map<string, ManifestObject>();
  for (const object of objects) {
    if (object.apiVersion === 'v1' && object.kind === 'Node') {
      const id = nodeId(object);
      if (id !== undefined) nodes.set(id, object);
    } else if (isNodeClaim(object)) {
      const id = asRecord(object.raw.status)?.providerID;
      if (typeof id === 'string' && id !== '') claims.set(id, object);
    }
  }
  return [...new Set([...nodes.keys(), ...claims.keys()])].map((id) => new StateNode(nodes.get(id), claims.get(id)));
}

/** NodeClaims that nothing has been launched for. */
export function unlaunchedClaims(objects: readonly ManifestObject[]): string[] {
  return objects.filter((object) => isNodeClaim(object) && !asRecord(object.raw.status)?.providerID).map(({ name }) => name);
}

/** Names of Nodes that were launched by a NodeClaim, whosever, which is not in the input: Karpenter's own can be told from others by it alone. */
export function claimlessNodes(objects: readonly ManifestObject[]): string[] {
  const claims = objects.filter(({ kind, apiVersion }) => kind === NODE_CLAIM_API.kind && apiVersion === NODE_CLAIM_API.apiVersion);
  const claimed = new Set(claims.map(({ raw }) => asRecord(raw.status)?.providerID));
  const isLaunched = ({ raw }: ManifestObject) => textsOf(asRecord(raw.metadata)?.labels)[Label.NODE_POOL] !== undefined;
  return objects.filter((object) => object.apiVersion === 'v1' && object.kind === 'Node' && isLaunched(object))
    .filter(({ raw }) => !claimed.has(asRecord(raw.spec)?.providerID)).map(({ name }) => name);
}

/** Those of another class are of somebody else, such as EKS Auto Mode: Karpenter sees their Nodes alone. */
function isNodeClaim({ apiVersion, kind, raw }: ManifestObject): boolean {
  if (kind !== NODE_CLAIM_API.kind || apiVersion !== NODE_CLAIM_API.apiVersion) return false;
  const { group, kind: classKind } = asRecord(asRecord(raw.spec)?.nodeClassRef) ?? {};
  return (group ?? EC2_NODE_CLASS_API.group) === EC2_NODE_CLASS_API.group && (classKind ?? EC2_NODE_CLASS_API.kind) === EC2_NODE_CLASS_API.kind;
}

function nodeId(node: ManifestObject): string | undefined {
  const labels = textsOf(asRecord(node.raw.metadata)?.labels);
  const id = asRecord(node.raw.spec)?.providerID;
  const managed = (labels[Label.NODE_POOL] ?? '') !== '';
  if (managed && !labels[Label.INSTANCE_TYPE] && !labels[Label.INITIALIZED]) return undefined;
  if (typeof id === 'string' && id !== '') return id;
  return managed ? undefined : node.name;
}
