import { labelSelector } from './label-selector';
import { compilePattern } from '../../../../../../contract';
import { NotFollowed, KustomizeRefusal } from '../refusal';
import { Resource } from '../resources/resource';
import { effectiveNamespace, GroupVersionKind, ResourceId } from '../resources/resource-id';

/** The target of a patch: regular expressions for whole values, and selectors. */
export interface SelectorFields {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

/** Longer expressions take long to compile. */
const LONGEST_PATTERN = 1_000;

type Matches = (value: string) => boolean;

/** @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/types/selector.go */
export class Selector {
  private readonly patterns: Readonly<Record<'group' | 'version' | 'kind' | 'name' | 'namespace', Matches>>;
  private readonly labels: (labels: ReadonlyMap<string, string>) => boolean;
  private readonly annotations: (annotations: ReadonlyMap<string, string>) => boolean;

  /** @throws Refusal if an expression is invalid */
  public constructor(fields: SelectorFields) {
    const { group, version, kind, name, namespace } = fields;
    this.patterns = {
      group: wholeValue(group),
      version: wholeValue(version),
      kind: wholeValue(kind),
      name: wholeValue(name),
      namespace: wholeValue(namespace),
    };
    this.labels = labelSelector(fields.labelSelector ?? '');
    this.annotations = labelSelector(fields.annotationSelector ?? '');
  }

  /** Names and namespaces match as they are, or as they were at first. */
  public selects(resource: Resource): boolean {
    const { id, originalId } = resource;
    return (
      this.matchesKind(id) &&
      [originalId, id].some((any) => this.patterns.namespace(effectiveNamespace(any))) &&
      [originalId, id].some((any) => this.patterns.name(any.name)) &&
      this.matchesMetadata(resource)
    );
  }

  public matchesId(id: ResourceId): boolean {
    return this.matchesKind(id) && this.patterns.name(id.name) && this.patterns.namespace(id.namespace);
  }

  public matchesMetadata(resource: Resource): boolean {
    return this.labels(resource.labels) && this.annotations(resource.annotations);
  }

  private matchesKind({ group, version, kind }: GroupVersionKind): boolean {
    const { patterns } = this;
    return patterns.group(group) && patterns.version(version) && patterns.kind(kind);
  }
}

function wholeValue(pattern: string | undefined): Matches {
  if (!pattern) return () => true;
  return regularExpression(`^(?:${pattern})$`);
}

/**
 * Compiles an expression of Go, which is matched in linear time.
 *
 * @throws Refusal if it is invalid
 */
export function regularExpression(pattern: string): Matches {
  // Names need no automaton.
  const literal = /^\^(?:\(\?:)?([\w-]*)\)?\$$/.exec(pattern);
  if (literal) return (value) => value === literal[1];
  if (pattern.length > LONGEST_PATTERN)
    throw new NotFollowed(`a regular expression of more than ${LONGEST_PATTERN} characters`);
  try {
    const compiled = compilePattern(pattern);
    return (value) => compiled.test(value);
  } catch {
    throw new KustomizeRefusal(`error parsing regexp: ${pattern}`);
  }
}
