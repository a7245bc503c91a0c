/** A placeholder of an ApplicationSet whose value is not in the input. */
const PLACEHOLDER = /\{\{[^{}]*\}\}/;
/** A longer pattern is none that somebody has written, and takes long. */
const LONGEST_PATTERN = 1000;
const MOST_ALTERNATIVES = 50;

/** A part of a pattern: a text, or at least one character of any or of one name. */
type Part = { readonly text: string } | { readonly hasSlashes: boolean };

/** A test for paths: `**` stands for any text, `*` and a placeholder for any name. */
export function pathPattern(pattern: string): (path: string) => boolean {
  if (pattern.length > LONGEST_PATTERN) return () => false;
  const parts = pattern.split(new RegExp(`(${PLACEHOLDER.source}|\\*\\*|\\*)`)).map((text, index): Part => {
    if (index % 2 === 0) return { text };
    return { hasSlashes: text === '**' };
  });
  return (path) => matchesParts(path, parts);
}

/**
 * A test for files in a folder, as Argo CD makes it of `include` and `exclude`: `*` stands for any text, and `{a,b}`
 * for one of several patterns. Undefined if the pattern has other wildcards.
 */
export function filePattern(pattern: string): ((path: string) => boolean) | undefined {
  if (/[?[\]!\\]/.test(pattern)) return undefined;
  const alternatives = alternativesOf(pattern);
  if (alternatives === undefined) return undefined;
  const tests = alternatives.map((one) => one.split(/\*+/));
  return (path) => tests.some((texts) => hasTexts(path, texts));
}

/** Undefined if braces are nested, or make too many patterns. */
function alternativesOf(pattern: string): string[] | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  const parts = pattern.split(/\{([^{}]*)\}/);
  if (parts.some((part) => /[{}]/.test(part))) return undefined;
  let found = [''];
  for (const [index, part] of parts.entries()) {
    const next = index % 2 === 0 ? [part] : part.split(',').map((one) => one.trim());
    found = found.flatMap((start) => next.map((end) => start + end));
    if (found.length > MOST_ALTERNATIVES) return undefined;
  }
  return found;
}

/** Whether a path begins with the first text, ends with the last one, and has the others between them, in order. */
function hasTexts(path: string, texts: readonly string[]): boolean {
  const [first, ...others] = texts;
  if (others.length === 0) return path === first;
  const last = others.pop()!;
  if (!path.startsWith(first)) return false;
  let offset = first.length;
  for (const text of others) {
    const index = path.indexOf(text, offset);
    if (index < 0) return false;
    offset = index + text.length;
  }
  return path.length - last.length >= offset && path.endsWith(last);
}

/**
 * Whether a text matches. The time is at most the product of both lengths, because all places that the parts so far can
 * end at are followed together. A regular expression would try each combination of them.
 */
function matchesParts(text: string, parts: readonly Part[]): boolean {
  let ends = [0];
  for (const part of parts) {
    if (ends.length === 0) return false;
    if ('text' in part) {
      ends = ends.filter((end) => text.startsWith(part.text, end)).map((end) => end + part.text.length);
      continue;
    }
    const next: number[] = [];
    const starts = new Set(ends);
    let isOpen = false;
    for (let end = ends[0]; end < text.length; end++) {
      isOpen = (isOpen || starts.has(end)) && (part.hasSlashes || text[end] !== '/');
      if (isOpen) next.push(end + 1);
    }
    ends = next;
  }
  return ends.includes(text.length);
}
