import { SourceFile } from '../../manifest';
import { mayBeTerraformJson } from '../../manifest/source/terraform/planned-manifests';
import { Excerpt, Finding } from '../../vocabulary/verdict';

/** Lines before and after the line of a finding. */
const CONTEXT_LINES = 2;
/** The most characters of a line; a template may be one long line. */
const MAX_LENGTH = 160;
/** The line of the finding is kept up to its place and so many characters after it, if it is not longer than this. */
const AFTER_PLACE = 80;
const MAX_PLACE = 2000;

/**
 * Adds the source lines around its location to each finding that has one. Plans and states of Terraform have secrets in
 * plain text, possibly on the line beside the location, so that nothing is shown of them.
 */
export function withExcerpts<Located extends Finding>(
  findings: readonly Located[],
  sources: readonly SourceFile[],
): Located[] {
  const shown = sources.filter((source) => !mayBeTerraformJson(source));
  const texts = new Map(shown.map(({ path, text, written }) => [path, written ?? text]));
  const lines = new Map<string, readonly string[]>();
  return findings.map((finding) => {
    const { file, line, column } = finding.location;
    const text = texts.get(file);
    if (text === undefined || text === '') return finding;
    const split = lines.get(file) ?? text.split(/\r?\n/);
    lines.set(file, split);
    const excerpt = excerptOf(split, line, column);
    return excerpt.lines.length === 0 ? finding : { ...finding, excerpt };
  });
}

function excerptOf(lines: readonly string[], line: number, column: number): Excerpt {
  const from = Math.max(1, line - CONTEXT_LINES);
  const shown = lines
    .slice(from - 1, line + CONTEXT_LINES)
    .map((text, index) => cut(text, from + index === line && column <= MAX_PLACE ? column + AFTER_PLACE : 0));
  while (shown.length > line - from + 1 && shown[shown.length - 1].trim() === '') shown.pop();
  return { line: from, lines: shown };
}

function cut(text: string, needed: number): string {
  const length = Math.max(MAX_LENGTH, needed);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
