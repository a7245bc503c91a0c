import { join } from 'path';
import { folderOf, newFolder, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

/** A line that GitHub's runners, or those of Azure Pipelines, take for a command. */
const COMMAND = /^\s*(?:::|##\[|##vso\[)/m;
const HOSTILE = '"web\\n::error::planted\\n##[error]planted"';

describe('a line break in a name', () => {
  const hostile = deployment('web', 2, SMALL).replace(/name: web\b/, `name: ${HOSTILE}`);
  const folder = folderOf({
    'all.yaml': [NODE_CLASS, nodePool(['m5.large']), hostile].join('---\n'),
    'odd\n::error::planted.yaml': 'kind: Pod\n  name: "x\n',
  });

  test.each(['check', 'convert'])('starts no line of what %s prints', async (command) => {
    const { out, err } = await run([command, folder]);
    expect(out + err).toContain('planted');
    expect(err).not.toMatch(COMMAND);
    if (command !== 'convert') expect(out).not.toMatch(COMMAND);
  });
});

/** Characters that a terminal follows. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/; // eslint-disable-line no-control-regex
const POISON = 'x\u009b31m\n::error::planted';

describe('control characters and line breaks', () => {
  const pool = nodePool(['m5.large']).replace('name: default', `name: ${JSON.stringify(POISON)}`);
  const application = (name: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { source: { path: good, repoURL: "https://example.com/own.git" }, destination: { name: ${JSON.stringify(name)}, namespace: default } }\n`;
  const files = {
    '.git/config': '[remote "origin"]\n\turl = https://example.com/own.git\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    'good/all.yaml': [NODE_CLASS, pool, deployment('web', 1, SMALL)].join('---\n'),
    'apps/a.yaml': application(POISON),
    'apps/b.yaml': application(`${POISON}-2`).replace('name: a ', 'name: b '),
  };

  test.each([
    ['check'],
    ['check', '--each'],
    ['check', '--each', '--verbose'],
    ['check', '--format', 'json'],
    ['check', '--format', 'sarif'],
    ['check', '--format', 'markdown'],
    ['instance-types'],
    ['instance-types', '--json'],
  ])('do not reach the terminal from names: %s %s %s', async (command, ...options) => {
    const { out, err } = await run([command, newFolder(files), ...options]);
    expect(out + err).toContain('planted');
    expect(out + err).not.toMatch(COMMAND);
    expect(out + err).not.toMatch(CONTROL);
  });

  test.each([[[]], [['--format', 'json']]])(
    'do not reach the terminal from names of explained roots: %s',
    async (options) => {
      const { out, err } = await run(['explain', newFolder(files), '--pod', 'web', ...options]);
      expect(out + err).toContain('planted');
      expect(out + err).not.toMatch(COMMAND);
      expect(out + err).not.toMatch(CONTROL);
    },
  );

  test('do not reach the terminal from paths of fixed files', async () => {
    const folder = newFolder({
      'odd\n::error::planted.yaml': [NODE_CLASS.replace('role: node', 'roel: node'), nodePool(['m5.large'])].join(
        '---\n',
      ),
    });
    const { out, err } = await run(['check', folder, '--fix']);
    expect(err).toContain('fixed ');
    expect(out + err).not.toMatch(COMMAND);
  });

  test('do not reach the terminal from keys of --settings', async () => {
    const folder = newFolder({
      'all.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
      'settings.yaml': `settings: { ${JSON.stringify(POISON)}: 1 }\n`,
    });
    const { out, err } = await run(['check', join(folder, 'all.yaml'), '--settings', join(folder, 'settings.yaml')]);
    expect(err).toContain('planted');
    expect(out + err).not.toMatch(COMMAND);
    expect(out + err).not.toMatch(CONTROL);
  });
});
