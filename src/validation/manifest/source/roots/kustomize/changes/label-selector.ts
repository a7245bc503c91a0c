import { KustomizeRefusal } from '../refusal';

type Matches = (labels: ReadonlyMap<string, string>) => boolean;

/** A requirement of a selector; text that remains is no selector. */
const SET = /^\s*([^\s,!=<>()]+)\s+(in|notin)\s*\(([^()]*)\)\s*(?:,|$)/;
const COMPARISON = /^\s*([^\s,!=<>()]+)\s*(==|=|!=|<|>)\s*([^\s,!=<>()]*)\s*(?:,|$)/;
const PRESENCE = /^\s*(!?)\s*([^\s,!=<>()]+)\s*(?:,|$)/;

/**
 * Parses a selector such as `app=web,tier in (a, b),!legacy`.
 *
 * @throws Refusal if the text is no selector
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#api
 */
export function labelSelector(text: string): Matches {
  const terms: Matches[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const [matched, term] = nextTerm(rest) ?? [];
    if (matched === undefined || term === undefined) throw new KustomizeRefusal(`unable to parse requirement: ${text}`);
    terms.push(term);
    rest = rest.slice(matched.length);
  }
  return (labels) => terms.every((term) => term(labels));
}

function nextTerm(text: string): [matched: string, term: Matches] | undefined {
  const set = SET.exec(text);
  if (set) {
    const [matched, key, operator, list] = set;
    const values = list.split(',').map((value) => value.trim());
    return [matched, (labels) => hasOneOf(labels, key, values) === (operator === 'in')];
  }
  const comparison = COMPARISON.exec(text);
  if (comparison) return [comparison[0], compared(comparison[1], comparison[2], comparison[3])];
  const presence = PRESENCE.exec(text);
  return presence ? [presence[0], (labels) => labels.has(presence[2]) !== (presence[1] === '!')] : undefined;
}

function compared(key: string, operator: string, value: string): Matches {
  switch (operator) {
    case '!=':
      return (labels) => labels.get(key) !== value;
    case '<':
    case '>': {
      if (!/^-?\d+$/.test(value))
        throw new KustomizeRefusal(`for 'Gt', 'Lt' operators, the value must be an integer: ${value}`);
      return (labels) => {
        const actual = labels.get(key);
        if (actual === undefined || !/^-?\d+$/.test(actual)) return false;
        return operator === '<' ? Number(actual) < Number(value) : Number(actual) > Number(value);
      };
    }
    default:
      return (labels) => labels.get(key) === value;
  }
}

function hasOneOf(labels: ReadonlyMap<string, string>, key: string, values: readonly string[]): boolean {
  const value = labels.get(key);
  return value !== undefined && values.includes(value);
}
