import * as fc from 'fast-check';
import { CONTAINER, pod } from './manifests';
import { SourceText } from '../../../src/validation';
import { readTrees } from '../../../src/validation/manifest/document-trees';
import { readDocuments } from '../../../src/validation/manifest/documents';
import { DocumentProblem } from '../../../src/validation/manifest/plain-value';
import { readSimple } from '../../../src/validation/manifest/simple-block';
import { treeOf, treeOffset } from '../../../src/validation/manifest/tree-places';

type Step = string | number;
interface Read { readonly value: unknown; readonly offsetOf: (path: readonly Step[]) => number }

/** All there is to say about a text: values, the place of every field, problems. */
function told(documents: readonly Read[], problems: readonly DocumentProblem[]): unknown {
  const places = documents.map(({ value, offsetOf }) => [...pathsOf(value)].map((path) => `${path.join('/')} ${offsetOf(path)}`));
  return { values: JSON.stringify(documents.map(({ value }) => value)), places, problems };
}

function* pathsOf(value: unknown, path: readonly Step[] = []): Generator<readonly Step[]> {
  yield path;
  yield [...path, 'no such key'];
  yield [...path, 7];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

function byLibrary(text: string): unknown {
  const problems: DocumentProblem[] = [];
  const trees = [...readTrees(new SourceText({ path: '', text }), problems)].filter(({ value }) => value !== null);
  return told(trees.map(({ root, value }) => ({ value, offsetOf: (path) => treeOffset(treeOf(root, 0), path) })), problems);
}

function asRead(text: string): unknown {
  const { documents, problems } = readDocuments(new SourceText({ path: '', text }));
  return told(documents.map((document) => ({ value: document.value, offsetOf: (path) => document.offsetOf(path) })), problems);
}

const KEYS = ['a', 'b', 'c', 'app.kubernetes.io/name', '"in quotes"', '\'x\'', '1', 'true', 'null', '__proto__'];
const RARE_KEYS = ['two words', '<<', '? a', '@a', ''];
const SCALARS = [
  'a', 'app:1', '100m', '1', '-0', '+5', '1.50', '.5', '1e3', '12345678901234567890', 'true', 'Yes', 'off', 'null', '~', '', '"q"', '\'it\'\'s\'', '"a\\n\\u0041\\"b"',
  '--flag=x', '$(VAR)', 'http://host:80/p', 'two words', 'x#y', 'it\'s', 'a, b', 'a]', '2024-01-01', 'ä 😀',
  '{}', '[]', '[a, "b", c]', '[[1, null], {a: {}}]', '{ a: 1, "b": two words, c: [d, e:1] }', '{"a":"b"}',
];
/** What is the library's, and what is no YAML. */
const RARE_SCALARS = [
  '0x1F', '.inf', '"\\x41"', '[a, ]', '{a: b, a: c}', '{a:b}', '[a: b]', '{a}', '{a: [}', '|', '>-', '*x', '&x y', '!Ref z', '@a', 'a: b', '"open', '- a', '\t', 'a\r', '\u2028', '%a', '`',
];
/** Rarely one of the rare ones: a document has many places for one. */
function mostly<T>(usual: readonly T[], rare: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: fc.constantFrom(...usual), weight: 60 }, { arbitrary: fc.constantFrom(...rare), weight: 1 });
}
const noise = mostly([''], [' ', ' # comment', '  #', '#']);
const line = mostly([''], ['# comment\n', '\n', '   \n', '      # far in\n', '#\n']);
const step = mostly([2], [0, 1, 3, 4]);

/** Lines of a mapping or a list: mostly right, now and then not. */
function block(indent: number, depth: number): fc.Arbitrary<string> {
  const mapping = fc.uniqueArray(mostly(KEYS, RARE_KEYS), { minLength: 1, maxLength: 3 })
    .chain((keys) => fc.tuple(...keys.map((key) => entry(`${key}:`, indent, depth))));
  const compact = depth > 0 ? [block(indent + 2, depth - 1).map((inner) => `- ${inner.trimStart()}`)] : [];
  const list = fc.array(fc.oneof(entry('-', indent, 0), ...compact), { minLength: 1, maxLength: 3 });
  const entries = fc.oneof({ arbitrary: mapping, weight: 3 }, { arbitrary: list, weight: 1 });
  return entries.chain((all) => fc.tuple(...all.map((text) => line.map((before) => `${before}${' '.repeat(indent)}${text}`))).map((lines) => lines.join('')));
}

