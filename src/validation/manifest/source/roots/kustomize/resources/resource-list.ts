import { nearestName } from '../../../../../../model';
import { KustomizeRefusal } from '../refusal';
import { Resource } from './resource';
import { idKey, ResourceId, idText } from './resource-id';

/**
 * The objects of a build, in the order in which they were added.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/resmap/reswrangler.go
 */
export class ResourceMap {
  private list: Resource[] = [];
  /** Undefined after changes of the objects. */
  private keys?: Set<string>;

  public get all(): readonly Resource[] {
    return this.list;
  }

  /** @throws Refusal if an object has an id that another one has */
  public append(resources: readonly Resource[]): void {
    const keys = (this.keys ??= new Set(this.list.map(({ id }) => idKey(id))));
    for (const resource of resources) {
      const key = idKey(resource.id);
      if (keys.has(key))
        throw new KustomizeRefusal(`may not add resource with an already registered id: ${idText(resource.id)}`);
      keys.add(key);
      this.list.push(resource);
    }
  }

  /** Adds objects without a look at their ids. */
  public appendCopies(resources: readonly Resource[]): void {
    this.keys = undefined;
    this.list.push(...resources);
  }

  /** @throws Refusal if two objects have the same id */
  public dropEmptyAndCheckIds(): void {
    const { list } = this;
    this.list = [];
    this.keys = undefined;
    this.append(list.filter(({ isEmpty }) => !isEmpty));
  }

  /** Called after each change of the objects. */
  public dropEmpty(): void {
    this.keys = undefined;
    this.list = this.list.filter(({ isEmpty }) => !isEmpty);
  }

  /** Objects that have had the id, or have it. */
  public withAnyId(matches: (id: ResourceId) => boolean): Resource[] {
    return this.list.filter(
      (resource) => !resource.isEmpty && (matches(resource.id) || resource.previousIds.some(matches)),
    );
  }

  /** @throws Refusal if the number of objects that have had the id is not 1 */
  public one(id: ResourceId): Resource {
    const key = idKey(id);
    const found = this.withAnyId((other) => other.name === id.name && idKey(other) === key);
    if (found.length === 1) return found[0];
    const problem = found.length === 0 ? 'no matches' : 'multiple matches';
    throw new KustomizeRefusal(`${problem} for Id ${idText(id)}; failed to find unique target for patch ${idText(id)}`);
  }

  /** Adds generated objects, or merges them with what they change. */
  public absorb(resource: Resource): void {
    const { id, behavior } = resource;
    const key = idKey(id);
    const found = this.withAnyId((other) => other.name === id.name && idKey(other) === key);
    if (found.length > 1) throw new KustomizeRefusal(`found multiple objects that could accept merge of ${idText(id)}`);
    const [old] = found;
    if (!old) {
      if (behavior !== 'create') {
        const names = this.list.filter(({ kind }) => kind === id.kind).map(({ name }) => name);
        const near = nearestName(id.name, names);
        throw new KustomizeRefusal(
          `id ${idText(id)} does not exist; cannot merge or replace`,
          near === undefined ? undefined : { remedy: `write name: ${near}`, field: ['name'] },
        );
      }
      this.append([resource]);
      return;
    }
    if (behavior === 'create')
      throw new KustomizeRefusal(
        `id ${idText(id)} exists; can not use behavior: 'create', behavior must be merge or replace`,
      );
    takeOver(resource, old);
    if (behavior === 'merge') mergeData(resource, old);
    this.list[this.list.indexOf(old)] = resource;
    this.keys = undefined;
  }
}

/** Copies the metadata of the object that a generated one replaces. */
function takeOver(resource: Resource, old: Resource): void {
  resource.setLabels(new Map([...old.labels, ...resource.labels]));
  resource.setAnnotations(new Map([...old.annotations, ...resource.annotations]));
  resource.setName(old.name);
  resource.setNamespace(old.namespace);
  const { previous, prefixes, suffixes, behavior, variables, source } = old;
  Object.assign(resource, { previous, prefixes, suffixes, behavior, variables, source });
  resource.needsHash = resource.needsHash && old.needsHash;
}

function mergeData(resource: Resource, old: Resource): void {
  for (const key of ['data', 'binaryData']) {
    const merged = { ...(old.fields?.[key] as object | undefined), ...(resource.fields?.[key] as object | undefined) };
    if (Object.keys(merged).length > 0) resource.fields![key] = merged;
  }
}
