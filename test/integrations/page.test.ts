import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import { parse } from 'yaml';
import { packageIndex } from '../../tools/build/package-index';
import { run } from '../cli/run';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const page = read('docs/integrations.md');
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }));
const yaml = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => parse(text));

/** The cells of the first column of the table below a heading, without their code marks. */
function firstColumn(heading: string): string[] {
  const [, section] = page.split(`\n## ${heading}\n`);
  return [...section.split('\n## ')[0].matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
}

describe('docs/integrations.md', () => {
  test('shows the workflow of integrations/github, and each input and output of the action', () => {
    expect(yaml[0]).toEqual(parse(read('integrations/github/workflow.yml')));
    const { inputs, outputs } = parse(read('action.yml'));
    expect(firstColumn('GitHub Action').sort()).toEqual(Object.keys(inputs).sort());
    for (const output of Object.keys(outputs)) expect(page).toContain(`\`${output}\``);
  });

  test('states the defaults of the action', () => {
    const { inputs } = parse(read('action.yml'));
    for (const [, name, value] of page.matchAll(/^\| `([\w-]+)` \| `([\w.]+)` \|/gm))
      expect([name, inputs[name]?.default]).toEqual([name, value]);
  });

  test('sets variables that the job of GitLab has, and includes its file', () => {
    const {
      include: [{ remote }],
      variables,
    } = yaml[1];
    const file = remote.split('/main/')[1];
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(Object.keys(parse(read(file)).variables)).toEqual(expect.arrayContaining(Object.keys(variables)));
  });

  test('names the hook of pre-commit, with options that check has', async () => {
    const {
      repos: [
        {
          hooks: [{ id, args }],
        },
      ],
    } = yaml[2];
    expect(parse(read('.pre-commit-hooks.yaml')).map((hook: { id: string }) => hook.id)).toContain(id);
    expect((await run(['check', ...args.slice(1), '--help'])).code).toBe(0);
  });

  test('names the class that the package exports for cdk8s-cli', () => {
    expect(packageIndex([])).toContain(`exports, "${yaml[3].validations[0].class}"`);
  });

  test('loads completion with commands that the help shows', async () => {
    const { out } = await run(['completion', '--help']);
    for (const [command] of page.matchAll(
      /^(source <\(karpenter-constructs completion \w+\)|karpenter-constructs completion fish \| source)/gm,
    ))
      expect(out).toContain(command);
  });

  test('names files and folders that exist', () => {
    const named = [...page.matchAll(/`((?:integrations\/[\w/]*)|action\.yml|\.pre-commit-hooks\.yaml)`/g)].map(
      ([, file]) => file,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
