import { ClusterLog } from './cluster-objects';
import { asRecord, DISRUPTED_TAINT, EC2_NODE_CLASS_API, NODE_CLAIM_API } from '../../contract';
import { Label, resourceAmount, ResourceList, Taint } from '../../model';
import { FieldReader } from '../manifest/field-reader';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../manifest/records';
import { readQuantity } from '../manifest/workload/pod-resources';

/** Taints that disappear while a node starts. */
const EPHEMERAL_TAINTS: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  { key: 'karpenter.sh/rebooting', effect: 'NoSchedule' },
];
const EPHEMERAL_TAINT_PREFIX = 'readiness.k8s.io/';
/** The taint that `kubectl cordon` and `kubectl drain` set. */
const CORDONED = 'node.kubernetes.io/unschedulable';

/**
 * A node of the cluster as Karpenter keeps it in its state: a Node, a NodeClaim, or both.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/state/statenode.go
 */
export class StateNode {
  public constructor(
    public readonly node: ManifestObject | undefined,
    public readonly claim: ManifestObject | undefined,
  ) {}

  public get name(): string {
    return (this.registered ? (this.node ?? this.claim) : this.claim)!.name;
  }

  public get labels(): Record<string, string> {
    return stringMapOf(this.primaryObject.raw.metadata?.labels);
  }

  /** Until a node is registered, Karpenter uses the NodeClaim's name, labels and taints. */
  public get registered(): boolean {
    return this.claim === undefined || this.hasLabel(Label.REGISTERED);
  }

  public get initialized(): boolean {
    return this.claim === undefined || this.hasLabel(Label.INITIALIZED);
  }

  /** While the node starts, its ephemeral and startup taints are left out. */
  public get taints(): Taint[] {
    const taints = taintsOf(this.primaryObject.raw.spec?.taints);
    if (this.claim === undefined || (this.initialized && !this.hasCondition('Rebooting'))) return taints;
    const startup = taintsOf(this.claim.raw.spec?.startupTaints);
    const ephemeral = [...EPHEMERAL_TAINTS, ...startup];
    return taints.filter(
      (taint) =>
        !taint.key.startsWith(EPHEMERAL_TAINT_PREFIX) && !ephemeral.some((candidate) => matches(taint, candidate)),
    );
  }

  /** All taints of the Node object, if there is one: Karpenter counts topology domains by these. */
  public get nodeObjectTaints(): Taint[] {
    return taintsOf(asRecord((this.node ?? this.primaryObject).raw.spec)?.taints);
  }

  /** A node that is being deleted takes no more pods, and its pods need another node. */
  public get markedForDeletion(): boolean {
    if (this.claim === undefined) return this.node?.raw.metadata?.deletionTimestamp !== undefined;
    const disrupted = taintsOf(this.node?.raw.spec?.taints).some(({ key }) => key === DISRUPTED_TAINT.key);
    return (
      this.claim.raw.metadata?.deletionTimestamp !== undefined || this.hasCondition('InstanceTerminating') || disrupted
    );
  }

  /** New pods are not scheduled to a cordoned node. */
  public get cordoned(): boolean {
    return taintsOf(this.node?.raw.spec?.taints).some(({ key }) => key === CORDONED);
  }

  /**
   * Undefined, with a logged problem, if the amounts cannot be read. Until the node is initialized, the NodeClaim fills
   * in missing amounts.
   */
  public amounts(field: 'capacity' | 'allocatable', log: ClusterLog): ResourceList | undefined {
    const reported = this.node && amountsOf(this.node, field, log);
    if (this.node && reported === undefined) return undefined;
    if (this.initialized || this.claim === undefined) return reported;
    const expected = amountsOf(this.claim, field, log);
    return (
      expected &&
      new Map([
        ...expected,
        ...[...(reported ?? [])].filter(([resource, amount]) => amount !== 0n || !expected.has(resource)),
      ])
    );
  }

  /**
   * The labels of the Node object, if `labels` come from the NodeClaim. Karpenter uses the Node's name if the hostname
   * label is missing.
   */
  public get nodeObjectLabels(): Record<string, string> | undefined {
    if (this.node === undefined || this.registered) return undefined;
    return { [Label.HOSTNAME]: this.node.name, ...stringMapOf(this.node.raw.metadata?.labels) };
  }

