import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from './support/project-files';
import { countWords, MOST_WORDS, problemsOfCode, problemsOfPage, sentencesOfPage } from './writing/prose';
import { RULES } from '../src/validation/rules';

const ROOT = join(__dirname, '..');
/** API.md is generated from doc comments, which are checked as code. This folder quotes the banned phrases. */
const EXCEPTIONS = /^(API\.md|LICENSE|test\/writing|test\/writing\.test\.ts)|\.generated\.ts$/;

const FILES = projectFiles().filter((path) => !EXCEPTIONS.test(path));

function filesEndingIn(...endings: string[]): string[] {
  return FILES.filter((path) => endings.some((ending) => path.endsWith(ending)));
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('writing', () => {
  test('pages have short sentences without banned phrases', () => {
    const pages = filesEndingIn('.md');
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.flatMap((page) => problemsOfPage(page, textOf(page)))).toEqual([]);
  });

  test('comments fit into 120 columns, and code has no banned phrase', () => {
    const files = filesEndingIn('.ts', '.go');
    expect(files.length).toBeGreaterThan(700);
    expect(files.flatMap((file) => problemsOfCode(file, textOf(file)))).toEqual([]);
  });

  test('summaries of rules have at most 40 words in a sentence', () => {
    const long = RULES.filter(({ summary }) =>
      sentencesOfPage(summary).some(({ text }) => countWords(text) > MOST_WORDS),
    );
    expect(long.map(({ id }) => id)).toEqual([]);
  });

  test('files that ARCHITECTURE.md names exist', () => {
    const named = [
      ...textOf('ARCHITECTURE.md').matchAll(
        /`((?:src|docs|assembly|data|conformance|test|tools|projenrc)\/[\w./-]+)`/g,
      ),
    ].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('the check of writing', () => {
  test.each<[string, string, string]>([
    [
      'a sentence of 41 words',
      `${'word '.repeat(41)}.`,
      'page.md:1: a sentence of 41 words, at most 40: word word word word word word word word word word word word …',
    ],
    ['a banned phrase across two lines', 'All is right, but\nfor one.', 'page.md:1: "but for"; write except'],
    [
      'long sentences on average',
      `${'word '.repeat(21)}.`,
      'page.md: sentences have 21.0 words on average, at most 20',
    ],
  ])('reports %s of a page', (_, page, problem) => {
    expect(problemsOfPage('page.md', page)).toContain(problem);
  });

  test('ignores code blocks of a page', () => {
    expect(
      problemsOfPage('page.md', `Run it:\n\n    ${'word '.repeat(50)}\n\n\`\`\`sh\n${'word '.repeat(50)}\n\`\`\`\n`),
    ).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['a long comment', `// ${'word '.repeat(30)}`, 'file.ts:1: a comment of more than 120 columns'],
    [
      'a banned phrase across two lines of a comment',
      '/**\n * The key of\n * which nothing is known.\n */',
      'file.ts:2: "of * which"; write whose, or a new sentence',
    ],
  ])('reports %s in code', (_, code, problem) => {
    expect(problemsOfCode('file.ts', code)).toContain(problem);
  });

  test('accepts a long comment with a URL', () => {
    expect(problemsOfCode('file.ts', `// https://example.com/${'x'.repeat(150)}`)).toEqual([]);
  });
});