/** What stands behind a key or a dash. */
function entry(key: string, indent: number, depth: number): fc.Arbitrary<string> {
  const inline = fc.tuple(mostly(SCALARS, RARE_SCALARS), noise).map(([value, end]) => `${key} ${value}${end}\n`);
  if (depth === 0) return inline;
  const nested = fc.tuple(noise, step).chain(([end, by]) => block(indent + by, depth - 1).map((inner) => `${key}${end}\n${inner}`));
  return fc.oneof(inline, nested);
}

const SEPARATORS = ['--- # next\n', '---\n---\n', '---\n# none\n---\n', '...\n', '--- a\n', '\n---'];
const file = fc.tuple(fc.array(block(0, 2), { minLength: 1, maxLength: 4 }), mostly(['---\n'], SEPARATORS))
  .map(([documents, between]) => documents.join(between));

describe('documents that are read without the library', () => {
  test('mean to both readers the same, and so do those that only one of them reads', () => {
    fc.assert(fc.property(file, (text) => {
      expect(asRead(text)).toEqual(byLibrary(text));
    }), { seed: 11, numRuns: 1500 });
  });

  test('that are JSON mean the same', () => {
    fc.assert(fc.property(fc.json(), fc.constantFrom(undefined, 1, 2), (json, space) => {
      const text = JSON.stringify({ json: JSON.parse(json) }, undefined, space);
      expect(asRead(text)).toEqual(byLibrary(text));
    }), { seed: 11, numRuns: 500 });
  });

  test.each<[string, string]>([
    ['blocks', pod(`${CONTAINER}  tolerations:\n  - key: a # why\n    operator: Exists\n\n  nodeSelector:\n    "zone": 'b'\n`)],
    ['lists that are indented', 'args:\n  - --a=b\n  - "c d"\n'],
    ['JSON', JSON.stringify({ kind: 'Pod', metadata: { annotations: { note: 'a "quoted" word\n' } }, spec: [1, [], {}] }, undefined, 2)],
  ])('are %s', (_, text) => {
    expect(readSimple(text)).toMatchObject({ value: expect.anything() });
  });

  test.each([
    ['texts of several lines', 'a: |\n  b\n'], ['plain texts of several lines', 'a: b\n  c\n'],
    ['anchors', 'a: &b c\n'], ['aliases', 'a: *b\n'], ['tags', 'a: !Ref b\n'], ['merge keys', '<<: {a: b}\n'],
    ['keys written twice', 'a: 1\na: 2\n'], ['tabs', 'a:\tb\n'], ['Windows line ends', 'a: b\r\n'], ['collections of several lines in a block', 'a: [b,\n  c]\n'], ['errors', 'a: [b\n'],
    ['nesting that could exhaust the stack', `${'['.repeat(20_000)}${']'.repeat(20_000)}`], ['keys too long for YAML', `${'k'.repeat(2000)}: 1\n`],
  ])('have no %s', (_, text) => {
    expect(readSimple(text)).toBeUndefined();
  });

  test('stand beside others in one file, each with the places of its own', () => {
    const { documents, problems } = readDocuments(new SourceText({ path: '', text: 'a: 1\n---\nb: |\n  text\nc: 2\n---\nd: 3\nd: 4\n---\n{ e: 5 }\n' }));
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 'text\n', c: 2 }, { d: 4 }, { e: 5 }]);
    expect(documents.map((document, at) => document.offsetOf([['a', 'c', 'd', 'e'][at]]))).toEqual([0, 21, 35, 46]);
    expect(problems).toMatchObject([{ kind: 'duplicate-key', offset: 35 }]);
  });
});
