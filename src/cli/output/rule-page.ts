import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import { createColors } from 'picocolors';
import { wrapText } from '../../model';
import { UsageError } from '../io';
import { lazy } from '../lazy';

/** The pages in the package, which tools/build/pack-rule-pages.ts writes. */
const PACKED_PAGES = join(__dirname, '..', 'rule-pages.json.br');
/** The pages in the repository. */
const PAGES = join(__dirname, '..', '..', '..', 'docs', 'rules');
const CODE_INDENT = '    ';
const BLOCK = /^```.*?^```$|^(?!```)\S.*?(?=\n\n|\n*$(?![^]))/gms;

/** The page of a rule in docs/rules, as Markdown. */
export function readRulePage(id: string): string {
  const page = existsSync(PACKED_PAGES) ? packedPages()[id] : textOf(join(PAGES, `${id}.md`));
  if (page !== undefined) return page;
  throw new UsageError(`rule ${id} has no page yet; \`karpenter-constructs rules --search ${id}\` prints its summary`);
}

function packedPages(): Readonly<Record<string, string>> {
  return JSON.parse(lazy.zlib.brotliDecompressSync(readFileSync(PACKED_PAGES)).toString()) as Record<string, string>;
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * A page as text for a terminal: code is indented and never wrapped, links become their text or address.
 *
 * @param columns the width at which prose is wrapped; not wrapped if undefined
 */
export function renderRulePage(markdown: string, columns: number | undefined, isInColor: boolean): string {
  const colors = createColors(isInColor);
  return (
    blocksOf(markdown.replace(/^<!--.*?-->\n/s, ''))
      .map((block) => {
        const [, code] = /^```\w*\n(.*)\n```$/s.exec(block) ?? [];
        if (code !== undefined) return code.replace(/^(?=.)/gm, CODE_INDENT);
        const [, heading] = /^#+ (.*)$/.exec(block) ?? [];
        return heading === undefined ? paragraph(plainText(block), columns) : colors.bold(heading);
      })
      .join('\n\n') + '\n'
  );
}

/** Headings, paragraphs, lists, and code with its fences. */
function blocksOf(markdown: string): string[] {
  return (markdown.match(BLOCK) ?? []).map((block) => block.trim());
}

/** A paragraph is one line, so that it can be wrapped at any width; the items of a list keep their lines. */
function paragraph(text: string, columns: number | undefined): string {
  const lines = text.replace(/\n(?!- )\s*/g, ' ');
  if (columns === undefined) return lines;
  return lines
    .split('\n')
    .map((line) => (line.startsWith('- ') ? wrapText(line, columns) : wrapText(line, columns).replace(/\n +/g, '\n')))
    .join('\n');
}

/** Addresses are kept, but links to other pages of the documentation are only their text. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\((https?:[^)]*)\)/g, '$1 ($2)')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<(https?:[^>]*)>/g, '$1')
    .replace(/\*\*([^*]*)\*\*/g, '$1');
}
