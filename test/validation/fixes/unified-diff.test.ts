import fc from 'fast-check';
import { unifiedDiff } from '../../../src/validation';

/** Makes the changes of a diff, and checks the lines around them. */
function patched(text: string, diff: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let next = 0;
  for (const [, start, count = '1', , newCount = '1', body] of diff.matchAll(
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n((?:[ +\\-][^\n]*\n)*)/gm,
  )) {
    const first = count === '0' ? Number(start) : Number(start) - 1;
    result.push(...lines.slice(next, first));
    const marked = body
      .replace(/\n\\ No newline at end of file\n/g, '\0')
      .match(/[^\n\0]*[\n\0]/g)!
      .map((line) => line.replace('\0', ''));
    expect(marked.filter(([mark]) => mark !== '+').map((line) => line.slice(1))).toEqual(
      lines.slice(first, first + Number(count)),
    );
    const added = marked.filter(([mark]) => mark !== '-').map((line) => line.slice(1));
    expect(added).toHaveLength(Number(newCount));
    result.push(...added);
    next = first + Number(count);
  }
  return [...result, ...lines.slice(next)].join('');
}

test('shows three lines around a change', () => {
  expect(unifiedDiff('a.yaml', '1\n2\n3\n4\n5\n6\n7\n8\n', '1\n2\n3\n4\nfive\n6\n7\n8\n')).toBe(
    '--- a/a.yaml\n+++ b/a.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
  );
});

test('says that a file does not end with a line end', () => {
  expect(unifiedDiff('/a', '1', '2')).toBe(
    '--- /a\n+++ /a\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n',
  );
});

test('is empty for equal texts', () => {
  expect(unifiedDiff('a', '1\n', '1\n')).toBe('');
});

test('turns the old text into the new one, for any two texts', () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', 'a\r'), { maxLength: 30 }), fc.boolean())
    .map(([lines, ends]) =>
      lines.length === 0 ? '' : lines.join('\n') + (ends || lines[lines.length - 1] === '' ? '\n' : ''),
    );
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(patched(before, unifiedDiff('a', before, after))).toBe(after);
    }),
    { numRuns: 300 },
  );
});
