import { fail, notEvaluated, Outcome, pass, Rule, RuleContext, RuleFinding } from './rule';
import { memoizeByIdentity } from '../../model';
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
  /** Whether the rule also judges the AWS resources in Terraform files, if there are no templates. @default false */
  readonly readsTerraform?: boolean;
  readonly subjects: Subjects<Facts>;
  readonly judge: (facts: Facts, context: RuleContext) => Judgement;
}

/** A rule that judges each of its subjects by itself. */
export function defineRule<Facts>({ subjects, judge, readsTerraform, ...metadata }: RuleDefinition<Facts>): Rule {
  return {
    ...metadata,
    check: (given) => {
      const context = readsTerraform === true ? withWrittenAws(given) : given;
      return subjects(context).flatMap((subject) =>
        subject.unknown === undefined
          ? outcomesOf(subject.object, judge(subject.facts, context))
          : [notEvaluated(subject.object, subject.unknown)],
      );
    },
  };
}

/** One context for all rules: what they compute is kept for each context. */
const withWrittenAws = memoizeByIdentity((context: RuleContext): RuleContext => {
  const { model } = context;
  if (model.writtenAws === undefined || model.aws.hasTemplates) return context;
  // The context has getters of a class, which a copy by spread would lose.
  return Object.create(context, { model: { value: { ...model, aws: model.writtenAws } } }) as RuleContext;
});

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
