import { textsOf } from './state-node';
import { asRecord, DO_NOT_DISRUPT, protectionOf } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

export interface PodOwner {
  readonly kind: string;
  readonly name: string;
}

/**
 * A Pod of the cluster, and what Karpenter asks about it.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pod/scheduling.go
 */
export class ClusterPod {
  public readonly namespace: string;
  public readonly name: string;
  public readonly labels: Readonly<Record<string, string>>;
  /** Empty where it waits for a node. */
  public readonly nodeName: string;
  public readonly owners: readonly PodOwner[];
  private readonly metadata: PlainRecord;
  private readonly status: PlainRecord;

  public constructor(public readonly object: ManifestObject) {
    this.metadata = asRecord(object.raw.metadata) ?? {};
    this.status = asRecord(object.raw.status) ?? {};
    this.namespace = object.namespace ?? 'default';
    this.name = object.name;
    this.labels = textsOf(this.metadata.labels);
    this.nodeName = text(asRecord(object.raw.spec)?.nodeName);
    this.owners = recordsOf(this.metadata.ownerReferences).map(({ kind, name }) => ({ kind: text(kind), name: text(name) }));
  }

  /** As the API server knows it: the order in which Karpenter takes up pods of equal size. */
  public get age(): string {
    return podAge(this.metadata);
  }

  public get ended(): boolean {
    return this.status.phase === 'Succeeded' || this.status.phase === 'Failed';
  }

  public get succeeded(): boolean {
    return this.status.phase === 'Succeeded';
  }

  public get terminating(): boolean {
    return this.metadata.deletionTimestamp !== undefined;
  }

  public isOwnedBy(kind: string): boolean {
    return this.owners.some((owner) => owner.kind === kind);
  }

  /** Whether Karpenter takes it up: the Kubernetes scheduler has found no node for it. */
  public get waits(): boolean {
    const refused = recordsOf(this.status.conditions).some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable');
    return refused && this.nodeName === '' && text(this.status.nominatedNodeName) === '' && !this.isOwnedBy('DaemonSet') && !this.isOwnedBy('Node');
  }

  /** Whether Karpenter looks for another place when its node goes. Until when an annotation with a duration holds nothing here tells. */
  public get moves(): boolean {
    const active = !this.ended && (!this.terminating || this.isOwnedBy('StatefulSet'));
    return active && !this.isOwnedBy('DaemonSet') && !this.isOwnedBy('Node') && (this.terminating || !this.isHeld);
  }

  /** Whether it has said that it is not ready. */
  public get unready(): boolean {
    return recordsOf(this.status.conditions).some(({ type, status }) => type === 'Ready' && status === 'False');
  }

  private get isHeld(): boolean {
    return protectionOf(textsOf(this.metadata.annotations)[DO_NOT_DISRUPT]).kind !== 'none';
  }
}

/** Comparable: the older first, of those made in the same second as their uids are. */
export function podAge({ creationTimestamp, uid }: PlainRecord): string {
  return `${text(creationTimestamp)}\0${text(uid)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
