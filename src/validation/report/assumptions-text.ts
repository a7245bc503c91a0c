import { foldAlike } from './fold-alike';
import { Section } from './section';
import { Verdict } from './verdict';

/** Objects that are named of many. */
const MOST_NAMES = 4;
/** An object that is left out, and why. */
const LEFT_OUT = /^(the pods of )?([A-Z]\S* \S+) (is not judged|are not counted): (.*)$/s;
const NOT_EVALUATED = /^(KARP-\d+) is not evaluated for ([^:]+): (.*)$/s;

interface NotEvaluated {
  readonly rules: readonly string[];
  readonly objects: readonly string[];
  readonly why: string;
}

/** What the verdict rests on. Where many rules say the same of an object, or a rule of many objects, they do so in one line. */
export function describeAssumptions({ assumptions }: Pick<Verdict, 'assumptions'>): Section {
  const found = assumptions.map((sentence) => NOT_EVALUATED.exec(sentence));
  const single = found.flatMap((match): NotEvaluated[] => match ? [{ rules: [match[1]], objects: [match[2]], why: match[3] }] : []);
  const ofObjects = merged(single, ({ objects, why }) => JSON.stringify([objects, why]));
  const lines = merged(ofObjects, ({ rules, why }) => JSON.stringify([rules, why])).map(notEvaluatedText);
  const others = foldAlike(assumptions.filter((_, at) => !found[at]), leftOutKey).map(leftOutText);
  return { title: 'Taken for granted', lines: [...others, ...lines].map((sentence) => `  - ${sentence}`) };
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
  return names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`] : names;
}

function merged(all: readonly NotEvaluated[], keyOf: (one: NotEvaluated) => string): NotEvaluated[] {
  const groups = new Map<string, NotEvaluated>();
  for (const one of all) {
    const known = groups.get(keyOf(one));
    groups.set(keyOf(one), known ? {
      rules: [...new Set([...known.rules, ...one.rules])], objects: [...new Set([...known.objects, ...one.objects])], why: one.why,
    } : one);
  }
  return [...groups.values()];
}

function notEvaluatedText({ rules, objects, why }: NotEvaluated): string {
  return `${listed(rules)} ${rules.length === 1 ? 'is' : 'are'} not evaluated for ${listed(firstOf(objects))}: ${why}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
