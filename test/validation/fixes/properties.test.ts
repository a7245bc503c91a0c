import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { compatible, goodObjects, MISTAKES, withoutLostText } from './mistakes';
import { commentsIn, notation, Notation, written } from './notations';
import { check, Finding, fixFiles, SourceFile } from '../../../src/validation';

const BLOCK: Notation = {
  format: 'block',
  indent: 2,
  isListIndented: true,
  hasSingleQuotes: false,
  lineEnd: '\n',
  hasByteOrderMark: false,
  endsWithLineEnd: true,
  comments: [[false, false]],
};
const mistakes = fc.subarray(Object.keys(MISTAKES), { minLength: 1, maxLength: 5 }).map(compatible);

function brokenObjects(names: readonly string[]): unknown[] {
  const objects = goodObjects();
  for (const name of names) MISTAKES[name](objects);
  return objects;
}

const findingsIn = (files: readonly SourceFile[]) => check(files).findings;
const fixed = (text: string) => fixFiles([{ path: 'a.yaml', text }], findingsIn);
const valuesOf = (text: string) =>
  parseAllDocuments(text.replace(/^\ufeff/, '').replace(/\}\s*\{/g, '}\n---\n{')).map(
    (document) => document.toJS() as unknown,
  );
const keysOf = (findings: readonly Finding[]) =>
  findings.map(({ rule, subject, message }) => `${rule} ${subject.kind} ${message}`).sort();

test('the good objects have no finding with a fix', () => {
  expect(findingsIn([{ path: 'a.yaml', text: written(goodObjects(), BLOCK) }]).filter(({ fix }) => fix)).toEqual([]);
});

test.each(Object.keys(MISTAKES))('takes back %s: the finding is gone, and there is no other one', (name) => {
  const text = written(brokenObjects([name]), BLOCK);
  const {
    files: [file],
    applied,
  } = fixed(text);
  expect(applied.length).toBeGreaterThan(0);
  const good = withoutLostText(goodObjects(), [name]);
  expect(valuesOf(file.text)).toEqual(good);
  expect(keysOf(findingsIn([file]))).toEqual(keysOf(findingsIn([{ path: 'a.yaml', text: written(good, BLOCK) }])));
});

test('takes back any mistakes in any notation, keeps comments, line ends and all other lines, and leaves nothing for a second run', () => {
  fc.assert(
    fc.property(mistakes, notation, (names, how) => {
      const text = written(brokenObjects(names), how);
      const {
        files: [file],
        applied,
      } = fixed(text);
      const good = withoutLostText(goodObjects(), names);
      expect(valuesOf(file.text)).toEqual(good);
      expect(keysOf(findingsIn([file]))).toEqual(keysOf(findingsIn([{ path: 'a.yaml', text: written(good, how) }])));
      // A comment behind a field goes with the field.
      if (!names.includes('a nodeClassRef with apiVersion')) expect(commentsIn(file.text)).toEqual(commentsIn(text));
      expect(file.text.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
      expect(file.text.endsWith('\n')).toBe(text.endsWith('\n'));
      const lines = file.text.split('\n');
      if (how.lineEnd === '\r\n') expect(lines.slice(0, -1).every((line) => line.endsWith('\r'))).toBe(true);
      else expect(file.text).not.toContain('\r');
      const changed = text.split('\n').filter((line) => !lines.includes(line));
      // In JSON, the comma before a removed field goes, too.
      const linesOfFix = { block: 1, mixed: 1, 'json in lines': 2, json: Infinity, flow: Infinity }[how.format];
      expect(changed.length).toBeLessThanOrEqual(applied.length * linesOfFix);
      expect(fixed(file.text)).toEqual({ files: [file], applied: [] });
    }),
    { numRuns: 20 },
  );
});
