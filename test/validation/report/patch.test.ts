import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERDICT } from './verdict';
import { Finding } from '../../../src/validation';
import { patchOf } from '../../../src/validation/report/patch';

const LINES = [
  'apiVersion: v1',
  'kind: Pod',
  'metadata:',
  '  name: a',
  'spec:',
  '  replcas: 2',
  '  template: {}',
  'status: {}',
];

function finding(text: string, column: number, endColumn: number): Finding {
  return {
    ...VERDICT.findings[0],
    location: { file: 'apps/a.yaml', line: 6, column: 3, path: 'spec' },
    excerpt: { line: 4, lines: LINES.slice(3) },
    fix: {
      title: 'change it',
      file: 'apps/a.yaml',
      safe: true,
      edits: [{ line: 6, column, endLine: 6, endColumn, text }],
    },
  };
}

/** The file after `patch -p1`. */
function patched(patch: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'karpenter-patch-'));
  try {
    mkdirSync(join(root, 'apps'));
    writeFileSync(join(root, 'apps', 'a.yaml'), `${LINES.join('\n')}\n`);
    execFileSync('git', ['apply', '-p1', '-'], { cwd: root, input: patch });
    return readFileSync(join(root, 'apps', 'a.yaml'), 'utf8')
      .split('\n')
      .slice(0, -1);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('a patch replaces a part of a line', () => {
  expect(patched(patchOf(finding('replicas', 3, 10))!)).toEqual(
    LINES.map((line) => line.replace('replcas', 'replicas')),
  );
});

test('a patch inserts lines', () => {
  expect(patched(patchOf(finding('paused: true\n  ', 3, 3))!)).toEqual([
    ...LINES.slice(0, 5),
    '  paused: true',
    ...LINES.slice(5),
  ]);
});

test('there is no patch if the excerpt does not contain the whole change', () => {
  const { fix, ...rest } = finding('x', 3, 10);
  expect(patchOf({ ...rest, fix: { ...fix!, edits: [{ ...fix!.edits[0], endLine: 20 }] } })).toBeUndefined();
  expect(patchOf({ ...rest, excerpt: { line: 4, lines: ['a…'] }, fix })).toBeUndefined();
  expect(patchOf(rest)).toBeUndefined();
});
