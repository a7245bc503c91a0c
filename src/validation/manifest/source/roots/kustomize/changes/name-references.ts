import { FieldSpec, setFields } from './field-spec';
import { KustomizeRefusal } from '../refusal';
import { NameReference } from './transformer-config';
import { Resource } from '../resources/resource';
import {
  effectiveNamespace,
  idText,
  isClusterKind,
  isSelectedKind,
  KindSelector,
  ResourceId,
} from '../resources/resource-id';
import { PlainFields, isFields, isMissing, isScalar, textOf } from '../values';

/**
 * Writes the new names of objects where other objects name them.
 *
 * @throws Refusal if a name may be that of several objects
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/filters/nameref/nameref.go
 */
export function fixNameReferences(resources: readonly Resource[], references: readonly NameReference[]): void {
  const index = new NameIndex(resources);
  for (const referrer of resources) {
    const originalKind = referrer.originalId;
    for (const reference of references) {
      for (const spec of reference.fieldSpecs) {
        if (isSelectedKind(originalKind, spec)) new ReferenceFix(referrer, reference, spec, index).apply();
      }
    }
  }
}

/** An object that others may refer to. Its facts are computed once, because each reference compares them. */
interface Candidate {
  readonly resource: Resource;
  readonly name: string;
  readonly namespace: string;
  readonly ids: readonly ResourceId[];
  readonly isClusterKind: boolean;
  readonly effectiveNamespace: string;
  readonly originalNamespace: string;
}

/** The objects by the names that they had. */
class NameIndex {
  private readonly byName = new Map<string, Candidate[]>();

  public constructor(resources: readonly Resource[]) {
    for (const resource of resources) {
      const { id, name, namespace, previousIds: ids } = resource;
      const candidate: Candidate = {
        resource,
        name,
        namespace,
        ids,
        isClusterKind: isClusterKind(id),
        effectiveNamespace: effectiveNamespace(id),
        originalNamespace: effectiveNamespace(ids[0] ?? id),
      };
      for (const previous of new Set(ids.map((each) => each.name))) {
        const named = this.byName.get(previous);
        if (named) named.push(candidate);
        else this.byName.set(previous, [candidate]);
      }
    }
  }

  public named(name: string): readonly Candidate[] {
    return this.byName.get(name) ?? [];
  }
}

class ReferenceFix {
  private readonly isFromCluster: boolean;
  private readonly namespace: string;

  public constructor(
    private readonly referrer: Resource,
    private readonly target: KindSelector,
    private readonly spec: FieldSpec,
    private readonly index: NameIndex,
  ) {
    const { id } = referrer;
    this.isFromCluster = isClusterKind(id);
    this.namespace = effectiveNamespace(id);
  }

  public apply(): void {
    const { group, version, kind } = this.referrer.kindInfo;
    setFields(this.referrer, { ...this.spec, group, version, kind }, 'nothing', (holder, key) => this.set(holder, key));
  }

