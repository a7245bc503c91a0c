import { spawnSync } from 'child_process';
import { writeFileSync } from 'fs';
import { join } from 'path';
import { newFolder, run } from '../../cli/run';

const CASES: ReadonlyArray<readonly [what: string, line: string, words: readonly string[]]> = [
  ['commands', 'ch', ['check']],
  ['commands below a command', 'catalog u', ['update']],
  ['choices', 'diff --format ', ['html', 'json', 'markdown', 'text']],
  ['options', 'check manifests/ --no-', ['--no-helm', '--no-kustomize']],
  ['rules', 'rules KARP-101', ['KARP-101', 'KARP-1012', 'KARP-1013', 'KARP-1014']],
  ['regions', 'check --region eu-we', ['eu-west-1', 'eu-west-2', 'eu-west-3']],
  ['files', 'check man', ['manifests/']],
];

async function scriptOf(shell: string): Promise<string> {
  const folder = newFolder({ 'manifests/web.yaml': '' });
  writeFileSync(join(folder, 'completion'), (await run(['completion', shell])).out);
  return folder;
}

function linesOf(program: string, args: readonly string[], cwd: string): string[] {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split(/\r?\n/);
}

describe('zsh completes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await scriptOf('zsh');
  });

  test.each([
    ...CASES,
    ['several regions', 'check --compare-regions eu-west-1,eu-ce', ['eu-central-1', 'eu-central-2']],
  ] as const)('%s', (_, line, words) => {
    const offered = linesOf(
      'zsh',
      ['-f', join(__dirname, 'capture.zsh'), join(folder, 'completion'), `karpenter-constructs ${line}`],
      folder,
    ).flatMap((text) => /OFFER:(.*)/.exec(text)?.[1] ?? []);
    expect([...new Set(offered)].sort()).toEqual(words.map((word) => word.replace(/\/$/, '')));
  });
});

describe('fish completes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await scriptOf('fish');
  });

  test.each([
    ...CASES,
    [
      'several regions',
      'check --compare-regions eu-west-1,eu-ce',
      ['eu-west-1,eu-central-1', 'eu-west-1,eu-central-2'],
    ],
  ] as const)('%s', (_, line, words) => {
    const offered = linesOf(
      'fish',
      ['--no-config', '-c', `source completion; complete -C 'karpenter-constructs ${line}'`],
      folder,
    );
    expect(
      offered
        .filter((text) => text !== '')
        .map((text) => text.split('\t')[0])
        .sort(),
    ).toEqual(words);
  });
});
