import { fail, notEvaluated, Outcome, pass, Rule, RuleContext, RuleFinding } from './rule';
import { ManifestObject } from '../manifest/model';

/** What a rule judges, with the object to report, or why the object cannot be evaluated. */
export type Subject<Facts> =
  | { readonly object: ManifestObject; readonly facts: Facts; readonly unknown?: undefined }
  | { readonly object: ManifestObject; readonly unknown: string };

/** The subjects of a rule, in the order of its outcomes. `subjects.ts` has those of most rules. */
export type Subjects<Facts> = (context: RuleContext) => ReadonlyArray<Subject<Facts>>;

/** What is wrong with a subject. */
export type SubjectFinding = Omit<RuleFinding, 'object'> & {
  /** @default - the subject's object */
  readonly object?: ManifestObject;
};

export interface Unknown {
  /** The missing fact, as a clause that a user can act on. */
  readonly unknown: string;
}

/** The judgement of a subject that the rule says nothing about, if only the judging function can tell. */
export const NOT_APPLICABLE = 'not-applicable';

/** What a rule says about one subject. A subject without a finding passes. */
export type Judgement =
  | undefined
  | SubjectFinding
  | Unknown
  | ReadonlyArray<SubjectFinding | Unknown>
  | typeof NOT_APPLICABLE;

export interface RuleDefinition<Facts> extends Omit<Rule, 'check'> {
  readonly subjects: Subjects<Facts>;
  readonly judge: (facts: Facts, context: RuleContext) => Judgement;
}

/** A rule that judges each of its subjects by itself. */
export function defineRule<Facts>({ subjects, judge, ...metadata }: RuleDefinition<Facts>): Rule {
  return {
    ...metadata,
    check: (context) =>
      subjects(context).flatMap((subject) =>
        subject.unknown === undefined
          ? outcomesOf(subject.object, judge(subject.facts, context))
          : [notEvaluated(subject.object, subject.unknown)],
      ),
  };
}

/** @param why the missing fact, as a clause that a user can act on */
export function unknown(why: string): Unknown {
  return { unknown: why };
}

function outcomesOf(object: ManifestObject, judgement: Judgement): Outcome[] {
  if (judgement === NOT_APPLICABLE) return [];
  if (judgement === undefined) return [pass(object)];
  const parts = 'message' in judgement || 'unknown' in judgement ? [judgement] : judgement;
  if (parts.length === 0) return [pass(object)];
  return parts.map((part) => ('unknown' in part ? notEvaluated(object, part.unknown) : fail({ object, ...part })));
}
