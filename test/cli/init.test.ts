import { existsSync, readFileSync, symlinkSync } from 'fs';
import { join } from 'path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { newFolder, run } from './run';
import { CONSTRUCTS_FILE } from '../../src/cli/input/constructs-file';

const WORKFLOW = '.github/workflows/karpenter.yml';
const SCHEMA = join(__dirname, '../../integrations/vscode/karpenter-constructs.schema.json');
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');
const isValid = (document: unknown) =>
  new Ajv({ schemaId: 'auto' }).validate(JSON.parse(readFileSync(SCHEMA, 'utf8')), document);

describe('init', () => {
  test('writes the settings file and a workflow, with which check runs', async () => {
    const folder = newFolder({});
    expect(await run(['init', folder, '--region', 'eu-west-1'])).toEqual({
      code: 0,
      out: `created ${CONSTRUCTS_FILE}\ncreated ${WORKFLOW}\nNext: karpenter-constructs check .\n`,
      err: '',
    });
    const text = read(folder, CONSTRUCTS_FILE);
    expect(text).toMatch(/^# yaml-language-server: \$schema=https:\/\/\S+\/karpenter-constructs\.schema\.json\n/);
    expect(parse(text)).toEqual({ flags: { region: 'eu-west-1' }, acknowledge: [] });
    expect(isValid(parse(text))).toBe(true);
    expect(parse(read(folder, WORKFLOW)).jobs.check.steps[1]).toMatchObject({
      with: { paths: '.', region: 'eu-west-1' },
    });
  });

  test('keeps files that exist, also a link that leads nowhere', async () => {
    const folder = newFolder({ [CONSTRUCTS_FILE]: 'flags: {}\n', '.github/workflows/other.yml': '' });
    symlinkSync(join(folder, 'missing'), join(folder, WORKFLOW));
    expect((await run(['init', folder])).out).toContain(
      `kept ${CONSTRUCTS_FILE}, which exists\nkept ${WORKFLOW}, which exists\n`,
    );
    expect(read(folder, CONSTRUCTS_FILE)).toBe('flags: {}\n');
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  test('writes nothing with --dry-run, and prints the files', async () => {
    const folder = newFolder({});
    const { out } = await run(['init', folder, '--dry-run']);
    expect(out).toContain(`would create ${CONSTRUCTS_FILE}:\n  # yaml-language-server`);
    expect(existsSync(join(folder, CONSTRUCTS_FILE))).toBe(false);
  });

  test.each<[string, Record<string, string>, string, string]>([
    [
      'a cdk8s app in TypeScript',
      { 'cdk8s.yaml': 'language: typescript\napp: node main.js\n' },
      "  import { plugins } from 'karpenter-constructs';\n  new plugins.KarpenterVerdict(app, 'Verdict', { region: 'eu-west-1' });\n",
      'npx cdk8s synth',
    ],
    [
      'a cdk8s app in Python',
      { 'cdk8s.yaml': 'language: python\napp: pipenv run python main.py\n' },
      '  from karpenter_constructs import plugins\n  plugins.KarpenterVerdict(app, "Verdict", region="eu-west-1")\n',
      'npx cdk8s synth',
    ],
    [
      'an app of the AWS CDK',
      { 'cdk.json': '{ "app": "npx ts-node --prefer-ts-exts bin/shop.ts" }' },
      '  Validations.of(app).addPlugins(new plugins.KarpenterVerdictPlugin());\n',
      'npx cdk synth --quiet',
    ],
    [
      'an app in Java',
      { 'cdk.json': '{ "app": "mvn -e -q compile exec:java" }' },
      'docs/plugins.md for your language',
      'npx cdk synth --quiet',
    ],
  ])('prints the lines of the verdict for %s, whose synth is the check', async (_, files, lines, synth) => {
    const folder = newFolder(files);
    const { out } = await run(['init', folder, '--region', 'eu-west-1']);
    expect(out).toContain('Add the verdict to the program, before it synthesises the app:\n');
    expect(out).toContain(lines);
    expect(parse(read(folder, WORKFLOW)).jobs.check.steps.map(({ run: command }: any) => command)).toContain(synth);
  });

  test('writes a job for GitLab with this version, if the project has .gitlab-ci.yml', async () => {
    const folder = newFolder({ '.gitlab-ci.yml': '' });
    await run(['init', folder]);
    expect(parse(read(folder, '.gitlab/karpenter-constructs.yml'))['karpenter-constructs'].script).toEqual([
      expect.stringMatching(/^npx --yes karpenter-constructs@\d+\.\d+\.\d+ check \. --quiet$/),
    ]);
  });

  test('refuses a link that leads out of the repository, a file, and a text that is not a region', async () => {
    const outside = newFolder({});
    const folder = newFolder({ '.git/HEAD': '' });
    symlinkSync(outside, join(folder, '.github'));
    expect(await run(['init', folder])).toMatchObject({ code: 2, err: expect.stringContaining('through a link') });
    expect(existsSync(join(outside, 'workflows'))).toBe(false);
    expect(await run(['init', join(folder, '.git/HEAD')])).toMatchObject({ code: 2 });
    expect(await run(['init', folder, '--region', "x' }); evil('"])).toMatchObject({ code: 2 });
  });
});

test('the JSON Schema accepts what the settings file accepts', () => {
  const entry = { rule: 'KARP-401', subject: 'Deployment/shop/web', reason: 'fine', until: '2026-03-31' };
  expect(isValid({ acknowledge: [entry], severity: { 'KARP-402': 'info' }, flags: { region: 'eu-west-1' } })).toBe(
    true,
  );
  for (const invalid of [
    { acknowledged: [] },
    { acknowledge: [{ rule: 'KARP-401' }] },
    { severity: { 'KARP-402': 'low' } },
  ])
    expect(isValid(invalid)).toBe(false);
});
