import { asRecord } from '../../../contract';
import { Label, RequirementSpec } from '../../../model';
import { ManifestObject } from '../model';
import { PlainRecord, recordsOf, scalarText, stringOrUndefined, stringsOf } from '../records';

/** The pod or workload whose volumes are read. */
export interface VolumeOwner {
  readonly namespace: string;
  /** Name of the pod, or of the workload if the pod does not exist yet. */
  readonly name: string;
  /** `volumeClaimTemplates` of a StatefulSet. */
  readonly templates: readonly PlainRecord[];
  /** Ordinal of a StatefulSet pod whose claims may exist already. @default - the claims do not exist yet */
  readonly ordinal?: number;
}

/** A PersistentVolumeClaim of the input, or one that a template would make. */
export interface StorageClaim {
  /** For messages. */
  readonly name: string;
  /** `namespace/name` of an existing claim. @default - the claim will be made, for one pod only */
  readonly id?: string;
  readonly spec: PlainRecord;
  readonly deleting: boolean;
  /** Absent unless the claim comes from a cluster. */
  readonly phase?: string;
  readonly bound: boolean;
  /** Whether the claim is deleted with its pod, so that the next pod gets a new volume. @default false */
  readonly ephemeral?: boolean;
}

/**
 * The consequence of a volume for the pod that mounts it: the node must meet one of the alternatives, Karpenter ignores
 * the pod, or the input does not contain what decides.
 */
export type VolumeNeed =
  | {
      readonly kind: 'needs';
      readonly alternatives: ReadonlyArray<readonly RequirementSpec[]>;
      readonly driver?: string;
    }
  | { readonly kind: 'ignored'; readonly message: string }
  | { readonly kind: 'unknown'; readonly what: string };

/** No alternatives: every node will do. The driver does not count, because its volumes are not attached to a node. */
const ZONELESS: VolumeNeed = { kind: 'needs', alternatives: [] };
/** The number in the names of a StatefulSet's pods and claims. */
export const ORDINAL = /^(0|[1-9]\d{0,8})$/;
export const DEFAULT_CLASS_ANNOTATION = 'storageclass.kubernetes.io/is-default-class';
const BIND_COMPLETED_ANNOTATION = 'pv.kubernetes.io/bind-completed';
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;
/** The CSI drivers of migrated in-tree volume plugins. */
const CSI_MIGRATION: ReadonlyMap<string, string> = new Map([['kubernetes.io/aws-ebs', 'ebs.csi.aws.com']]);
/** The drivers of file systems and buckets, which nodes in every zone mount. Their volumes never restrict the node. */
const ZONELESS_DRIVERS: readonly string[] = [
  'efs.csi.aws.com',
  'fsx.csi.aws.com',
  'fsx.openzfs.csi.aws.com',
  's3.csi.aws.com',
  'csi.trident.netapp.io',
  'nfs.csi.k8s.io',
  'smb.csi.k8s.io',
];
/** The EBS CSI drivers of EKS and of EKS Auto Mode. */
export const ZONAL_DRIVERS: readonly string[] = ['ebs.csi.aws.com', 'ebs.csi.eks.amazonaws.com'];
/** EKS creates this StorageClass in every cluster. */
export const EKS_STORAGE_CLASS = 'gp2';
/** A StorageClass of the cluster that only its name is known of. */
const EBS_CLASS: PlainRecord = { provisioner: 'ebs.csi.aws.com', volumeBindingMode: 'WaitForFirstConsumer' };

/**
 * The claims, volumes and storage classes of the input, and the requirements of a claim on the node.
 *
 * @see
 * https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/volumetopology.go
 */
export class Storage {
  private readonly claims = new Map<string, StorageClaim>();
  private readonly volumes = new Map<string, PlainRecord>();
  private readonly classes = new Map<string, PlainRecord>();

