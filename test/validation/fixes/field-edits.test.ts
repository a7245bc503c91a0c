import fc from 'fast-check';
import { commentsIn, notation, written } from './notations';
import { FieldEdit } from '../../../src/contract';
import { withFixes } from '../../../src/validation/fixes/apply-fixes';
import { fixOf } from '../../../src/validation/manifest/edit/fix-of';
import { ManifestObject } from '../../../src/validation/manifest/object';
import { SourceText } from '../../../src/validation/manifest/source/source-text';
import { readDocuments } from '../../../src/validation/manifest/yaml/documents';

const valueOf = (text: string) => readDocuments(new SourceText({ path: 'a.yaml', text })).documents[0]?.value;

/** The text with the edits; undefined if there is no fix. */
function edited(text: string, ...edits: FieldEdit[]): string | undefined {
  const file = { path: 'a.yaml', text };
  const source = { file: new SourceText(file), range: [0, new SourceText(file).text.length] as const, path: [] };
  const object = {
    apiVersion: 'v1',
    kind: 'X',
    name: 'x',
    raw: valueOf(text) as ManifestObject['raw'],
    locate: () => {
      throw new Error('not located');
    },
    source,
  };
  const fix = fixOf(object, { safe: true, edits });
  return fix && withFixes(file, [fix]).file.text;
}

const set = (path: FieldEdit['path'], value: unknown): FieldEdit => ({ operation: 'set', path, value });
const append = (path: FieldEdit['path'], value: unknown): FieldEdit => ({ operation: 'append', path, value });
const rename = (path: FieldEdit['path'], to: string): FieldEdit => ({ operation: 'rename', path, to });
const remove = (path: FieldEdit['path']): FieldEdit => ({ operation: 'remove', path });
const quote = (path: FieldEdit['path']): FieldEdit => ({ operation: 'quote', path });
const TOLERATION = { key: 'team', operator: 'Exists' };

