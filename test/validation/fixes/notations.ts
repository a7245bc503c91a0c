import fc from 'fast-check';
import { stringify } from 'yaml';

/** Ways in which a file may be written. */
export interface Notation {
  readonly format: 'block' | 'flow' | 'mixed' | 'json' | 'json in lines';
  readonly indent: 2 | 4;
  readonly isListIndented: boolean;
  readonly hasSingleQuotes: boolean;
  readonly lineEnd: '\n' | '\r\n';
  readonly hasByteOrderMark: boolean;
  readonly endsWithLineEnd: boolean;
  /** For each line in turn, whether it has a comment, and whether one is above it. */
  readonly comments: ReadonlyArray<readonly [behind: boolean, above: boolean]>;
}

export const notation: fc.Arbitrary<Notation> = fc.record({
  format: fc.constantFrom('block', 'flow', 'mixed', 'json', 'json in lines'),
  indent: fc.constantFrom(2, 4),
  isListIndented: fc.boolean(),
  hasSingleQuotes: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  hasByteOrderMark: fc.boolean(),
  endsWithLineEnd: fc.boolean(),
  comments: fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 9 }),
});

export function written(objects: readonly unknown[], how: Notation): string {
  const documents = objects.map((object) => (how.format.startsWith('json') ? json(object, how) : yaml(object, how)));
  const text = how.format.startsWith('json') ? documents.join('') : documents.join('---\n');
  const ended = how.endsWithLineEnd ? text : text.replace(/\n$/, '');
  return `${how.hasByteOrderMark ? '\ufeff' : ''}${ended.replaceAll('\n', how.lineEnd)}`;
}

export function commentsIn(text: string): string[] {
  return text.match(/# note \d+/g) ?? [];
}

function json(object: unknown, { format, indent }: Notation): string {
  return `${JSON.stringify(object, undefined, format === 'json' ? 0 : indent)}\n`;
}

function yaml(object: unknown, { format, indent, isListIndented, hasSingleQuotes, comments }: Notation): string {
  const text = stringify(object, (_key, value: unknown) => value, {
    indent,
    indentSeq: isListIndented,
    singleQuote: hasSingleQuotes,
    lineWidth: 0,
    collectionStyle: format === 'mixed' ? 'any' : (format as 'block' | 'flow'),
  });
  if (format === 'flow') return text;
  let count = 0;
  return text
    .split('\n')
    .map((line, index) => {
      const [behind, above] = comments[index % comments.length];
      if (line === '') return line;
      const before = above ? `${/^ */.exec(line)![0]}# note ${count++}\n` : '';
      return `${before}${line}${behind ? ` # note ${count++}` : ''}`;
    })
    .join('\n');
}