  /**
   * @param refused - claims that the API server would refuse, as `namespace/name`
   * @param declared - StorageClasses of the cluster that `objects` lack
   * @param isWholeCluster - whether `objects` have all StorageClasses, so that a missing default is none
   */
  public constructor(
    objects: readonly ManifestObject[],
    private readonly refused: ReadonlySet<string> = new Set(),
    declared: readonly string[] = [],
    private readonly isWholeCluster = false,
  ) {
    for (const name of [EKS_STORAGE_CLASS, ...declared]) this.classes.set(name, EBS_CLASS);
    for (const { apiVersion, kind, namespace = 'default', name, raw } of objects) {
      if (apiVersion === 'v1' && kind === 'PersistentVolumeClaim')
        this.claims.set(`${namespace}/${name}`, {
          id: `${namespace}/${name}`,
          ...readClaim(`PersistentVolumeClaim ${namespace}/${name}`, raw),
        });
      if (apiVersion === 'v1' && kind === 'PersistentVolume') this.volumes.set(name, raw);
      if (apiVersion === 'storage.k8s.io/v1' && kind === 'StorageClass') this.classes.set(name, raw);
    }
  }

  public claim(namespace: string, name: string): StorageClaim | undefined {
    return this.claims.get(`${namespace}/${name}`);
  }

  public isRefused(namespace: string, name: string): boolean {
    return this.refused.has(`${namespace}/${name}`);
  }

  /** The ordinals of a StatefulSet for which a claim of one of its templates exists, in order. */
  public claimedOrdinals({ namespace, name, templates }: VolumeOwner): number[] {
    const prefixes = templates.map(
      (template) => `${namespace}/${scalarText(asRecord(template.metadata)?.name)}-${name}-`,
    );
    const ordinals = [...this.claims.keys()].flatMap((claim) =>
      prefixes
        .filter((prefix) => claim.startsWith(prefix) && ORDINAL.test(claim.slice(prefix.length)))
        .map((prefix) => Number(claim.slice(prefix.length))),
    );
    return [...new Set(ordinals)].sort((left, right) => left - right);
  }

  public volumeNeedOf(claim: StorageClaim): VolumeNeed {
    if (claim.deleting) return ignored('persistentvolumeclaim is being deleted', claim);
    if (claim.phase === 'Lost') return ignored('persistentvolumeclaim bound to non-existent persistentvolume', claim);
    const volume = stringOrUndefined(claim.spec.volumeName);
    return volume === undefined || volume === '' ? this.unboundNeed(claim) : this.boundNeed(claim, volume);
  }

  /** A claim that is not in the cluster yet will be bound to the volume that it names before its pod is scheduled. */
  private boundNeed(claim: StorageClaim, name: string): VolumeNeed {
    const raw = this.volumes.get(name);
    if (raw === undefined) return { kind: 'unknown', what: `PersistentVolume ${name}, which is not in the input` };
    if (asRecord(raw.metadata)?.deletionTimestamp !== undefined)
      return ignored('failed to validate pvc, persistentvolume is being deleted', claim);
    if (claim.phase !== undefined && !claim.bound)
      return ignored(
        `pvc is considered unbound because it does not contain annotation ${BIND_COMPLETED_ANNOTATION}`,
        claim,
      );
    const spec = asRecord(raw.spec) ?? {};
    const isLocal = spec.local !== undefined || spec.hostPath !== undefined;
    const required = asRecord(asRecord(spec.nodeAffinity)?.required);
    const terms = recordsOf(required?.nodeSelectorTerms).map((term) =>
      recordsOf(term.matchExpressions).flatMap(expressionOf),
    );
    const topologyTerms = terms.map((term) => (isLocal ? term.filter(({ key }) => key !== Label.HOSTNAME) : term));
    const alternatives = topologyTerms.filter((term, i) => term.length > 0 || (isLocal && terms[i].length > 0));
    return {
      kind: 'needs',
      alternatives,
      driver:
        stringOrUndefined(asRecord(spec.csi)?.driver) ??
        (spec.awsElasticBlockStore === undefined ? undefined : 'ebs.csi.aws.com'),
    };
  }

