import { isAssumedObject } from './headline';
import { Layout } from './layout';
import { isOriginText } from '../../../catalog';
import { listText } from '../../../model';
import { Verdict } from '../../vocabulary/verdict';
import { groupSimilar } from '../similar';
import { omittedText, PRINT_ALL, Section } from '../wording';

/** The most objects that are named in one line. */
const MAX_NAMES = 4;
/** A sentence about an object that is left out, with the reason. */
const LEFT_OUT = /^(the pods of )?([A-Z]\S* \S+) (is not evaluated|are not counted): (.*)$/s;
/** A sentence about an instance type that some zones lack. */
const OFFERED_IN =
  /^(\S+) is offered in (\d+ of the \d+ zones of \S+): whether (\S+) is one of them depends on the account$/;
/** The most assumptions of the short report. */
const MAX_SHORT = 8;
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
  const others = joinOffered(assumptions.filter((_, index) => !matches[index]));
  const single = matches.flatMap((match): RuleNotEvaluated[] =>
    match ? [{ rules: [match[1]], objects: [match[2]], why: match[3] }] : [],
  );
  const byObject = merged(single, ({ objects, why }) => JSON.stringify([objects, why]));
  const byRules = merged(byObject, ({ rules, why }) => JSON.stringify([rules, why])).map(ruleNotEvaluatedText);
  const sentences = groupSimilar(others, leftOutKey).map(leftOutText);
  return { title: 'Assumptions', lines: [...sentences, ...byRules].map((sentence) => `  - ${sentence}`) };
}

/** The first assumptions, cut to a line each. Those of the headline are left out. */
export function shortAssumptions({ assumptions }: Pick<Verdict, 'assumptions'>, layout: Layout): Section {
  const { title, lines } = describeAssumptions({
    assumptions: assumptions.filter((sentence) => !isAssumedObject(sentence)),
  });
  const left = lines.length - MAX_SHORT;
  const printed = left > 1 ? lines.slice(0, MAX_SHORT) : lines;
  return {
    title,
    lines: [
      ...printed.map((line) => (isOriginText(line.replace(/^ *- /, '')) ? line : layout.cut(line, layout.width))),
      ...(left > 1 ? [`  ${omittedText(left, 'assumption', PRINT_ALL)}`] : []),
    ],
  };
}

/** One sentence for all instance types that are offered in as many zones of the region. */
function joinOffered(sentences: readonly string[]): string[] {
  const groups = new Map<string, { readonly types: Set<string>; readonly sentences: string[] }>();
  const zonesOf = (sentence: string) => OFFERED_IN.exec(sentence)?.slice(1) ?? [];
  for (const sentence of sentences) {
    const [type, zones] = zonesOf(sentence);
    if (zones === undefined) continue;
    const group = groups.get(zones) ?? { types: new Set(), sentences: [] };
    groups.set(zones, group);
    group.types.add(type);
    group.sentences.push(sentence);
  }
  return sentences.flatMap((sentence) => {
    const [, zones] = zonesOf(sentence);
    const group = zones === undefined ? undefined : groups.get(zones);
    if (group === undefined || group.sentences.length === 1) return [sentence];
    if (sentence !== group.sentences[0]) return [];
    const types = [...group.types];
    return [
      `${listText(firstOf(types))} ${types.length === 1 ? 'is' : 'are'} offered in ${zones}: whether these have the zones of the nodes depends on the account`,
    ];
  });
}

function leftOutKey(sentence: string): string {
  const match = LEFT_OUT.exec(sentence);
  return match ? JSON.stringify([match[1], match[3], match[4]]) : sentence;
}

function leftOutText(sentences: readonly string[]): string {
  if (sentences.length === 1) return sentences[0];
  const [, before = '', , verb, why] = LEFT_OUT.exec(sentences[0])!;
  const names = sentences.map((sentence) => LEFT_OUT.exec(sentence)![2]);
  return `${before}${listText(firstOf(names))} ${verb.replace(/^is /, 'are ')}: ${why}`;
}

function firstOf(names: readonly string[]): readonly string[] {
  return names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), `${names.length - MAX_NAMES} more`] : names;
}

function merged(entries: readonly RuleNotEvaluated[], keyOf: (entry: RuleNotEvaluated) => string): RuleNotEvaluated[] {
  const groups = new Map<string, RuleNotEvaluated>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    groups.set(
      keyOf(entry),
      group
        ? {
            rules: [...new Set([...group.rules, ...entry.rules])],
            objects: [...new Set([...group.objects, ...entry.objects])],
            why: entry.why,
          }
        : entry,
    );
  }
  return [...groups.values()];
}

function ruleNotEvaluatedText({ rules, objects, why }: RuleNotEvaluated): string {
  return `${listText(rules)} ${rules.length === 1 ? 'is' : 'are'} not evaluated for ${listText(firstOf(objects))}: ${why}`;
}