  private set(holder: PlainFields, key: string): void {
    const value = holder[key];
    if (isMissing(value)) return;
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        if (isScalar(item)) this.setName(value as never, String(index));
        else if (isFields(item)) this.setMapping(item);
      });
    } else if (isFields(value)) {
      this.setMapping(value);
    } else {
      this.setName(holder, key);
    }
  }

  private setName(holder: PlainFields, key: string): void {
    const name = textOf(holder[key]);
    const found = this.select(name, this.index.named(name), (one, other) => one.name === other.name);
    if (found) holder[key] = found.name;
  }

  /** A mapping has the name and the namespace of the object. */
  private setMapping(mapping: PlainFields): void {
    if (mapping.name === undefined) throw new KustomizeRefusal("path config error; no 'name' field in node");
    const name = textOf(mapping.name);
    const candidates = this.inNamespaceOf(mapping, this.index.named(name));
    const found = this.select(
      name,
      candidates,
      (one, other) => one.name === other.name && one.namespace === other.namespace,
    );
    if (!found) return;
    mapping.name = found.name;
    if (found.namespace !== '') mapping.namespace = found.namespace;
  }

  private inNamespaceOf({ namespace }: PlainFields, candidates: readonly Candidate[]): readonly Candidate[] {
    if (namespace === undefined) return candidates;
    const wanted = textOf(namespace);
    const originally = candidates.filter(({ originalNamespace }) => originalNamespace === wanted);
    return originally.length > 0
      ? originally
      : candidates.filter((candidate) => candidate.effectiveNamespace === wanted);
  }

  private select(
    name: string,
    named: readonly Candidate[],
    isSame: (one: Candidate, other: Candidate) => boolean,
  ): Candidate | undefined {
    if (named.length === 0) return undefined;
    const { boundNamespaces } = this;
    let candidates = named.filter(
      (candidate) =>
        candidate.ids.some((id) => isSelectedKind(id, this.target)) &&
        candidate.ids.some((id) => id.name === name) &&
        this.isReachable(candidate, boundNamespaces) &&
        this.isOfRole(candidate) &&
        this.isInNamespace(candidate),
    );
    if (candidates.length === 1) return candidates[0];
    candidates = candidates.filter(({ resource }) => hasSameAffixes(resource, this.referrer, true));
    if (candidates.length > 1)
      candidates = candidates.filter(({ resource }) => hasSameAffixes(resource, this.referrer, false));
    const [first, ...others] = candidates;
    if (others.every((other) => isSame(first, other))) return first;
    throw new KustomizeRefusal(
      `found multiple possible referrals: ${candidates.map(({ resource }) => idText(resource.id)).join(', ')}`,
    );
  }

  /** An object with a namespace refers to its own namespace, except for the service accounts of a role binding. */
  private isReachable(candidate: Candidate, boundNamespaces: ReadonlySet<string>): boolean {
    return (
      this.isFromCluster ||
      candidate.isClusterKind ||
      candidate.effectiveNamespace === this.namespace ||
      boundNamespaces.has(candidate.namespace)
    );
  }

  private get boundNamespaces(): ReadonlySet<string> {
    const { fields, kind } = this.referrer;
    if (kind !== 'RoleBinding' || !Array.isArray(fields?.subjects)) return new Set();
    const subjects = fields.subjects.filter(isFields).filter((subject) => subject.kind === 'ServiceAccount');
    return new Set(subjects.flatMap(({ namespace }) => (typeof namespace === 'string' ? [namespace] : [])));
  }

  private isInNamespace(candidate: Candidate): boolean {
    return (
      this.isFromCluster ||
      candidate.isClusterKind ||
      candidate.resource.kind === 'ServiceAccount' ||
      candidate.effectiveNamespace === this.namespace
    );
  }

  private isOfRole({ ids }: Candidate): boolean {
    const role = this.referrer.fields?.roleRef;
    if (!this.spec.path.endsWith('roleRef/name') || !isFields(role)) return true;
    if (role.apiGroup === undefined || role.kind === undefined) return true;
    const wanted = { group: textOf(role.apiGroup), kind: textOf(role.kind) };
    return ids.some((id) => isSelectedKind(id, wanted));
  }
}

function hasSameAffixes(one: Resource, other: Resource, allowsNone: boolean): boolean {
  const isSame = (left: readonly string[], right: readonly string[]) =>
    (allowsNone && (left.length === 0 || right.length === 0)) || endsSame(left, right);
  return isSame(one.prefixes, other.prefixes) && isSame(one.suffixes, other.suffixes);
}

function endsSame(left: readonly string[], right: readonly string[]): boolean {
  const [shorter, longer] = left.length > right.length ? [right, left] : [left, right];
  if (shorter.length === 0) return longer.length === 0;
  return shorter.every((value, index) => longer[longer.length - shorter.length + index] === value);
}
