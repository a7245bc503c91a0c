import { ClusterLog } from './cluster-log';
import { asRecord, DISRUPTED_TAINT } from '../../contract';
import { Label, resourceAmount, ResourceList, Taint } from '../../model';
import { readQuantity } from '../manifest/container-resources';
import { FieldReader } from '../manifest/field-reader';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

/** Taints that a node loses on its way up. */
const EPHEMERAL: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  { key: 'karpenter.sh/rebooting', effect: 'NoSchedule' },
];
const EPHEMERAL_PREFIX = 'readiness.k8s.io/';
/** Of a node that `kubectl cordon` or `kubectl drain` has been told of. */
const CORDONED = 'node.kubernetes.io/unschedulable';

/**
 * A machine of the cluster: its Node, its NodeClaim, or both.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/state/statenode.go
 */
export class StateNode {
  public constructor(public readonly node: ManifestObject | undefined, public readonly claim: ManifestObject | undefined) {}

  public get name(): string {
    return (this.registered ? this.node ?? this.claim : this.claim)!.name;
  }

  public get labels(): Record<string, string> {
    return textsOf(asRecord(this.shown.raw.metadata)?.labels);
  }

  /** Before, Karpenter goes by its NodeClaim. */
  public get registered(): boolean {
    return this.claim === undefined || this.hasLabel(Label.REGISTERED);
  }

  public get initialized(): boolean {
    return this.claim === undefined || this.hasLabel(Label.INITIALIZED);
  }

  /** Without those that it loses as it comes up, as long as it does. */
  public get taints(): Taint[] {
    const taints = taintsOf(asRecord(this.shown.raw.spec)?.taints);
    if (this.claim === undefined || (this.initialized && !this.hasCondition('Rebooting'))) return taints;
    const startup = taintsOf(asRecord(this.claim.raw.spec)?.startupTaints);
    return taints.filter((taint) => !taint.key.startsWith(EPHEMERAL_PREFIX) && ![...EPHEMERAL, ...startup].some((other) => matches(taint, other)));
  }

  /** Those of the Node itself where there is one, all of them: by these Karpenter counts the domains of spread. */
  public get writtenTaints(): Taint[] {
    return taintsOf(asRecord((this.node ?? this.shown).raw.spec)?.taints);
  }

  /** Going away: it takes no more pods, and those on it need another place. */
  public get leaving(): boolean {
    if (this.claim === undefined) return asRecord(this.node?.raw.metadata)?.deletionTimestamp !== undefined;
    const disrupted = taintsOf(asRecord(this.node?.raw.spec)?.taints).some(({ key }) => key === DISRUPTED_TAINT.key);
    return asRecord(this.claim.raw.metadata)?.deletionTimestamp !== undefined || this.hasCondition('InstanceTerminating') || disrupted;
  }

  /** No pod comes to it any more. */
  public get cordoned(): boolean {
    return taintsOf(asRecord(this.node?.raw.spec)?.taints).some(({ key }) => key === CORDONED);
  }

  /** Undefined, and logged, where the amounts cannot be read. What an unready node does not report yet its claim knows. */
  public amounts(field: 'capacity' | 'allocatable', log: ClusterLog): ResourceList | undefined {
    const own = this.node && amountsOf(this.node, field, log);
    if (this.node && own === undefined) return undefined;
    if (this.initialized || this.claim === undefined) return own;
    const expected = amountsOf(this.claim, field, log);
    return expected && new Map([...expected, ...[...own ?? []].filter(([resource, amount]) => amount !== 0n || !expected.has(resource))]);
  }

  /** Those of the Node where the claim is gone by instead; Karpenter takes a Node that does not name its host for the host. */
  public get writtenLabels(): Record<string, string> | undefined {
    if (this.node === undefined || this.registered) return undefined;
    return { [Label.HOSTNAME]: this.node.name, ...textsOf(asRecord(this.node.raw.metadata)?.labels) };
  }

  /** What tells labels and taints. */
  private get shown(): ManifestObject {
    return (this.registered ? this.node : undefined) ?? this.claim ?? this.node!;
  }

  private hasLabel(key: string): boolean {
    return this.node !== undefined && textsOf(asRecord(this.node.raw.metadata)?.labels)[key] === 'true';
  }

  private hasCondition(type: string): boolean {
    return recordsOf(asRecord(this.claim?.raw.status)?.conditions).some((condition) => condition.type === type && condition.status === 'True');
  }
}

function amountsOf(object: ManifestObject, field: string, log: ClusterLog): ResourceList | undefined {
  const reader = new FieldReader(object, log);
  const written = reader.record(['status', field], asRecord(object.raw.status)?.[field]);
  const amounts = new Map<string, bigint>();
  for (const [resource, value] of Object.entries(written ?? {})) {
    const quantity = readQuantity(reader, ['status', field, resource], value);
    if (quantity) amounts.set(resource, resourceAmount(resource, quantity));
  }
  return reader.broken ? undefined : amounts;
}

export function textsOf(raw: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asRecord(raw) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function taintsOf(raw: unknown): Taint[] {
  return recordsOf(raw).flatMap(({ key, value, effect }: PlainRecord) =>
    typeof key === 'string' && typeof effect === 'string' ? [{ key, value: typeof value === 'string' ? value : undefined, effect: effect as Taint['effect'] }] : []);
}

function matches(left: Taint, right: Taint): boolean {
  return left.key === right.key && left.effect === right.effect;
}
