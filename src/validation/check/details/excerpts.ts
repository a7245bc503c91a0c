import { SourceFile } from '../../manifest';
import { mayBeTerraformJson } from '../../manifest/source/terraform/planned-manifests';
import { Excerpt, Finding, Fix } from '../../vocabulary/verdict';

/** Lines before and after the line of a finding. */
const CONTEXT_LINES = 2;
/** The most characters of a line; a template may be one long line. */
const MAX_LENGTH = 160;
/** The line of the finding is kept up to its place and so many characters after it, if it is not longer than this. */
const AFTER_PLACE = 80;
const MAX_PLACE = 2000;
/** A patch needs whole lines. */
const MAX_PATCH_LENGTH = 1000;
const CUT = '…';
/** The most lines around the edits of a fix. */
const MAX_FIX_LINES = 60;

/**
 * Adds the source lines around its location to each finding that has one. Plans and states of Terraform have secrets in
 * plain text, possibly on the line beside the location, so that nothing is shown of them.
 */
export function withExcerpts<Located extends Finding>(
  findings: readonly Located[],
  sources: readonly SourceFile[],
): Located[] {
  const lines = new SourceLines(sources);
  return findings.map((finding) => {
    const { location, related, fix } = finding;
    const excerpt = lines.excerptAt(location);
    const other = related && lines.excerptAt(related.location);
    const around = fix && lines.excerptsAround(fix, excerpt);
    return {
      ...finding,
      ...(excerpt ? { excerpt } : {}),
      ...(related && other ? { related: { ...related, excerpt: other } } : {}),
      ...(fix && around ? { fix: { ...fix, excerpts: around } } : {}),
    };
  });
}

/** The lines of the files, each split once. */
class SourceLines {
  private readonly texts: ReadonlyMap<string, string>;
  private readonly lines = new Map<string, readonly string[]>();

  public constructor(sources: readonly SourceFile[]) {
    const patches = sources.flatMap((source) => {
      const { deploymentProblems = [], replacedLists = [], patchedFields = [] } = source;
      const { renamedObjects = [], protectedObjects = [] } = source;
      const parts = [deploymentProblems, replacedLists, patchedFields, renamedObjects, protectedObjects].flat();
      return [...parts.map(({ file }) => file), ...(source.patches ?? [])];
    });
    const shown = [...patches, ...sources].filter((source) => !mayBeTerraformJson(source));
    this.texts = new Map(shown.map(({ path, text, written }) => [path, written ?? text]));
  }

  public excerptAt({ file, line, column }: Finding['location']): Excerpt | undefined {
    const lines = this.linesOf(file);
    const excerpt = lines && excerptOf(lines, line, column);
    return excerpt?.lines.length === 0 ? undefined : excerpt;
  }

  /** The source around the edits, unless the excerpt of the finding contains all of them. */
  public excerptsAround({ file, edits }: Fix, excerpt: Excerpt | undefined): Excerpt[] | undefined {
    const lines = this.linesOf(file);
    const isWhole = excerpt !== undefined && !excerpt.lines.some((text) => text.endsWith(CUT));
    const isShown = isWhole && edits.every(({ line, endLine }) => isWithin(excerpt, line, endLine));
    if (lines === undefined || isShown) return undefined;
    const end = lines[lines.length - 1] === '' ? lines.length - 1 : lines.length;
    const ranges: Array<{ from: number; to: number }> = [];
    for (const { line, endLine } of edits) {
      const [from, to] = [Math.max(1, line - CONTEXT_LINES), Math.min(end, endLine + CONTEXT_LINES)];
      const last = ranges[ranges.length - 1];
      if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
      else ranges.push({ from, to });
    }
    const excerpts = ranges.map(({ from, to }) => ({
      line: from,
      lines: lines.slice(from - 1, to).map((text) => cut(text, MAX_PATCH_LENGTH)),
    }));
    return excerpts.reduce((sum, part) => sum + part.lines.length, 0) > MAX_FIX_LINES ? undefined : excerpts;
  }

  private linesOf(file: string): readonly string[] | undefined {
    const text = this.texts.get(file);
    if (text === undefined || text === '') return undefined;
    const split = this.lines.get(file) ?? text.split(/\r?\n/);
    this.lines.set(file, split);
    return split;
  }
}

function isWithin({ line: first, lines }: Excerpt, line: number, endLine: number): boolean {
  return line >= first && endLine < first + lines.length;
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
  return text.length > length ? `${text.slice(0, length)}${CUT}` : text;
}
