import {
  ChangedField,
  changedFields,
  HashAnnotations,
  NODE_CLASS_HASH,
  NODE_CLASS_HASH_VERSION,
  NODE_POOL_HASH,
  NODE_POOL_HASH_VERSION,
  nodeClassHashAfter,
  nodePoolHash,
} from '../../contract';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { stringMapOf } from '../manifest/records';

type Kind = 'NodePool' | 'EC2NodeClass';

/** A NodeClaim, or what is known about one. */
export type NodeClaimObject = Pick<ManifestObject, 'raw'>;

export type PoolManifests = Pick<ManifestModel, 'nodePools' | 'nodeClasses'>;

/** The pools and classes of the manifests and of the cluster. */
interface PoolsAndCluster extends PoolManifests {
  readonly cluster?: PoolManifests & Pick<NonNullable<ManifestModel['cluster']>, 'replacedObjects'>;
}

/** A drift hash and the version of the algorithm that made it. */
export interface VersionedHash {
  readonly hash: string;
  readonly version: string;
}

/** A NodePool or an EC2NodeClass after the change and as the cluster has it. */
export class ObjectChange {
  private changed?: readonly ChangedField[];
  private expected?: { readonly hash: VersionedHash | undefined };

  /** @param before - the cluster's object; absent if it is unknown */
  public constructor(
    private readonly kind: Kind,
    public readonly after: ManifestObject,
    public readonly before?: ManifestObject,
  ) {}

  /** The changed fields that drift nodes; empty if the cluster's object is unknown. */
  public get fields(): readonly ChangedField[] {
    this.changed ??= this.before ? changedFields(this.kind, this.before.raw, this.after.raw) : [];
    return this.changed;
  }

  /**
   * The hash that Karpenter will write on the object; undefined if the cluster's Karpenter uses another hash algorithm.
   */
  public get hash(): VersionedHash | undefined {
    this.expected ??= { hash: this.kind === 'NodePool' ? this.nodePoolHash() : this.nodeClassHash() };
    return this.expected.hash;
  }

  /** The hash of this kind in the annotations of an object or a NodeClaim. */
  public hashOn({ raw }: NodeClaimObject): VersionedHash | undefined {
    const keys: HashAnnotations = this.kind === 'NodePool' ? NODE_POOL_HASH : NODE_CLASS_HASH;
    const annotations = stringMapOf(raw.metadata?.annotations);
    const [hash, version] = [annotations[keys.hash], annotations[keys.version]];
    return hash === undefined || version === undefined ? undefined : { hash, version };
  }

  private nodePoolHash(): VersionedHash | undefined {
    const current = this.before && this.hashOn(this.before);
    const isSameAlgorithm =
      !current || (current.version === NODE_POOL_HASH_VERSION && current.hash === nodePoolHash(this.before!.raw));
    return isSameAlgorithm ? { hash: nodePoolHash(this.after.raw), version: NODE_POOL_HASH_VERSION } : undefined;
  }

  private nodeClassHash(): VersionedHash | undefined {
    const current = this.before && this.hashOn(this.before);
    if (current?.version !== NODE_CLASS_HASH_VERSION || !/^\d{1,20}$/.test(current.hash)) return undefined;
    return {
      hash: nodeClassHashAfter(current.hash, this.before!.raw, this.after.raw),
      version: NODE_CLASS_HASH_VERSION,
    };
  }
}

/** The changes of all NodePools and EC2NodeClasses; each change is computed once. */
export class ObjectChanges {
  private readonly changes = new Map<string, ObjectChange | undefined>();

  public constructor(private readonly model: PoolsAndCluster) {}

  /** Undefined if neither the manifests nor the cluster have the object: then its nodes cannot be judged. */
  public of(kind: Kind, name: string): ObjectChange | undefined {
    const key = `${kind} ${name}`;
    if (!this.changes.has(key)) this.changes.set(key, this.find(kind, name));
    return this.changes.get(key);
  }

  private find(kind: Kind, name: string): ObjectChange | undefined {
    const { nodePools, nodeClasses, cluster } = this.model;
    const hasName = ({ object }: { readonly object: ManifestObject }) => object.name === name;
    // A rejected manifest changes nothing, and a manifest with unresolved tokens may be equal to the cluster's object.
    const [manifests, clusterOnly] =
      kind === 'NodePool'
        ? [nodePools.filter(({ spec }) => spec), cluster?.nodePools]
        : [nodeClasses.filter(({ facts }) => facts), cluster?.nodeClasses];
    const before =
      clusterOnly?.find(hasName)?.object ??
      cluster?.replacedObjects.find((object) => object.kind === kind && object.name === name);
    const after = manifests.find(hasName)?.object ?? before;
    return after && new ObjectChange(kind, after, before);
  }
}

/**
 * The changed fields that drift a node which was launched before the change. Empty if only a hash shows the change;
 * undefined if the node does not drift.
 */
export function staticDriftFields(change: ObjectChange, claim: NodeClaimObject): string[] | undefined {
  const claimHash = change.hashOn(claim);
  const fields = change.fields.filter(({ drifts }) => drifts === 'always').map(({ path }) => path);
  const { hash } = change;
  if (claimHash && hash && hash.version === claimHash.version) return hash.hash === claimHash.hash ? undefined : fields;
  const before = change.before && change.hashOn(change.before);
  // Karpenter never compares hashes of different algorithm versions: when the version of the pool changes, it rewrites
  // the hashes of its nodes.
  if (claimHash && hash && before?.version === hash.version) return undefined;
  const isBehind =
    before !== undefined &&
    claimHash !== undefined &&
    before.version === claimHash.version &&
    before.hash !== claimHash.hash;
  return isBehind || fields.length > 0 ? fields : undefined;
}
