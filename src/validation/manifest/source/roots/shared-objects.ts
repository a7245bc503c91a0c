import { environmentOfRoot } from './environments';
import { Root } from './root';
import { CLUSTER_CLASS_KINDS, definedIn, editedObjectsIn, isOfKind, NAMESPACE_KINDS, objectKey } from './root-objects';
import { asRecord } from '../../../../contract';
import { SourceFile } from '../../model';
import { PlainRecord } from '../../records';

type PathOf = (root: Root) => string;
type KeyOf = (object: PlainRecord) => string;

const NODE_CLASS_KINDS = ['EC2NodeClass', 'AWSNodeTemplate'];

/** The roots of a cluster that have objects for other roots, with their environments. */
export class SharedObjects {
  private readonly suppliers: readonly Root[];
  private readonly environments: ReadonlyMap<Root, string | undefined>;
  private readonly environmentOf: (root: Root) => string | undefined;

  public constructor(roots: readonly Root[], pathOf: PathOf) {
    const kinds = [...NODE_CLASS_KINDS, ...CLUSTER_CLASS_KINDS, ...NAMESPACE_KINDS];
    this.suppliers = roots.filter((root) => definedIn(root, kinds).length > 0);
    this.environmentOf = (root) => environmentOfRoot(root, pathOf);
    this.environments = new Map(this.suppliers.map((root) => [root, this.environmentOf(root)]));
  }

  /** What a root can get: that of the nearest roots, and of all. */
  public except(root: Root): Supply {
    const all = this.suppliers.filter((other) => other !== root);
    const environment = this.environmentOf(root);
    const of = (wanted: string | undefined) => all.filter((other) => this.environments.get(other) === wanted);
    return { all, near: environment === undefined ? of(undefined) : [...of(environment), ...of(undefined)] };
  }
}

interface Supply {
  /** Roots of the same environment first, then those of none. Those of another environment are left out. */
  readonly near: readonly Root[];
  readonly all: readonly Root[];
}

/**
 * Adds what a root lacks: NodePools of the set, the node classes that they name, classes of pods and volumes, and what
 * the namespaces have.
 */
export function withObjectsOf<R extends Root>(root: R, supply: Supply, set: readonly Root[]): R {
  const near = [...set, ...supply.near];
  const withPools = added(root, set, ['NodePool', 'Provisioner', 'NodeOverlay']);
  const classes = referencedClasses(withPools);
  const withClasses = added(withPools, near, NODE_CLASS_KINDS, {
    isWanted: ({ metadata }) => classes.has(asRecord(metadata)?.name),
  });
  const withNear = added(withClasses, near, CLUSTER_CLASS_KINDS);
  const withNamespaces = added(withNear, near, NAMESPACE_KINDS, {
    keyOf: namespacedKey,
    isWanted: every([hasNamespace, unambiguous(near, NAMESPACE_KINDS, namespacedKey)]),
  });
  // A class that only other environments have exists here as well, unless these define it in different ways.
  const complete = added(withNamespaces, supply.all, CLUSTER_CLASS_KINDS, {
    isWanted: unambiguous(supply.all, CLUSTER_CLASS_KINDS, objectKey),
  });
  return set.length > 0 ? { ...complete, hasPoolsOfOther: true } : complete;
}

function referencedClasses(root: Root): ReadonlySet<unknown> {
  return new Set(
    root.sources.flatMap((file) =>
      editedObjectsIn(file)
        .filter((object) => isOfKind(object, ['NodePool', 'Provisioner']))
        .map(({ spec }) => {
          const pool = asRecord(spec);
          const template = asRecord(asRecord(pool?.template)?.spec);
          return asRecord(template?.nodeClassRef ?? pool?.providerRef)?.name;
        }),
    ),
  );
}

function every(tests: ReadonlyArray<(object: PlainRecord) => boolean>): (object: PlainRecord) => boolean {
  return (object) => tests.every((test) => test(object));
}

function hasNamespace({ metadata }: PlainRecord): boolean {
  return asRecord(metadata)?.namespace !== undefined;
}

function namespacedKey(object: PlainRecord): string {
  return JSON.stringify([asRecord(object.metadata)?.namespace ?? 'default', objectKey(object)]);
}

/** Whether all roots that define an object define it in the same way. */
function unambiguous(roots: readonly Root[], kinds: readonly string[], keyOf: KeyOf): (object: PlainRecord) => boolean {
  const definitions = new Map<string, Set<string>>();
  for (const file of new Set(roots.flatMap(({ sources }) => sources))) {
    for (const object of editedObjectsIn(file).filter((one) => isOfKind(one, kinds))) {
      const key = keyOf(object);
      const known = definitions.get(key) ?? new Set();
      definitions.set(key, known.add(JSON.stringify({ ...object, metadata: undefined })));
    }
  }
  return (object) => definitions.get(keyOf(object))?.size === 1;
}

interface AddOptions {
  /** @default - the kind and the name */
  readonly keyOf?: KeyOf;
  /** @default - all objects are */
  readonly isWanted?: (object: PlainRecord) => boolean;
}

/** Adds the objects of these kinds that the root lacks, those of the first roots first. */
function added<R extends Root>(
  root: R,
  others: readonly Root[],
  kinds: readonly string[],
  { keyOf = objectKey, isWanted = () => true }: AddOptions = {},
): R {
  const known = new Set(definedIn(root, kinds, keyOf));
  const sources = [...new Set(others)].flatMap((other) =>
    other.sources.flatMap((file): SourceFile[] => {
      const missing = editedObjectsIn(file).filter(
        (object) => isOfKind(object, kinds) && !known.has(keyOf(object)) && isWanted(object),
      );
      for (const object of missing) known.add(keyOf(object));
      return missing.length === 0 ? [] : [{ ...file, edit: only(new Set(missing.map(keyOf)), keyOf, file.edit) }];
    }),
  );
  return sources.length === 0 ? root : { ...root, sources: [...root.sources, ...sources] };
}

function only(keys: ReadonlySet<string>, keyOf: KeyOf, edit: SourceFile['edit']): NonNullable<SourceFile['edit']> {
  const chosen: NonNullable<SourceFile['edit']> = (object) => {
    const edited = edit ? edit(object) : object;
    return edited && keys.has(keyOf(edited)) ? edited : undefined;
  };
  return Object.assign(chosen, { emptied: edit?.emptied });
}
