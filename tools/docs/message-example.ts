import { existsSync, readdirSync, readFileSync } from 'fs';
import { join, normalize } from 'path';
import { main } from '../../src/cli';
import { Finding } from '../../src/validation';

export const EXAMPLES = 'examples/troubleshooting';
const ROOT = join(__dirname, '../..');
const DEFAULT_CHECK = '../../rules/pool.yaml ../../rules/class.yaml {}.yaml';
/** Where `check` has the name of an example: `bad` or `good`. */
const PLACE = '{}';
const SECTIONS = ['Message', 'Causes', 'Fix', 'Source'] as const;

export type ExampleName = 'bad' | 'good';

/** A folder of examples/troubleshooting: page.md has the texts, the other files are checked. */
export interface MessageExample {
  readonly name: string;
  /** The constant part of the message. */
  readonly title: string;
  /** Heading of the index. */
  readonly group: string;
  /** Where people read the message. */
  readonly seen: string;
  /** Rules that find the cause, the most direct one first; none if the pods are not evaluated. */
  readonly rules: readonly string[];
  /** True if the verdict has Karpenter's message itself. */
  readonly inVerdict: boolean;
  readonly meaning: string;
  readonly sections: Readonly<Record<(typeof SECTIONS)[number], string>>;
  /** Arguments of `check` in the folder of the example. */
  readonly check: readonly string[];
}

/** The part of a verdict that a page shows. */
export interface ExampleVerdict {
  readonly findings: readonly Finding[];
  readonly unschedulable: ReadonlyArray<{ readonly reasons: ReadonlyArray<{ readonly message: string }> }>;
  readonly notEvaluated: ReadonlyArray<{ readonly pod: string; readonly what: readonly string[] }>;
}

export function messageExamples(): MessageExample[] {
  return readdirSync(join(ROOT, EXAMPLES), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readMessageExample(name))
    .sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));
}

/** @throws Error with the name of the part that is missing */
export function readMessageExample(name: string): MessageExample {
  const text = readFileSync(join(ROOT, EXAMPLES, name, 'page.md'), 'utf8');
  const comment = (key: string) => new RegExp(`^<!-- ${key}: (.*) -->$`, 'm').exec(text)?.[1];
  const needed = (key: string, value: string | undefined) => {
    if (value === undefined) throw new Error(`${EXAMPLES}/${name}/page.md has no ${key}`);
    return value;
  };
  const section = (heading: string) =>
    needed(`section "${heading}"`, new RegExp(`^## ${heading}\\n\\n(.*?)\\n(?=\\n## |$(?![^]))`, 'ms').exec(text)?.[1]);
  return {
    name,
    title: needed('title', /^# (.*)$/m.exec(text)?.[1]),
    group: needed('group', comment('group')),
    seen: needed('seen', comment('seen')),
    rules: comment('rules')?.split(' ') ?? [],
    inVerdict: comment('verdict') === 'yes',
    meaning: needed('meaning', /^# [^\n]*\n\n(.*?)\n\n## /ms.exec(text)?.[1]),
    sections: Object.fromEntries(SECTIONS.map((heading) => [heading, section(heading)])) as MessageExample['sections'],
    check: (comment('check') ?? DEFAULT_CHECK).split(' '),
  };
}

/** The command line that checks the example in the root of the project, without the name of the program. */
export function commandOf({ name, check }: MessageExample, side: ExampleName): string[] {
  return ['check', ...check.map((argument) => pathOf(name, argument.replace(PLACE, side)) ?? argument)];
}

/** The file that differs between the two sides, relative to the root of the project. */
export function fileOf({ name, check }: MessageExample, side: ExampleName): string {
  return pathOf(name, check.find((argument) => argument.includes(PLACE))!.replace(PLACE, side))!;
}

/** The files that both sides are checked with, relative to the root of the project. */
export function sharedFiles({ name, check }: MessageExample): string[] {
  return check.filter((argument) => !argument.includes(PLACE)).flatMap((argument) => pathOf(name, argument) ?? []);
}

/** What `check` says about a side. Each side is checked once in a process. */
export function verdictOf(example: MessageExample, side: ExampleName): Promise<ExampleVerdict> {
  const key = `${example.name} ${side}`;
  const known = verdicts.get(key) ?? runCheck(example, side);
  verdicts.set(key, known);
  return known;
}

const verdicts = new Map<string, Promise<ExampleVerdict>>();

async function runCheck(example: MessageExample, side: ExampleName): Promise<ExampleVerdict> {
  let out = '';
  let errors = '';
  const args = commandOf(example, side).map((argument) =>
    argument.startsWith('examples/') ? join(ROOT, argument) : argument,
  );
  await main([...args, '--format', 'json', '--fail-on', 'never'], {
    stdin: (async function* none() {
      /* no input */
    })(),
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      errors += text;
    },
    color: false,
  });
  if (out === '') throw new Error(`${example.name}: check prints no verdict for the ${side} example: ${errors}`);
  return JSON.parse(out.replaceAll(`${ROOT}/`, '')) as ExampleVerdict;
}

function pathOf(name: string, argument: string): string | undefined {
  const path = normalize(join(EXAMPLES, name, argument));
  return existsSync(join(ROOT, path)) ? path : undefined;
}
