import {
  asRecord, ChangedField, changedFields, HashAnnotations, NODE_CLASS_HASH, NODE_CLASS_HASH_VERSION, NODE_POOL_HASH, NODE_POOL_HASH_VERSION,
  nodeClassHashAfter, nodePoolHash,
} from '../../contract';
import { textsOf } from '../cluster/state-node';
import { ManifestModel, ManifestObject } from '../manifest/model';

type Kind = 'NodePool' | 'EC2NodeClass';

/** What is asked of a NodeClaim. */
export type Claim = Pick<ManifestObject, 'raw'>;

export type WrittenPools = Pick<ManifestModel, 'nodePools' | 'nodeClasses'>;

/** What is written, and what the cluster has. */
interface Compared extends WrittenPools {
  readonly cluster?: WrittenPools & Pick<NonNullable<ManifestModel['cluster']>, 'replaced'>;
}

/** A hash, and how it was made. */
export interface VersionedHash {
  readonly hash: string;
  readonly version: string;
}

/** A NodePool or an EC2NodeClass as it will be, and as the cluster has it. */
export class ObjectChange {
  private found?: readonly ChangedField[];
  private made?: { readonly hash: VersionedHash | undefined };

  /** @param before absent where the cluster's own is not known */
  public constructor(private readonly kind: Kind, public readonly after: ManifestObject, public readonly before?: ManifestObject) {}

  /** Those that drift nodes, as far as both are known. */
  public get fields(): readonly ChangedField[] {
    this.found ??= this.before ? changedFields(this.kind, this.before.raw, this.after.raw) : [];
    return this.found;
  }

  /** What Karpenter will write on it; undefined where Karpenter of the cluster makes its hashes in another way than we do. */
  public get hash(): VersionedHash | undefined {
    this.made ??= { hash: this.kind === 'NodePool' ? this.poolHash() : this.classHash() };
    return this.made.hash;
  }

  public hashOn({ raw }: Claim): VersionedHash | undefined {
    const keys: HashAnnotations = this.kind === 'NodePool' ? NODE_POOL_HASH : NODE_CLASS_HASH;
    const annotations = textsOf(asRecord(raw.metadata)?.annotations);
    const [hash, version] = [annotations[keys.hash], annotations[keys.version]];
    return hash === undefined || version === undefined ? undefined : { hash, version };
  }

  private poolHash(): VersionedHash | undefined {
    const known = this.before && this.hashOn(this.before);
    const isOurs = !known || (known.version === NODE_POOL_HASH_VERSION && known.hash === nodePoolHash(this.before!.raw));
    return isOurs ? { hash: nodePoolHash(this.after.raw), version: NODE_POOL_HASH_VERSION } : undefined;
  }

  private classHash(): VersionedHash | undefined {
    const known = this.before && this.hashOn(this.before);
    if (known?.version !== NODE_CLASS_HASH_VERSION || !/^\d{1,20}$/.test(known.hash)) return undefined;
    return { hash: nodeClassHashAfter(known.hash, this.before!.raw, this.after.raw), version: NODE_CLASS_HASH_VERSION };
  }
}

/** The changes of a model, each worked out once. */
export class ObjectChanges {
  private readonly known = new Map<string, ObjectChange | undefined>();

  public constructor(private readonly model: Compared) {}

  /** Undefined where there is neither a manifest of it nor one in the cluster: then Karpenter says nothing of its nodes. */
  public of(kind: Kind, name: string): ObjectChange | undefined {
    const key = `${kind} ${name}`;
    if (!this.known.has(key)) this.known.set(key, this.find(kind, name));
    return this.known.get(key);
  }

  private find(kind: Kind, name: string): ObjectChange | undefined {
    const { nodePools, nodeClasses, cluster } = this.model;
    const named = ({ object }: { readonly object: ManifestObject }) => object.name === name;
    // What is refused changes nothing; and what of it is known only at deployment may be what is there.
    const [written, kept] = kind === 'NodePool' ? [nodePools.filter(({ spec }) => spec), cluster?.nodePools]
      : [nodeClasses.filter(({ facts }) => facts), cluster?.nodeClasses];
    const own = kept?.find(named)?.object ?? cluster?.replaced.find((object) => object.kind === kind && object.name === name);
    const after = written.find(named)?.object ?? own;
    return after && new ObjectChange(kind, after, own);
  }
}
