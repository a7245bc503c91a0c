import { FieldFix } from '../../contract';
import { RuleContext } from '../context/check-session';
import { AddedObject, ObjectFix } from '../manifest/edit/fix-of';
import { ManifestObject } from '../manifest/model';

export type { RuleContext };

export type Severity = 'error' | 'warning' | 'info';

/** What to write instead. */
export type Remedy = Pick<RuleFinding, 'remedy' | 'fix' | 'also'>;

export interface RuleFinding {
  readonly object: ManifestObject;
  /** Path of the wrong field from the object's root. A path that does not exist points at its nearest ancestor. */
  readonly path: readonly (string | number)[];
  /** What is wrong, with the value, and why it matters. */
  readonly message: string;
  /** What to write instead. */
  readonly remedy: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  /** The remedy as a change of the object. @default - the remedy leaves a choice */
  readonly fix?: FieldFix;
  /** Whether the fix restores a misspelt name. What else is wrong then was wrong before. @default false */
  readonly isTypo?: boolean;
  /** Changes of other objects that belong to the remedy. @default - none */
  readonly also?: readonly ObjectFix[];
  /** A new object that is the remedy, such as a PodDisruptionBudget. @default - none */
  readonly adds?: AddedObject;
  /** Further remedies, the best first, if a check of the changed input shows that the first one makes things worse. */
  readonly alternatives?: readonly Remedy[];
  /**
   * The input without the mistake, if its remedy cannot be tried, because it is outside of the objects. Findings that
   * are gone then follow from this one. @default - nothing follows from the finding
   */
  readonly restored?: readonly ObjectFix[];
  /** A field of another object that takes part in the problem, such as a taint of a NodePool. */
  readonly related?: RelatedField;
  /** @default - the rule's severity */
  readonly severity?: Severity;
}

/** A field that a finding about another object points at. */
export interface RelatedField {
  readonly object: ManifestObject;
  readonly path: readonly (string | number)[];
  /** What the field has to do with the finding, in a few words. */
  readonly label: string;
}

/** A rule's result for one object. A rule that does not apply to an object returns nothing for it. */
export type Outcome =
  | { readonly state: 'fail'; readonly finding: RuleFinding }
  | { readonly state: 'pass'; readonly object: ManifestObject }
  | { readonly state: 'not-evaluated'; readonly object: ManifestObject; readonly why: string };

export interface Rule {
  /** `KARP-<number>`: never reused. */
  readonly id: string;
  /** A few words in kebab-case. */
  readonly name: string;
  readonly severity: Severity;
  /** What the rule finds, for docs/rules.md; at most 40 words a sentence. */
  readonly summary: string;
  /**
   * Whether the rule advises how to run a workload on Karpenter's nodes. Without a NodePool, its warnings are lowered
   * to info: the pods may run elsewhere.
   * @default false
   */
  readonly isWorkloadAdvice?: boolean;
  /**
   * Whether the rule is about a choice of the author of the workload. In samples and files of vendors, its findings are
   * lowered to info, like warnings of advice.
   * @default false
   */
  readonly isVendorsChoice?: boolean;
  /**
   * Whether the rule is about production only. In a cluster for development, its warnings are lowered to info.
   * @default false
   */
  readonly isProductionAdvice?: boolean;
  /**
   * Ids of more specific rules: if one of them reports an error on an object, this rule's findings on that object
   * are dropped.
   */
  readonly supersededBy?: readonly string[];
  check(context: RuleContext): Outcome[];
}

export function fail(finding: RuleFinding): Outcome {
  return { state: 'fail', finding };
}

export function pass(object: ManifestObject): Outcome {
  return { state: 'pass', object };
}

/** @param why the missing fact, as a clause that a user can act on */
export function notEvaluated(object: ManifestObject, why: string): Outcome {
  return { state: 'not-evaluated', object, why };
}
