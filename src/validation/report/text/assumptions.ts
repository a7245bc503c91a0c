import { groupSimilar } from '../similar';
import { Verdict } from '../verdict';
import { Section } from '../wording';

/** The most objects that are named in one line. */
const MAX_NAMES = 4;
/** A sentence about an object that is left out, with the reason. */
const LEFT_OUT = /^(the pods of )?([A-Z]\S* \S+) (is not evaluated|are not counted): (.*)$/s;
/** A sentence about an object that a rule cannot evaluate, with the reason. */
const RULE_NOT_EVALUATED = /^(KARP-\d+) is not evaluated for ([^:]+): (.*)$/s;

interface RuleNotEvaluated {
  readonly rules: readonly string[];
  readonly objects: readonly string[];
  readonly why: string;
}

/**
 * The assumptions behind the verdict. Sentences that differ only in their rule, or only in their object, are joined.
 */
export function describeAssumptions({ assumptions }: Pick<Verdict, 'assumptions'>): Section {
  const matches = assumptions.map((sentence) => RULE_NOT_EVALUATED.exec(sentence));
  const single = matches.flatMap((match): RuleNotEvaluated[] => match ? [{ rules: [match[1]], objects: [match[2]], why: match[3] }] : []);
  const byObject = merged(single, ({ objects, why }) => JSON.stringify([objects, why]));
  const byRules = merged(byObject, ({ rules, why }) => JSON.stringify([rules, why])).map(ruleNotEvaluatedText);
  const sentences = groupSimilar(assumptions.filter((_, index) => !matches[index]), leftOutKey).map(leftOutText);
  return { title: 'Assumptions', lines: [...sentences, ...byRules].map((sentence) => `  - ${sentence}`) };
}

function leftOutKey(sentence: string): string {
  const match = LEFT_OUT.exec(sentence);
  return match ? JSON.stringify([match[1], match[3], match[4]]) : sentence;
}

function leftOutText(sentences: readonly string[]): string {
  if (sentences.length === 1) return sentences[0];
  const [, before = '', , verb, why] = LEFT_OUT.exec(sentences[0])!;
  const names = sentences.map((sentence) => LEFT_OUT.exec(sentence)![2]);
  return `${before}${listed(firstOf(names))} ${verb.replace(/^is /, 'are ')}: ${why}`;
}

function firstOf(names: readonly string[]): readonly string[] {
  return names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), `${names.length - MAX_NAMES} more`] : names;
}

function merged(entries: readonly RuleNotEvaluated[], keyOf: (entry: RuleNotEvaluated) => string): RuleNotEvaluated[] {
  const groups = new Map<string, RuleNotEvaluated>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    groups.set(keyOf(entry), group ? {
      rules: [...new Set([...group.rules, ...entry.rules])], objects: [...new Set([...group.objects, ...entry.objects])], why: entry.why,
    } : entry);
  }
  return [...groups.values()];
}

function ruleNotEvaluatedText({ rules, objects, why }: RuleNotEvaluated): string {
  return `${listed(rules)} ${rules.length === 1 ? 'is' : 'are'} not evaluated for ${listed(firstOf(objects))}: ${why}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
