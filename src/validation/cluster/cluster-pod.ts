import { asRecord, DO_NOT_DISRUPT, parseDoNotDisrupt } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../manifest/records';

export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
}

/**
 * A pod of the cluster, with the predicates that Karpenter uses.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pod/scheduling.go
 */
export class SnapshotPod {
  public readonly namespace: string;
  public readonly name: string;
  public readonly labels: Readonly<Record<string, string>>;
  /** Empty for a pending pod. */
  public readonly nodeName: string;
  public readonly owners: readonly OwnerReference[];
  private readonly metadata: PlainRecord;
  private readonly status: PlainRecord;

  public constructor(public readonly object: ManifestObject) {
    this.metadata = asRecord(object.raw.metadata) ?? {};
    this.status = asRecord(object.raw.status) ?? {};
    this.namespace = object.namespace ?? 'default';
    this.name = object.name;
    this.labels = stringMapOf(this.metadata.labels);
    this.nodeName = text(object.raw.spec?.nodeName);
    this.owners = recordsOf(this.metadata.ownerReferences).map(({ kind, name }) => ({
      kind: text(kind),
      name: text(name),
    }));
  }

  /** Sort key for the age: Karpenter schedules older pods first, among pods of equal size. */
  public get age(): string {
    return podAge(this.metadata);
  }

  /** RFC 3339; empty if it is not in the input. */
  public get createdAt(): string {
    return text(this.metadata.creationTimestamp);
  }

  public get isTerminal(): boolean {
    return this.status.phase === 'Succeeded' || this.status.phase === 'Failed';
  }

  public get succeeded(): boolean {
    return this.status.phase === 'Succeeded';
  }

  public get isTerminating(): boolean {
    return this.metadata.deletionTimestamp !== undefined;
  }

  public isOwnedBy(kind: string): boolean {
    return this.owners.some((owner) => owner.kind === kind);
  }

  /** Whether Karpenter provisions capacity for the pod: the Kubernetes scheduler has found no node for it. */
  public get isProvisionable(): boolean {
    const isUnschedulable = recordsOf(this.status.conditions).some(
      ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
    );
    return (
      isUnschedulable &&
      this.nodeName === '' &&
      text(this.status.nominatedNodeName) === '' &&
      !this.isOwnedBy('DaemonSet') &&
      !this.isOwnedBy('Node')
    );
  }

  /**
   * Whether Karpenter reschedules the pod if its node is deleted. A do-not-disrupt annotation with a duration counts as
   * unlimited, because its end is unknown.
   */
  public get isReschedulable(): boolean {
    const isActive = !this.isTerminal && (!this.isTerminating || this.isOwnedBy('StatefulSet'));
    return (
      isActive &&
      !this.isOwnedBy('DaemonSet') &&
      !this.isOwnedBy('Node') &&
      (this.isTerminating || !this.isDoNotDisrupt)
    );
  }

  /** Whether the Ready condition is False. A missing or unknown condition does not count. */
  public get isUnready(): boolean {
    return recordsOf(this.status.conditions).some(({ type, status }) => type === 'Ready' && status === 'False');
  }

  private get isDoNotDisrupt(): boolean {
    return parseDoNotDisrupt(stringMapOf(this.metadata.annotations)[DO_NOT_DISRUPT]).kind !== 'none';
  }
}

/** Sort key of a pod: by creation time, then by uid for pods created in the same second. */
export function podAge({ creationTimestamp, uid }: PlainRecord): string {
  return `${text(creationTimestamp)}\0${text(uid)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