  /** The object whose labels and taints count. */
  private get primaryObject(): ManifestObject {
    return (this.registered ? this.node : undefined) ?? this.claim ?? this.node!;
  }

  private hasLabel(key: string): boolean {
    return this.node !== undefined && stringMapOf(this.node.raw.metadata?.labels)[key] === 'true';
  }

  private hasCondition(type: string): boolean {
    return recordsOf(this.claim?.raw.status?.conditions).some(
      (condition) => condition.type === type && condition.status === 'True',
    );
  }
}

function amountsOf(object: ManifestObject, field: string, log: ClusterLog): ResourceList | undefined {
  const reader = new FieldReader(object, log);
  const quantities = reader.record(['status', field], asRecord(object.raw.status)?.[field]);
  const amounts = new Map<string, bigint>();
  for (const [resource, value] of Object.entries(quantities ?? {})) {
    const quantity = readQuantity(reader, ['status', field, resource], value);
    if (quantity) amounts.set(resource, resourceAmount(resource, quantity));
  }
  return reader.invalid ? undefined : amounts;
}

function taintsOf(raw: unknown): Taint[] {
  return recordsOf(raw).flatMap(({ key, value, effect }: PlainRecord) =>
    typeof key === 'string' && typeof effect === 'string'
      ? [{ key, value: typeof value === 'string' ? value : undefined, effect: effect as Taint['effect'] }]
      : [],
  );
}

function matches(left: Taint, right: Taint): boolean {
  return left.key === right.key && left.effect === right.effect;
}

/**
 * All nodes of the cluster: Nodes and NodeClaims joined by their provider id. A NodeClaim counts once it has an
 * instance. A Node with a NodePool label counts once it has its instance type label or is initialized.
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
      const id = object.raw.status?.providerID;
      if (typeof id === 'string' && id !== '') claims.set(id, object);
    }
  }
  return [...new Set([...nodes.keys(), ...claims.keys()])].map((id) => new StateNode(nodes.get(id), claims.get(id)));
}

/** Names of NodeClaims without an instance. */
export function unlaunchedNodeClaims(objects: readonly ManifestObject[]): string[] {
  return objects.filter((object) => isNodeClaim(object) && !object.raw.status?.providerID).map(({ name }) => name);
}

/**
 * Names of Nodes with a NodePool label whose NodeClaim is not in the input. Only the NodeClaim shows whether Karpenter
 * manages the node, or for example EKS Auto Mode.
 */
export function nodesWithoutNodeClaim(objects: readonly ManifestObject[]): string[] {
  const claims = objects.filter(
    ({ kind, apiVersion }) => kind === NODE_CLAIM_API.kind && apiVersion === NODE_CLAIM_API.apiVersion,
  );
  const claimedIds = new Set(claims.map(({ raw }) => raw.status?.providerID));
  const hasNodePool = ({ raw }: ManifestObject) => stringMapOf(raw.metadata?.labels)[Label.NODE_POOL] !== undefined;
  return objects
    .filter((object) => object.apiVersion === 'v1' && object.kind === 'Node' && hasNodePool(object))
    .filter(({ raw }) => !claimedIds.has(raw.spec?.providerID))
    .map(({ name }) => name);
}

/**
 * NodeClaims of other node classes belong to another controller, such as EKS Auto Mode: Karpenter only sees their
 * Nodes.
 */
function isNodeClaim({ apiVersion, kind, raw }: ManifestObject): boolean {
  if (kind !== NODE_CLAIM_API.kind || apiVersion !== NODE_CLAIM_API.apiVersion) return false;
  const { group, kind: classKind } = asRecord(raw.spec?.nodeClassRef) ?? {};
  return (
    (group ?? EC2_NODE_CLASS_API.group) === EC2_NODE_CLASS_API.group &&
    (classKind ?? EC2_NODE_CLASS_API.kind) === EC2_NODE_CLASS_API.kind
  );
}

/** Undefined for a managed Node that has not joined the cluster completely. */
function nodeId(node: ManifestObject): string | undefined {
  const labels = stringMapOf(node.raw.metadata?.labels);
  const id = node.raw.spec?.providerID;
  const isManaged = (labels[Label.NODE_POOL] ?? '') !== '';
  if (isManaged && !labels[Label.INSTANCE_TYPE] && !labels[Label.INITIALIZED]) return undefined;
  if (typeof id === 'string' && id !== '') return id;
  return isManaged ? undefined : node.name;
}