test.each<[string, FieldEdit[], string, string]>([
  ['a key in block style', [rename(['a', 'b'], 'c')], 'a:\n  # one\n  b: 1 # two\n', 'a:\n  # one\n  c: 1 # two\n'],
  ['a quoted key', [rename(['b'], 'c')], '"b": 1\n', '"c": 1\n'],
  ['a value, with its quotes', [set(['a'], 'x')], "a: 'y' # one\n", "a: 'x' # one\n"],
  ['a value that needs quotes', [set(['a'], 'yes')], 'a: z\n', 'a: "yes"\n'],
  ['a number into a string, as it is written', [quote(['a'])], 'a: 1.10 # one\n', 'a: "1.10" # one\n'],
  [
    'a list in block style',
    [set(['a', 'b'], ['x', 'k', 'z'])],
    'a:\n  b:\n  - x\n  c: 1 # one\n',
    'a:\n  b:\n  - x\n  - k\n  - z\n  c: 1 # one\n',
  ],
  ['the only field in block style', [remove(['a', 'b'])], 'a:\n  b: 1\nc: 2\n', 'a: {}\nc: 2\n'],
  ['the only item in block style', [remove(['a', 0])], 'a:\n- b: 1\n  c: 2\nd: 3\n', 'a: []\nd: 3\n'],
  [
    'an object in block style',
    [set(['a', 0], { x: 1, k: ['z'] })],
    'a:\n  - b: 1\n    c: 2\n  - d\n',
    'a:\n  - x: 1\n    k: [z]\n  - d\n',
  ],
  ['an item of a list', [set(['a', 1], 'x')], 'a:\n- b\n- c\n', 'a:\n- b\n- x\n'],
  ['a removed item in flow style', [remove(['a', 0])], 'a: [b, c] # one\n', 'a: [c] # one\n'],
  ['the last item in flow style', [remove(['a', 1])], 'a: [b, c]\n', 'a: [b]\n'],
  ['the only item in flow style', [remove(['a', 0])], 'a: [b]\n', 'a: []\n'],
  ['a removed item in block style', [remove(['a', 0])], 'a:\n- b: 1\n  c: 2\n- b: 2 # two\n', 'a:\n- b: 2 # two\n'],
  [
    'items and fields, by the indices of the unchanged list',
    [remove(['a', 0]), set(['a', 2], 'x')],
    'a:\n- b\n- c\n- d\n',
    'a:\n- c\n- x\n',
  ],
  [
    'a missing field, below the last one',
    [set(['a', 'c'], 1)],
    'a:\n  b: 1 # one\n\nd: 1\n',
    'a:\n  b: 1 # one\n  c: 1\n\nd: 1\n',
  ],
  ['a missing field, below a nested one', [set(['c'], 1)], 'a:\n  b:\n  - 1\n', 'a:\n  b:\n  - 1\nc: 1\n'],
  [
    'a line of a literal text',
    [set(['a', 'b'], 'x\n  z: 1\n')],
    'a:\n  b: |\n    x\n      y: 1\n',
    'a:\n  b: |\n    x\n      z: 1\n',
  ],
  ['a missing field, below a block scalar', [set(['c'], 1)], 'a: |\n  text\n', 'a: |\n  text\nc: 1\n'],
  [
    'a missing field of an item',
    [set(['a', 0, 'c'], 1)],
    'a:\n  - b: 1\n  - b: 2\n',
    'a:\n  - b: 1\n    c: 1\n  - b: 2\n',
  ],
  ['a missing field at the end of a file without a line end', [set(['b'], 1)], 'a: 1\nc: 1', 'a: 1\nc: 1\nb: 1'],
  ['a missing object', [set(['a', 'c', 'd'], 1)], 'a:\n  b: 1\n', 'a:\n  b: 1\n  c:\n    d: 1\n'],
  ['an empty field', [set(['a', 'b'], 1)], 'a: # none\nc: 1\n', 'a: # none\n  b: 1\nc: 1\n'],
  ['an object in braces', [set(['a', 'c'], 'x')], 'a: { b: 1 }\n', 'a: { b: 1, c: x }\n'],
  ['an empty object', [set(['a', 'b'], 1)], 'a: {}\n', 'a: { b: 1 }\n'],
  [
    'JSON',
    [set(['a', 'c'], 'x')],
    '{\n  "a": {\n    "b": 1\n  }\n}\n',
    '{\n  "a": {\n    "b": 1,\n    "c": "x"\n  }\n}\n',
  ],
  ['JSON on one line', [set(['c'], 'x')], '{"a":1}', '{"a":1, "c": "x"}'],
  [
    'a list',
    [append(['a'], TOLERATION)],
    'a:\n- key: b\n  operator: Exists # one\nc: 1\n',
    'a:\n- key: b\n  operator: Exists # one\n- key: team\n  operator: Exists\nc: 1\n',
  ],
  [
    'a list in brackets',
    [append(['a'], TOLERATION)],
    'a: [{ key: b }]\n',
    'a: [{ key: b }, {key: team, operator: Exists}]\n',
  ],
  [
    'a missing list',
    [append(['a', 't'], TOLERATION)],
    'a:\n  b: 1\n',
    'a:\n  b: 1\n  t:\n  - key: team\n    operator: Exists\n',
  ],
  ['an empty list', [append(['a'], 'x')], 'a: []\n', 'a: [x]\n'],
  ['two items of a list', [append(['a'], 'x'), append(['a'], 'z')], 'a: [b]\n', 'a: [b, x, z]\n'],
  ['a field of an object', [remove(['b'])], 'a: 1\nb: # one\n  c: 1\nd: 1\n', 'a: 1\nd: 1\n'],
  ['the first field of an item', [remove(['a', 0, 'b'])], 'a:\n- b: 1\n  c: 1\n', 'a:\n- c: 1\n'],
  ['the last field of a file without a line end', [remove(['b'])], 'a: 1\nb: 1', 'a: 1'],
  ['the last field of an object in braces', [remove(['a', 'c'])], 'a: { b: 1, c: 1 }\n', 'a: { b: 1 }\n'],
  ['a field with another name and value', [set(['a'], 1), rename(['a'], 'b')], 'a: 100% # one\n', 'b: 1 # one\n'],
])('edits %s', (_, edits, before, after) => {
  expect(edited(before, ...edits)).toBe(after);
  expect(edited(before.replaceAll('\n', '\r\n'), ...edits)).toBe(after.replaceAll('\n', '\r\n'));
  expect(edited(`\ufeff${before}`, ...edits)).toBe(`\ufeff${after}`);
});

