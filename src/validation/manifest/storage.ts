import { ManifestObject } from './model';
import { PlainRecord, recordsOf, textOf } from './records';
import { asRecord } from '../../contract';
import { RequirementSpec } from '../../model';

/** Whose pods mount the volumes. */
export interface VolumeOwner {
  readonly namespace: string;
  /** Of the pod, where there is one; of its workload otherwise. */
  readonly name: string;
  /** `volumeClaimTemplates` of a StatefulSet. */
  readonly templates: readonly PlainRecord[];
  /** Of a pod of a StatefulSet whose claims may be there already. @default - they are still to be made */
  readonly ordinal?: number;
}

/** A claim for a volume: one of the input, or what a template would make. */
export interface VolumeClaim {
  /** As messages call it. */
  readonly name: string;
  /** `namespace/name` of one that is there. @default - it is still to be made, for one pod alone */
  readonly id?: string;
  readonly spec: PlainRecord;
  readonly deleting: boolean;
  /** Of a claim that the cluster knows. */
  readonly phase?: string;
  readonly bound: boolean;
  /** Whether it goes with its pod, and the next pod gets another. @default false */
  readonly passing?: boolean;
}

/** What a volume means for the pod that mounts it. */
export type VolumeNeed =
  | { readonly kind: 'needs'; readonly alternatives: ReadonlyArray<readonly RequirementSpec[]>; readonly driver?: string }
  | { readonly kind: 'ignored'; readonly message: string }
  | { readonly kind: 'unknown'; readonly what: string };

/** The number in the name of a pod of a StatefulSet, and of its claims. */
export const ORDINAL = /^(0|[1-9]\d{0,8})$/;
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const BOUND = 'pv.kubernetes.io/bind-completed';
const HOSTNAME = 'kubernetes.io/hostname';
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;
/** In-tree volume plugins that have become CSI drivers. */
const MIGRATED: ReadonlyMap<string, string> = new Map([['kubernetes.io/aws-ebs', 'ebs.csi.aws.com']]);
/** The class that EKS brings to every cluster. */
const EKS_CLASS: PlainRecord = { provisioner: 'kubernetes.io/aws-ebs', volumeBindingMode: 'WaitForFirstConsumer' };

/**
 * The claims, volumes and storage classes of the input, and what a claim asks of a node.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/volumetopology.go
 */
export class Storage {
  private readonly claims = new Map<string, VolumeClaim>();
  private readonly volumes = new Map<string, PlainRecord>();
  private readonly classes = new Map<string, PlainRecord>();

  public constructor(objects: readonly ManifestObject[]) {
    for (const { apiVersion, kind, namespace = 'default', name, raw } of objects) {
      if (apiVersion === 'v1' && kind === 'PersistentVolumeClaim') this.claims.set(`${namespace}/${name}`, { id: `${namespace}/${name}`, ...claimOf(`PersistentVolumeClaim ${namespace}/${name}`, raw) });
      if (apiVersion === 'v1' && kind === 'PersistentVolume') this.volumes.set(name, raw);
      if (apiVersion === 'storage.k8s.io/v1' && kind === 'StorageClass') this.classes.set(name, raw);
    }
  }

  public claim(namespace: string, name: string): VolumeClaim | undefined {
    return this.claims.get(`${namespace}/${name}`);
  }

  /** The ordinals of a StatefulSet that have a claim of one of its templates, in order. */
  public claimedOrdinals({ namespace, name, templates }: VolumeOwner): number[] {
    const prefixes = templates.map((template) => `${namespace}/${textOf(asRecord(template.metadata)?.name)}-${name}-`);
    const found = [...this.claims.keys()].flatMap((claim) => prefixes
      .filter((prefix) => claim.startsWith(prefix) && ORDINAL.test(claim.slice(prefix.length)))
      .map((prefix) => Number(claim.slice(prefix.length))));
    return [...new Set(found)].sort((left, right) => left - right);
  }

  public needOf(claim: VolumeClaim): VolumeNeed {
    if (claim.deleting) return ignored('persistentvolumeclaim is being deleted', claim);
    if (claim.phase === 'Lost') return ignored('persistentvolumeclaim bound to non-existent persistentvolume', claim);
    const volume = text(claim.spec.volumeName);
    return volume === undefined || volume === '' ? this.unboundNeed(claim) : this.boundNeed(claim, volume);
  }

