import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { main } from '../../src/cli';

const ROOT = join(__dirname, '../..');
/** A line of a page that runs the command line: in a shell block, or as a step of a workflow in YAML. */
const COMMAND = /^\s*(?:- )?(?:run: )?npx karpenter-constructs (.*)$/;

/** A fenced block of a page with commands, and the block of their output after it. */
export interface CommandBlock {
  readonly lines: readonly string[];
  /** The text of the output block; undefined if the page shows no output. */
  readonly output?: string;
}

/** The result of the commands of a block. */
export interface BlockResult {
  readonly out: string;
  /** Lines whose exit code is not the one that the page says, with the code. */
  readonly wrongCodes: readonly string[];
}

/** The blocks of a page, in order. Blocks fenced as `console` need a cluster or an account, and are not run. */
export function commandBlocks(page: string): CommandBlock[] {
  const fences = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }));
  return fences.flatMap(({ language, text }, index) => {
    if (!['sh', 'yaml'].includes(language)) return [];
    const lines = text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && (language === 'sh' || COMMAND.test(line)));
    const next = fences[index + 1];
    return lines.length === 0
      ? []
      : [{ lines, output: language === 'sh' && next?.language === 'text' ? next.text : undefined }];
  });
}

/** The folder that the commands of a page run in, relative to the root of the project. */
export function folderOfPage(page: string): string {
  return /^<!-- files: (\S+) -->$/m.exec(page)?.[1] ?? '';
}

/** Runs the blocks of a page in order, in a copy of the folder of the page, because commands may write files. */
export async function runBlocks(page: string): Promise<BlockResult[]> {
  const folder = folderOfPage(page);
  const before = process.cwd();
  const copy = folder === '' ? undefined : mkdtempSync(join(tmpdir(), 'page-'));
  if (copy !== undefined) cpSync(join(ROOT, folder), copy, { recursive: true });
  process.chdir(copy ?? ROOT);
  try {
    const results: BlockResult[] = [];
    for (const { lines } of commandBlocks(page)) results.push(await runLines(lines));
    return results;
  } finally {
    process.chdir(before);
    if (copy !== undefined && existsSync(copy)) rmSync(copy, { recursive: true });
  }
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

async function runLines(lines: readonly string[]): Promise<BlockResult> {
  let out = '';
  const wrongCodes: string[] = [];
  for (const line of lines) {
    const { code, text } = await runLine(line);
    // A step of a workflow may fail by findings: its fixture shows some.
    const expected = /# exit code (\d)/.exec(line)?.[1] ?? (/run: /.test(line) ? '[01]' : '0');
    if (!new RegExp(expected).test(String(code))) wrongCodes.push(`${line}: exit code ${code}`);
    out += text;
  }
  return { out, wrongCodes };
}

/** Commands that a pipe joins. Standard error is part of the output, as on a terminal. */
async function runLine(line: string): Promise<{ readonly code: number; readonly text: string }> {
  let input = '';
  let errors = '';
  let code = 0;
  for (const command of line.replace(/\s+#.*$/, '').split(' | ')) {
    const [, args] = COMMAND.exec(command) ?? [];
    if (args === undefined) throw new Error(`only karpenter-constructs can be run, got: ${command}`);
    const bytes = Buffer.from(input);
    input = '';
    code = await main(wordsOf(args), {
      stdin: (async function* chunks() {
        yield bytes;
      })(),
      writeOut: (text) => {
        input += text;
      },
      writeError: (text) => {
        errors += text;
      },
      color: false,
    });
  }
  return { code, text: errors + input };
}

/** Splits a line as a shell does, with single and double quotes only. */
function wordsOf(args: string): string[] {
  return [...args.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain);
}