  private unboundNeed(claim: StorageClaim): VolumeNeed {
    const className = claim.spec.storageClassName;
    const name =
      className === undefined || className === null
        ? (this.defaultClass() ?? (this.isWholeCluster || claim.phase !== undefined ? undefined : EKS_STORAGE_CLASS))
        : stringOrUndefined(className);
    if (name === undefined) return { kind: 'unknown', what: 'the default StorageClass, which is not in the input' };
    // A claim that is not in the cluster yet will be bound before its pod is scheduled.
    if (claim.phase === undefined && name !== undefined && this.hasZonelessVolume(claim, name)) return ZONELESS;
    if (name === '') return ignored('unbound pvc must define a storage class', claim);
    const storageClass = this.classes.get(name);
    if (storageClass === undefined) return { kind: 'unknown', what: `StorageClass ${name}, which is not in the input` };
    const provisioner = stringOrUndefined(storageClass.provisioner);
    const driver = provisioner && (CSI_MIGRATION.get(provisioner) ?? provisioner);
    if ((storageClass.volumeBindingMode ?? 'Immediate') === 'Immediate') {
      if (claim.phase !== undefined)
        return ignored('failed to validate pvc, pvc with immediate volume binding mode must be bound', claim);
      if (
        ZONELESS_DRIVERS.includes(stringOrUndefined(storageClass.provisioner) ?? '') &&
        storageClass.allowedTopologies === undefined
      )
        return ZONELESS;
      // KARP-820 warns of EBS volumes that are created first; their pods are planned as if the pods came first.
      if (driver === undefined || !ZONAL_DRIVERS.includes(driver))
        return {
          kind: 'unknown',
          what: `a volume of StorageClass ${name}, which is created in an unknown zone before the pod is scheduled (volumeBindingMode Immediate)`,
        };
    }
    const alternatives = recordsOf(storageClass.allowedTopologies)
      .map((term) =>
        recordsOf(term.matchLabelExpressions).map((expression) => ({
          key: stringOrUndefined(expression.key) ?? '',
          operator: 'In' as const,
          values: stringsOf(expression.values),
        })),
      )
      .filter((term) => term.length > 0);
    return { kind: 'needs', alternatives, driver };
  }

  /** Whether a PersistentVolume of the input that restricts no node may be bound to the claim. */
  private hasZonelessVolume({ spec: { accessModes } }: StorageClaim, className: string): boolean {
    return [...this.volumes.values()].some(({ spec: rawSpec }) => {
      const spec = asRecord(rawSpec) ?? {};
      const modes = stringsOf(spec.accessModes);
      const isZoneless =
        spec.nfs !== undefined || ZONELESS_DRIVERS.includes(stringOrUndefined(asRecord(spec.csi)?.driver) ?? '');
      return (
        isZoneless &&
        spec.nodeAffinity === undefined &&
        (stringOrUndefined(spec.storageClassName) ?? '') === className &&
        stringsOf(accessModes).every((mode) => modes.includes(mode))
      );
    });
  }

  /**
   * The first by name if several are marked as default: the API server uses the newest one, but their age is unknown
   * here.
   */
  private defaultClass(): string | undefined {
    return [...this.classes]
      .filter(([, raw]) => isDefaultClass(raw))
      .map(([name]) => name)
      .sort()[0];
  }
}

/** Whether claims without a class get this StorageClass. */
export function isDefaultClass(raw: PlainRecord): boolean {
  return asRecord(asRecord(raw.metadata)?.annotations)?.[DEFAULT_CLASS_ANNOTATION] === 'true';
}

export function readClaim(name: string, raw: PlainRecord): StorageClaim {
  const metadata = asRecord(raw.metadata);
  return {
    name,
    spec: asRecord(raw.spec) ?? {},
    deleting: metadata?.deletionTimestamp !== undefined,
    phase: stringOrUndefined(asRecord(raw.status)?.phase),
    bound: asRecord(metadata?.annotations)?.[BIND_COMPLETED_ANNOTATION] !== undefined,
  };
}

function ignored(problem: string, { name }: StorageClaim): VolumeNeed {
  return { kind: 'ignored', message: `${problem} (${name})` };
}

function expressionOf(raw: PlainRecord): RequirementSpec[] {
  const operator = OPERATORS.find((candidate) => candidate === raw.operator);
  const key = stringOrUndefined(raw.key);
  return operator === undefined || key === undefined ? [] : [{ key, operator, values: stringsOf(raw.values) }];
}
