import { spawnSync } from 'child_process';
import { folderOf, run } from './run';
import { REGIONS } from '../../src/catalog';
import { RULES } from '../../src/validation';

const folder = folderOf({});

/** What bash offers for the last word. @param words after the name of the program */
async function completedByBash(...words: string[]): Promise<string[]> {
  const { out } = await run(['completion', 'bash']);
  const line = ['karpenter-constructs', ...words].map((word) => `'${word}'`).join(' ');
  const code = `${out}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _karpenter_constructs; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', code], { cwd: folder, encoding: 'utf8' });
  expect(stderr.replaceAll(/^.*compopt.*\n/gm, '')).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('bash completes', () => {
  test.each<[string, string[], string[]]>([
    ['commands', ['ch'], ['check']],
    ['commands below a command', ['catalog', 'u'], ['update']],
    ['commands after help', ['help', 'inst'], ['instance-types']],
    ['options', ['check', '--compare'], ['--compare-policies', '--compare-regions']],
    ['options after paths', ['check', 'manifests/', '--no-h'], ['--no-helm']],
    [
      'choices of a format',
      ['check', 'manifests/', '--format', ''],
      ['text', 'json', 'markdown', 'html', 'sarif', 'unix', 'codequality', 'opencost', 'opencost-csv'],
    ],
    ['choices that differ between commands', ['diff', '--format', 'm'], ['markdown']],
    ['a value after an equals sign', ['check', '--fail-on', '=', 'w'], ['warning']],
    ['all values after an equals sign', ['rules', '--severity', '='], ['error', 'warning', 'info']],
    ['regions', ['check', '--region', 'eu-we'], ['eu-west-1', 'eu-west-2', 'eu-west-3']],
    [
      'several regions',
      ['check', '--compare-regions', 'eu-west-1,eu-ce'],
      ['eu-west-1,eu-central-1', 'eu-west-1,eu-central-2'],
    ],
    ['several scenarios', ['check', '--scenario', 'drift,zo'], ['drift,zone-outage']],
    ['releases of Karpenter', ['check', '--karpenter-version', '1.3'], ['1.3.3']],
    ['rules', ['rules', 'KARP-40'], RULES.map(({ id }) => id).filter((id) => id.startsWith('KARP-40'))],
    ['shells', ['completion', 'f'], ['fish']],
    ['no word where a file is expected', ['check', ''], []],
    ['no word for free text', ['explain', '--pod', ''], []],
  ])('%s', async (_, words, expected) => {
    expect(await completedByBash(...words)).toEqual(expected);
  });

  test('file names with readline if there is no word', async () => {
    expect((await run(['completion', 'bash'])).out).toContain(
      'complete -o bashdefault -o default -F _karpenter_constructs karpenter-constructs\n',
    );
  });

  test('all regions', async () => {
    expect(await completedByBash('check', '--region', '')).toEqual(REGIONS);
  });

  test.each(['check', 'diff', 'explain', 'instance-types', 'convert', 'rules', 'catalog update'])(
    'every option that %s --help lists',
    async (command) => {
      const { out } = await run([...command.split(' '), '--help']);
      const options = [...out.split('\nExamples:')[0].matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(
        ([, option]) => option,
      );
      expect(options.length).toBeGreaterThan(3);
      expect(await completedByBash(...command.split(' '), '--')).toEqual(expect.arrayContaining(options));
    },
  );
});

test.each(['bash', 'zsh', 'fish'])('the script for %s is the same every time, and has every command', async (shell) => {
  const { code, out } = await run(['completion', shell]);
  expect(code).toBe(0);
  expect((await run(['completion', shell])).out).toBe(out);
  const commands = [
    ...(await run(['--help'])).out
      .split('Commands:')[1]
      .split('Examples:')[0]
      .matchAll(/^ {2}([a-z-]+) /gm),
  ].map(([, name]) => name);
  expect(commands).toContain('check');
  for (const command of commands) expect(out).toMatch(new RegExp(`['" ]${command}['" :]`));
});

test('an unknown shell is rejected with the nearest one', async () => {
  expect(await run(['completion', 'bsh'])).toEqual({
    code: 2,
    out: '',
    err: 'error: completion: unknown shell "bsh"; did you mean "bash"?\n',
  });
});