  /** A claim that the cluster has not seen yet will be bound to the volume that it names before any pod comes. */
  private boundNeed(claim: VolumeClaim, name: string): VolumeNeed {
    const raw = this.volumes.get(name);
    if (raw === undefined) return { kind: 'unknown', what: `PersistentVolume ${name}, which is not in the input` };
    if (asRecord(raw.metadata)?.deletionTimestamp !== undefined) return ignored('failed to validate pvc, persistentvolume is being deleted', claim);
    if (claim.phase !== undefined && !claim.bound) return ignored(`pvc is considered unbound because it does not contain annotation ${BOUND}`, claim);
    const spec = asRecord(raw.spec) ?? {};
    const local = spec.local !== undefined || spec.hostPath !== undefined;
    const required = asRecord(asRecord(spec.nodeAffinity)?.required);
    const terms = recordsOf(required?.nodeSelectorTerms).map((term) => recordsOf(term.matchExpressions).flatMap(expressionOf));
    const kept = terms.map((term) => local ? term.filter(({ key }) => key !== HOSTNAME) : term);
    const alternatives = kept.filter((term, at) => term.length > 0 || (local && terms[at].length > 0));
    return { kind: 'needs', alternatives, driver: text(asRecord(spec.csi)?.driver) ?? (spec.awsElasticBlockStore === undefined ? undefined : 'ebs.csi.aws.com') };
  }

  private unboundNeed(claim: VolumeClaim): VolumeNeed {
    const written = claim.spec.storageClassName;
    const name = written === undefined || written === null ? this.defaultClass() : text(written);
    if (name === undefined) return { kind: 'unknown', what: 'the default StorageClass, which is not in the input' };
    if (name === '') return ignored('unbound pvc must define a storage class', claim);
    const storageClass = this.classes.get(name) ?? (name === 'gp2' ? EKS_CLASS : undefined);
    if (storageClass === undefined) return { kind: 'unknown', what: `StorageClass ${name}, which is not in the input` };
    if ((storageClass.volumeBindingMode ?? 'Immediate') === 'Immediate') {
      if (claim.phase !== undefined) return ignored('failed to validate pvc, pvc with immediate volume binding mode must be bound', claim);
      return { kind: 'unknown', what: `a volume of StorageClass ${name}, which is made in some zone before the pod has a node (volumeBindingMode Immediate)` };
    }
    const provisioner = text(storageClass.provisioner);
    const alternatives = recordsOf(storageClass.allowedTopologies)
      .map((term) => recordsOf(term.matchLabelExpressions).map((expression) => ({ key: text(expression.key) ?? '', operator: 'In' as const, values: texts(expression.values) })))
      .filter((term) => term.length > 0);
    return { kind: 'needs', alternatives, driver: provisioner && (MIGRATED.get(provisioner) ?? provisioner) };
  }

  /** Of several that claim to be it, the one that comes first by name: the API server takes the newest, which nothing here tells. */
  private defaultClass(): string | undefined {
    const isDefault = (raw: PlainRecord) => asRecord(asRecord(raw.metadata)?.annotations)?.[DEFAULT_CLASS] === 'true';
    return [...this.classes].filter(([, raw]) => isDefault(raw)).map(([name]) => name).sort()[0];
  }
}

export function claimOf(name: string, raw: PlainRecord): VolumeClaim {
  const metadata = asRecord(raw.metadata);
  return {
    name,
    spec: asRecord(raw.spec) ?? {},
    deleting: metadata?.deletionTimestamp !== undefined,
    phase: text(asRecord(raw.status)?.phase),
    bound: asRecord(metadata?.annotations)?.[BOUND] !== undefined,
  };
}

function ignored(problem: string, { name }: VolumeClaim): VolumeNeed {
  return { kind: 'ignored', message: `${problem} (${name})` };
}

function expressionOf(raw: PlainRecord): RequirementSpec[] {
  const operator = OPERATORS.find((known) => known === raw.operator);
  const key = text(raw.key);
  return operator === undefined || key === undefined ? [] : [{ key, operator, values: texts(raw.values) }];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
