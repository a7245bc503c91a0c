import { Section } from './section';
import { Verdict } from './verdict';

/** Objects that are named of many. */
const MOST_NAMES = 4;
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
  const others = assumptions.filter((_, at) => !found[at]);
  return { title: 'Taken for granted', lines: [...others, ...lines].map((sentence) => `  - ${sentence}`) };
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
  const names = objects.length > MOST_NAMES ? [...objects.slice(0, MOST_NAMES), `${objects.length - MOST_NAMES} more`] : objects;
  return `${listed(rules)} ${rules.length === 1 ? 'is' : 'are'} not evaluated for ${listed(names)}: ${why}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
