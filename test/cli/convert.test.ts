import { readFileSync } from 'fs';
import { join } from 'path';
import { folderOf, run } from './run';

const TEMPLATE = `apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: { name: default }
spec: { subnetSelector: { team: web }, securityGroupSelector: { team: web } }
`;
const PROVISIONER = `apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: { name: default }
spec:
  providerRef: { name: default }
  kubeletConfiguration: { containerRuntime: containerd }
`;

const folder = folderOf({
  'class.yaml': TEMPLATE,
  'bottlerocket.yaml': TEMPLATE.replace('spec: {', 'spec: { amiFamily: Bottlerocket,'),
  'pool.yaml': PROVISIONER,
  'broken.yaml': 'a: [\n',
});
const file = (name: string) => join(folder, name);

test('escapes control characters in names', async () => {
  const { err } = await run(
    ['convert', '-'],
    'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: { name: "a\\x1b[2J" }\nspec: {}\n',
  );
  expect(err).toContain('Provisioner/a\\x1b[2J: ');
});

describe('convert', () => {
  test('writes one stream that check accepts, and reports changes on standard error', async () => {
    const { code, out, err } = await run(['convert', '--role', 'nodes', file('class.yaml'), file('pool.yaml')]);
    expect(code).toBe(0);
    expect(err).toMatch(
      new RegExp(`^kept: ${file('pool.yaml')}:6:27: Provisioner/default: kubelet: containerRuntime`, 'm'),
    );
    const verdict = await run(['check', '-', '--format', 'json'], out);
    expect(JSON.parse(verdict.out).findings.filter(({ severity }: any) => severity === 'error')).toEqual([]);
    expect(JSON.parse(verdict.out).nodePools).toHaveLength(1);
  });

  test('reads standard input and writes a file', async () => {
    const { code, out } = await run(['convert', '-', '-o', file('new.yaml')], TEMPLATE);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(readFileSync(file('new.yaml'), 'utf8')).toMatch(/kind: EC2NodeClass/);
  });

  test('exits with 1 if something is left to do with --fail-on todo', async () => {
    expect((await run(['convert', '--fail-on', 'todo', file('class.yaml')])).code).toBe(1);
    // The default family AL2 has no AMI for newer versions of Kubernetes, which is left to do.
    expect((await run(['convert', '--fail-on', 'todo', '--role', 'nodes', file('class.yaml')])).code).toBe(1);
    expect((await run(['convert', '--fail-on', 'todo', '--role', 'nodes', file('bottlerocket.yaml')])).code).toBe(0);
  });

  test('exits with 2 and converts nothing if a path does not exist', async () => {
    expect(await run(['convert', file('class.yaml'), file('nowhere.yaml')])).toEqual({
      code: 2,
      out: '',
      err: `error: ${file('nowhere.yaml')}: no such file or folder\n`,
    });
  });

  test('exits with 2 and the place of unreadable input, and converts the rest', async () => {
    const { code, out, err } = await run(['convert', file('broken.yaml'), file('class.yaml')]);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^error: ${file('broken.yaml')}:\\d+:\\d+: invalid YAML`, 'm'));
    expect(out).toMatch(/kind: EC2NodeClass/);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    [
      'a YAML bomb',
      [
        'a: &a [x, x, x, x, x, x, x, x, x]',
        ...'bcdefghij'
          .split('')
          .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(', ')}]`),
      ].join('\n'),
      /aliases expand to more than/,
    ],
    ['endless nesting', '['.repeat(100_000), /nested more than 500 levels deep/],
    ['a binary file', Buffer.from('a: \0', 'latin1'), /NUL character/],
    ['a Helm template', 'spec:\n  {{- toYaml .Values.spec | nindent 2 }}\n', /looks like a Helm template/],
  ])('exits with 2 and the reason for %s', async (_, input, message) => {
    for (const format of ['yaml', 'typescript'])
      expect(await run(['convert', '--to', format, '-'], input)).toMatchObject({
        code: 2,
        err: expect.stringMatching(message),
      });
  });

  test.each([
    ['a Provisioner without a spec', 'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\n'],
    ['a spec that is a text', 'apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: 3\nspec: x\n'],
    [
      'lists where maps belong',
      'apiVersion: karpenter.k8s.aws/v1alpha1\nkind: AWSNodeTemplate\nspec: { subnetSelector: [a], tags: [b], metadataOptions: [c], blockDeviceMappings: { d: e } }\n',
    ],
    [
      'texts where lists belong',
      'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nspec: { requirements: a, taints: b, labels: c, limits: d, consolidation: e, kubeletConfiguration: f, providerRef: g }\n',
    ],
  ])('converts %s as far as possible, and loses nothing', async (_, input) => {
    const { code, out } = await run(['convert', '-'], input);
    expect(code).toBe(0);
    expect(
      (input.match(/: [a-gx3]\b|\[[a-e]\]/g) ?? []).filter((value) => !out.includes(value.replace(/^: |[[\]]/g, ''))),
    ).toEqual([]);
    expect((await run(['convert', '--to', 'typescript', '-'], input)).code).toBe(0);
  });

  test('writes a program of constructs', async () => {
    const { code, out } = await run([
      'convert',
      '--to',
      'typescript',
      '--role',
      'nodes',
      file('class.yaml'),
      file('pool.yaml'),
    ]);
    expect(code).toBe(0);
    expect(out).toContain("import { nodes } from 'karpenter-constructs';");
    expect(out).toMatch(
      /new nodes\.NodePool\(this, 'DefaultNodePool', \{\n +metadata: \{ name: 'default' \},\n +nodeClass: defaultEC2NodeClass,\n/,
    );
  });

  test('reports documents that a program cannot create', async () => {
    const { code, err } = await run(['convert', '--to', 'typescript', '--fail-on', 'todo', '-'], 'a: 1\n');
    expect({ code, err }).toEqual({
      code: 1,
      err: 'todo: -:1:1: is not a Kubernetes object, so the program cannot create it\n',
    });
  });

  test('exits with 2 for an unknown format', async () => {
    expect(await run(['convert', '--to', 'java', file('class.yaml')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--to: unknown value "java"; write yaml or typescript/),
    });
  });
});
