import { labelName, RESTRICTED_LABELS } from './label-keys';
import { Requirement, RequirementSpec } from './requirement';

const NONE: ReadonlySet<string> = new Set();

/**
 * Requirements by label key, each the intersection of all that were added for its key.
 *
 * Where Karpenter's result depends on Go's map order (which of several hints or failures comes first), the first in sort order is
 * taken here.
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

  /** What is required of a label; `Exists`, which any value meets, where nothing is. */
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

  /** Narrows in place: a key that is already required is intersected. */
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
   * Karpenter's error where some key required by both has no value in common, undefined otherwise. Keys of one side only are free,
   * and two requirements that an absent label meets are compatible.
   */
  intersects(incoming: Requirements): string | undefined {
    const conflicts = this.conflicts(incoming);
    return conflicts.length === 0 ? undefined : conflicts.sort().map((key) => this.conflict(key, incoming)).join('; ');
  }

  /**
   * As `intersects`, where these are a node's requirements: a key that only `incoming` requires must also be defined here, unless an
   * absent label meets it or `allowUndefined` holds it.
   *
   * @returns Karpenter's error text, undefined where compatible
   */
  compatible(incoming: Requirements, allowUndefined: ReadonlySet<string> = NONE): string | undefined {
    const undefinedKeys = this.undefinedKeys(incoming, allowUndefined);
    if (undefinedKeys.length > 0) {
      const [first] = undefinedKeys.sort();
      return `label ${JSON.stringify(first)} does not have known values${this.hint(first, allowUndefined)}`;
    }
    return this.intersects(incoming);
  }

  /** `compatible` without the cost of wording an error. */
  isCompatible(incoming: Requirements, allowUndefined: ReadonlySet<string> = NONE): boolean {
    return this.undefinedKeys(incoming, allowUndefined).length === 0 && this.conflicts(incoming).length === 0;
  }

  /** As Karpenter prints them: sorted by text, without the host name. */
  toString(): string {
    return [...this.byKey.values()].filter((requirement) => !RESTRICTED_LABELS.has(requirement.key)).map(String).sort().join(', ');
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
      const other = incoming.byKey.get(key);
      if (other && !existing.hasIntersection(other) && !(allowsAbsence(other) && allowsAbsence(existing))) {
        keys.push(key);
      }
    }
    return keys;
  }

  private conflict(key: string, incoming: Requirements): string {
    return `key ${key}, ${incoming.get(key)} not in ${this.get(key)}`;
  }

  private hint(key: string, allowUndefined: ReadonlySet<string>): string {
    const likely = mostAlike(key, [...allowUndefined]) ?? mostAlike(key, [...this.byKey.keys()]);
    return likely === undefined ? '' : ` (typo of ${JSON.stringify(likely)}?)`;
  }
}

/** Whether a node without the label may meet the requirement. */
function allowsAbsence(requirement: Requirement): boolean {
  const operator = requirement.operator();
  return operator === 'NotIn' || operator === 'DoesNotExist';
}

/** Of the keys that Karpenter would hint at, the one that differs least: the same name first, then the shortest. */
function mostAlike(key: string, candidates: readonly string[]): string | undefined {
  const name = labelName(key);
  const alike = candidates.filter((candidate) => candidate.includes(key) || candidate.endsWith(name));
  const [best] = alike.sort((left, right) =>
    Number(labelName(right) === name) - Number(labelName(left) === name) || left.length - right.length || (left < right ? -1 : 1));
  return best;
}