test('writes a field above the others, unless a comment precedes them', () => {
  const first: FieldEdit = { operation: 'set', path: ['a', 'b'], value: 1, isFirst: true };
  expect(edited('a:\n  c: 1\n', first)).toBe('a:\n  b: 1\n  c: 1\n');
  expect(edited('a:\n  # one\n  c: 1\n', first)).toBe('a:\n  # one\n  c: 1\n  b: 1\n');
});

test.each<[string, FieldEdit, string]>([
  ['a value that an alias shares', set(['b', 'c'], 2), 'a: &x { c: 1 }\nb: *x\n'],
  ['a value whose anchor others use', set(['a', 'c'], 2), 'a: &x { c: 1 }\nb: *x\n'],
  ['a key that a merge key brings', rename(['b', 'c'], 'd'), 'a: &x { c: 1 }\nb: { <<: *x }\n'],
  ['a value that is written so already', set(['a'], 1), 'a: 1\n'],
  ['a key whose new name is there', rename(['a'], 'b'), 'a: 1\nb: 2\n'],
  ['the only field of an object, below a comment', remove(['a', 'b']), 'a: # one\n  b: 1\nc: 1\n'],
  ['a block scalar', set(['a'], 'x'), 'a: |\n  text\n'],
  ['a field that is not there', remove(['b']), 'a: 1\n'],
])('offers no fix for %s', (_, edit, text) => {
  expect(edited(text, edit)).toBeUndefined();
});

const name = fc.stringMatching(/^[a-z]{1,6}$/);
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.stringMatching(/^[\x20-\x7e\n]{0,8}$/));
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constantFrom('yes', '1:30', '0777', '~', '1e3', '- x', 'a: b'),
);
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(name, scalar, { maxKeys: 3 }));
const object = fc.dictionary(name, value, { minKeys: 2, maxKeys: 5 });

/** An edit of one of the fields of an object. */
function editOf(fields: Record<string, unknown>, pick: number, kind: number, newValue: unknown): FieldEdit {
  const keys = Object.keys(fields);
  const key = keys[pick % keys.length];
  switch (kind) {
    case 0:
      return rename([key], 'renamedField');
    case 1:
      return set([key], newValue);
    case 2:
      return set(['newField'], newValue);
    case 3:
      return set(['newField', 'inner'], newValue);
    case 4:
      return append(['newField'], newValue);
    default:
      return remove([key]);
  }
}

test('an edit gives the edited value and keeps all comments, or there is no fix', () => {
  fc.assert(
    fc.property(object, notation, fc.nat(9), fc.nat(5), scalar, (fields, how, pick, kind, newValue) => {
      const before = written([fields], how);
      fc.pre(JSON.stringify(valueOf(before)) === JSON.stringify(fields));
      const edit = editOf(fields, pick, kind, newValue);
      const result = edited(before, edit);
      const old = fields[String(edit.path[0])];
      const isOffered = kind === 0 || kind === 2 || kind === 3 || kind === 4;
      if (isOffered) expect(result).toBeDefined();
      if (result === undefined) return;
      const expected: Record<string, unknown> = { ...fields };
      if (edit.operation === 'rename') expected.renamedField = old;
      if (edit.operation === 'rename' || edit.operation === 'remove') delete expected[String(edit.path[0])];
      if (edit.operation === 'set')
        expected[String(edit.path[0])] = edit.path.length === 2 ? { inner: newValue } : newValue;
      if (edit.operation === 'append') expected.newField = [newValue];
      expect(valueOf(result)).toEqual(expected);
      if (kind !== 1 && kind !== 5) expect(commentsIn(result)).toEqual(commentsIn(before));
    }),
    { numRuns: 300 },
  );
});
