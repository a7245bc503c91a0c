import { existsSync, readdirSync, readFileSync, statSync } from 'fs';
import { join } from 'path';
import { main } from '../../src/cli';
import { Finding } from '../../src/validation';

export const EXAMPLES = 'examples/rules';
const ROOT = join(__dirname, '../..');
/** Where `check` has the name of an example: `bad` or `good`. */
const PLACE = '{}';
const DEFAULT_CHECK = `../pool.yaml ../class.yaml ${PLACE}.yaml`;

export type ExampleName = 'bad' | 'good';

/** The folder of a rule in examples/rules: page.md has the texts, the other files are checked. */
export interface RuleExample {
  readonly id: string;
  /** The section texts of page.md. */
  readonly whatHappens: string;
  readonly whyItMatters: string;
  readonly upstream: readonly string[];
  /** Arguments of `check` in the folder of the example. */
  readonly check: readonly string[];
}

export interface ExampleFile {
  /** Relative to the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** @throws Error with the name of the file or part that is missing */
export function readRuleExample(id: string): RuleExample {
  const path = `${EXAMPLES}/${id}/page.md`;
  if (!existsSync(join(ROOT, path))) throw new Error(`${path} is missing; CONTRIBUTING.md says what it contains`);
  const text = readFileSync(join(ROOT, path), 'utf8');
  const [, whatHappens, whyItMatters] =
    /^## What happens\n\n(.*?)\n\n## Why it matters\n\n(.*?)\n\n## Upstream\n/ms.exec(text) ?? [];
  if (whatHappens === undefined)
    throw new Error(`${path} has no sections "What happens", "Why it matters" and "Upstream", in this order`);
  const upstream = [...text.slice(text.indexOf('## Upstream')).matchAll(/^- <(https:.*)>$/gm)].map(([, url]) => url);
  if (upstream.length === 0) throw new Error(`${path} has no list of links under "Upstream"`);
  const [, check = DEFAULT_CHECK] = /^<!-- check: (.*) -->$/m.exec(text) ?? [];
  return { id, whatHappens, whyItMatters, upstream, check: check.split(' ') };
}

/** The files that differ between the bad and the good example. */
export function filesOfExample({ id, check }: RuleExample, name: ExampleName): ExampleFile[] {
  return check
    .filter((argument) => argument.includes(PLACE))
    .flatMap((argument) => filesAt(id, argument.replace(PLACE, name)));
}

/** The files that both examples are checked with. */
export function sharedFiles({ id, check }: RuleExample): ExampleFile[] {
  return check
    .filter((argument) => !argument.includes(PLACE) && existsSync(join(ROOT, EXAMPLES, id, argument)))
    .map((argument) => fileOf(id, argument));
}

/** The command line that checks the example in the root of the project, without the name of the program. */
export function commandOf({ id, check }: RuleExample, name: ExampleName): string[] {
  return [
    'check',
    ...check.map((argument) => {
      const path = join(EXAMPLES, id, argument.replace(PLACE, name));
      return existsSync(join(ROOT, path)) ? path : argument;
    }),
  ];
}

/** What `check` finds in an example. Each example is checked once in a process. */
export function findingsOf(example: RuleExample, name: ExampleName): Promise<readonly Finding[]> {
  const key = `${example.id} ${name}`;
  const known = findings.get(key) ?? checkExample(example, name);
  findings.set(key, known);
  return known;
}

const findings = new Map<string, Promise<readonly Finding[]>>();

/**
 * What `check` finds in an example, with paths relative to the folder.
 *
 * @param folder the project, or a folder with a copy of the examples
 */
export async function checkExample(
  example: RuleExample,
  name: ExampleName,
  folder = ROOT,
): Promise<readonly Finding[]> {
  let out = '';
  let errors = '';
  const args = commandOf(example, name).map((argument) =>
    argument.startsWith(EXAMPLES) ? join(folder, argument) : argument,
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
  if (out === '') throw new Error(`${example.id}: check prints no verdict for the ${name} example: ${errors}`);
  return (JSON.parse(out.replaceAll(`${folder}/`, '')) as { findings: Finding[] }).findings;
}

/** The file, or the files of a folder. */
function filesAt(id: string, argument: string): ExampleFile[] {
  const path = join(ROOT, EXAMPLES, id, argument);
  if (!statSync(path).isDirectory()) return [fileOf(id, argument)];
  return readdirSync(path)
    .sort()
    .map((name) => fileOf(id, join(argument, name)));
}

function fileOf(id: string, argument: string): ExampleFile {
  const path = join(EXAMPLES, id, argument);
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}
