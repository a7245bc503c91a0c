/** Most words of one sentence of a page, and the most that its sentences have on average. */
export const MOST_WORDS = 40;
export const MEAN_WORDS = 20;
/** Columns of a line that contains only a comment. */
export const COMMENT_COLUMNS = 120;

/**
 * Phrases that hide the subject or the verb of a sentence, each with words to use instead. A space matches line breaks
 * and the comment characters around them.
 */
const BANNED_PHRASES: ReadonlyArray<{ readonly phrase: string; readonly instead: string }> = [
  { phrase: 'but for', instead: 'except' },
  { phrase: '(?:is|are|was|were|be) told', instead: 'knows, is given, or reports' },
  { phrase: 'of which', instead: 'whose, or a new sentence' },
  { phrase: 'whoever', instead: 'the person or component, by name' },
  { phrase: 'anew', instead: 'again, or recreated' },
  { phrase: 'goes by', instead: 'uses, or follows' },
  { phrase: '(?:hold|holds|held) against', instead: 'compare with' },
  { phrase: 'what becomes of', instead: 'impact, or what happens to' },
  { phrase: 'comes? to nothing', instead: 'changes nothing' },
  { phrase: 'taken for granted', instead: 'assumed' },
  { phrase: 'for nothing', instead: 'without effect' },
  { phrase: 'as the case may be', instead: 'the cases, by name' },
];

const PATTERNS = BANNED_PHRASES.map(({ phrase, instead }) => ({
  pattern: new RegExp(`\\b${phrase.replaceAll(' ', '(?:\\s|\\*|//)+')}\\b`, 'gi'),
  instead,
}));

/** A sentence with the line of the page that its paragraph begins on. */
interface Sentence {
  readonly line: number;
  readonly text: string;
}

/** Each problem of the sentences of a Markdown page, one line each. */
export function problemsOfPage(path: string, markdown: string): string[] {
  const all = sentencesOfPage(markdown);
  const long = all
    .filter(({ text }) => countWords(text) > MOST_WORDS)
    .map(
      ({ line, text }) =>
        `${path}:${line}: a sentence of ${countWords(text)} words, at most ${MOST_WORDS}: ${text.slice(0, 60)}…`,
    );
  // Cells of a word or two would hide long sentences in the mean.
  const counts = all.map(({ text }) => countWords(text)).filter((count) => count > 3);
  const mean = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
  return [
    ...long,
    ...(mean > MEAN_WORDS
      ? [`${path}: sentences have ${mean.toFixed(1)} words on average, at most ${MEAN_WORDS}`]
      : []),
    ...bannedPhrases(path, withoutCode(markdown)),
  ];
}

/**
 * Each problem of the comments and texts of a file of code, one line each. A URL cannot be broken, so its line may be
 * long.
 */
export function problemsOfCode(path: string, source: string): string[] {
  const long = source
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(\/\/|\/\*|\*)/.test(line) && line.length > COMMENT_COLUMNS && !line.includes('://')
        ? [`${path}:${index + 1}: a comment of more than ${COMMENT_COLUMNS} columns`]
        : [],
    );
  return [...long, ...bannedPhrases(path, source)];
}

/** The sentences of a Markdown page: paragraphs, list items and table cells, without code. */
export function sentencesOfPage(markdown: string): Sentence[] {
  const blocks: Array<{ line: number; text: string }> = [];
  let isInParagraph = false;
  withoutCode(markdown)
    .split('\n')
    .forEach((raw, index) => {
      const line = raw.replace(/^\s*>\s?/, '').trim();
      const item = /^(?:[-*+]|\d+[.)]) (.*)$/.exec(line);
      if (line === '' || /^(#|<|!\[|\|?\s*:?-{3})/.test(line)) {
        isInParagraph = false;
      } else if (line.startsWith('|')) {
        for (const cell of line.split('|')) blocks.push({ line: index + 1, text: cell });
        isInParagraph = false;
      } else if (item || !isInParagraph) {
        blocks.push({ line: index + 1, text: item ? item[1] : line });
        isInParagraph = true;
      } else {
        blocks[blocks.length - 1].text += ` ${line}`;
      }
    });
  return blocks.flatMap(({ line, text }) => splitSentences(text).map((sentence) => ({ line, text: sentence })));
}

export function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function splitSentences(text: string): string[] {
  const plain = text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\/\/\S+/g, 'link')
    .replace(/[*_[\]]/g, '');
  return plain
    .split(/(?<=[.?!])\s+(?=["'(]?[\p{Lu}\p{N}])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** The page with the lines of code blocks emptied, so that line numbers stay. */
function withoutCode(markdown: string): string {
  let isCode = false;
  let wasBlank = true;
  return markdown
    .split('\n')
    .map((line) => {
      const isFence = /^\s*(```|~~~)/.test(line);
      if (isFence) isCode = !isCode;
      const isIndented = wasBlank && /^( {4}|\t)(?!\s*(?:[-*]|\d+\.) )/.test(line);
      wasBlank = line.trim() === '' || isIndented;
      return isFence || isCode || isIndented ? '' : line;
    })
    .join('\n');
}

function bannedPhrases(path: string, text: string): string[] {
  return PATTERNS.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(
      (match) =>
        `${path}:${text.slice(0, match.index).split('\n').length}: "${match[0].replace(/\s+/g, ' ')}"; write ${instead}`,
    ),
  );
}
