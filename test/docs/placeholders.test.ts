import { read } from './pages';
import { docsPages } from '../../tools/site/pages';

/** What VitePress passes to Vue: text and inline code. It marks blocks of code with `v-pre` itself. */
function evaluated(markdown: string): string {
  return markdown.replaceAll(/^ *```.*?^ *```$/gms, '').replaceAll(/<code v-pre>.*?<\/code>/gs, '');
}

/** The lines with double braces, which Vue takes for an expression, so that the site does not build. */
function linesWithBraces(markdown: string): string[] {
  return evaluated(markdown)
    .split('\n')
    .filter((line) => line.includes('{{'));
}

test.each([
  ['inline code', 'A value such as `{{ zone }}`.', 1],
  ['text', 'A value such as {{ zone }}.', 1],
  ['inline code between blocks', '```yaml\na: {{ b }}\n```\n`{{ c }}`\n```yaml\na: {{ b }}\n```', 1],
  ['code with v-pre', 'A value such as <code v-pre>{{ zone }}</code>.', 0],
  ['blocks of code', '```yaml\na: {{ b }}\n```\n- item\n\n  ```go\n  []T{{\n  ```', 0],
])('double braces in %s are found if Vue evaluates them', (_, markdown, count) => {
  expect(linesWithBraces(markdown)).toHaveLength(count);
});

test.each(docsPages())('docs/%s has double braces only in blocks of code and in <code v-pre>', (page) => {
  expect(linesWithBraces(read(`docs/${page}`))).toEqual([]);
});
