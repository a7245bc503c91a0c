import { Catalog } from '../../catalog';
import { ScheduleInput, SchedulePlan } from '../../scheduling';
import { Controller } from '../controller';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { CheckOptions } from '../options';

export type Severity = 'error' | 'warning' | 'info';

/** All that a rule may look at. Rules read; they never change anything here. */
export interface RuleContext {
  readonly model: ManifestModel;
  readonly input: ScheduleInput;
  readonly plan: SchedulePlan;
  /** What Karpenter's last pass had before it. */
  readonly lastInput: ScheduleInput;
  readonly catalog: Catalog;
  readonly options: CheckOptions;
  /** Karpenter itself, where it is known how it runs; more than one where the input installs it more than once. */
  readonly controllers: readonly Controller[];
}

export interface RuleFinding {
  readonly object: ManifestObject;
  /** Of the field that is wrong, from the object's root. A path that is not there points at its nearest ancestor. */
  readonly path: readonly (string | number)[];
  /** What happens, with figures. */
  readonly message: string;
  /** What to write instead. */
  readonly remedy: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  /** @default - the rule's severity */
  readonly severity?: Severity;
}

/** What a rule says of one object. A rule that does not apply to an object says nothing of it. */
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
  /** One sentence. */
  readonly summary: string;
  /** Ids of rules that say it better: where one of them has an error on an object, what this one finds there is left out. */
  readonly unlessFoundBy?: readonly string[];
  check(context: RuleContext): Outcome[];
}
