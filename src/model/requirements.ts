import { labelName, RESTRICTED_LABELS } from './label-keys';
import { Requirement, RequirementSpec } from './requirement';

const NONE: ReadonlySet<string> = new Set();

/**
 * Requirements by label key. Requirements with the same key are intersected.
 *
 * If Karpenter's result depends on Go's map order (which of several hints or failures comes first), the first one in
 * sort order is used.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/scheduling/requirements.go
 */
export class Requirements {
  static from(specs: readonly RequirementSpec[]): Requirements {
    return Requirements.of(specs.map((spec) => Requirement.from(spec)));
  }

  static fromLabels(labels: Readonly<Record<string, string>>): Requirements {
    return Requirements.of(Object.entries(labels).map(([key, value]) => Requirement.ofLabel(key, value)));
  }

  static of(requirements: readonly Requirement[]): Requirements {
    const result = new Requirements();
    requirements.forEach((requirement) => result.add(requirement));
    return result;
  }

  private readonly byKey = new Map<string, Requirement>();

  /** The requirement on a label. Without one it is `Exists`, which any value meets. */
  get(key: string): Requirement {
    return this.byKey.get(key) ?? Requirement.from({ key, operator: 'Exists' });
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  /** Sorted. */
  keys(): string[] {
    return [...this.byKey.keys()].sort();
  }

  /** In the order of the sorted keys. */
  values(): Requirement[] {
    return this.keys().map((key) => this.get(key));
  }

  hasMinValues(): boolean {
    return [...this.byKey.values()].some((requirement) => requirement.minValues !== undefined);
  }

  /** Adds requirements in place: a requirement on an existing key is intersected with it. */
  add(...requirements: readonly Requirement[]): void {
    for (const requirement of requirements) {
      const existing = this.byKey.get(requirement.key);
      this.byKey.set(requirement.key, existing ? requirement.intersect(existing) : requirement);
    }
  }

  copy(): Requirements {
    const result = new Requirements();
    for (const [key, requirement] of this.byKey) {
      result.byKey.set(key, requirement);
    }
    return result;
  }

  /**
   * Karpenter's error text if a key that both require has no common value, otherwise undefined. Keys of one side only
   * do not matter, and two requirements that a missing label meets are compatible.
   */
  intersects(incoming: Requirements): string | undefined {
    const conflicts = this.conflicts(incoming);
    return conflicts.length === 0
      ? undefined
      : conflicts
          .sort()
          .map((key) => this.conflict(key, incoming))
          .join('; ');
  }

  /**
   * Like `intersects`, for the requirements of a node: a key that `incoming` requires must also be defined here, unless
   * a missing label meets the requirement or `allowUndefined` contains the key.
   *
   * @returns Karpenter's error text; undefined if compatible
   */
  compatible(incoming: Requirements, allowUndefined: ReadonlySet<string> = NONE): string | undefined {
    const undefinedKeys = this.undefinedKeys(incoming, allowUndefined);
    if (undefinedKeys.length > 0) {
      const [first] = undefinedKeys.sort();
      return `label ${JSON.stringify(first)} does not have known values${this.hint(first, allowUndefined)}`;
    }
    return this.intersects(incoming);
  }

  /** Like `compatible`, but without the cost of an error text. */
  isCompatible(incoming: Requirements, allowUndefined: ReadonlySet<string> = NONE): boolean {
    return this.undefinedKeys(incoming, allowUndefined).length === 0 && this.conflicts(incoming).length === 0;
  }

  /** As Karpenter prints them: sorted by text, without the hostname. */
  toString(): string {
    return [...this.byKey.values()]
      .filter((requirement) => !RESTRICTED_LABELS.has(requirement.key))
      .map(String)
      .sort()
      .join(', ');
  }

  private undefinedKeys(incoming: Requirements, allowUndefined: ReadonlySet<string>): string[] {
    const keys = [];
    for (const [key, requirement] of incoming.byKey) {
      if (!allowUndefined.has(key) && !this.byKey.has(key) && !allowsAbsence(requirement)) {
        keys.push(key);
      }
    }
    return keys;
  }

  private conflicts(incoming: Requirements): string[] {
    const keys = [];
    for (const [key, existing] of this.byKey) {
      const incomingRequirement = incoming.byKey.get(key);
      if (
        incomingRequirement &&
        !existing.hasIntersection(incomingRequirement) &&
        !(allowsAbsence(incomingRequirement) && allowsAbsence(existing))
      ) {
        keys.push(key);
      }
    }
    return keys;
  }

  private conflict(key: string, incoming: Requirements): string {
    return `key ${key}, ${incoming.get(key)} not in ${this.get(key)}`;
  }

  private hint(key: string, allowUndefined: ReadonlySet<string>): string {
    const likely = likelyKey(key, [...allowUndefined]) ?? likelyKey(key, [...this.byKey.keys()]);
    return likely === undefined ? '' : ` (typo of ${JSON.stringify(likely)}?)`;
  }
}

/** Whether a node without the label may meet the requirement. */
function allowsAbsence(requirement: Requirement): boolean {
  const operator = requirement.operator();
  return operator === 'NotIn' || operator === 'DoesNotExist';
}

/** The most similar one of the keys that Karpenter would hint at: first a key with the same name, then the shortest. */
function likelyKey(key: string, candidates: readonly string[]): string | undefined {
  const name = labelName(key);
  const hints = candidates.filter((candidate) => candidate.includes(key) || candidate.endsWith(name));
  const [best] = hints.sort(
    (left, right) =>
      Number(labelName(right) === name) - Number(labelName(left) === name) ||
      left.length - right.length ||
      (left < right ? -1 : 1),
  );
  return best;
}
