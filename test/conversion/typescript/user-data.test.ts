import fc from 'fast-check';
import { programOf, synthesise } from './program';
import { BottlerocketSetting, KubeletSetting, UserData } from '../../../src/nodes';

/** The property of the program for an EC2NodeClass with the user data, on one line. */
function propertyOf(userData: string, alias = 'al2023@v20250915'): string {
  const program = programOf(manifest(userData, alias));
  const [property] = /userData: [^]*?\n(?= {4}\}\);)/.exec(program) ?? [''];
  return property
    .replace(/,?\s*\n\s*/g, ' ')
    .replace(/\( /g, '(')
    .replace(/ ([)\]])/g, '$1')
    .trim();
}

function manifest(userData: string, alias: string): string {
  return JSON.stringify({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: {
      amiSelectorTerms: [{ alias }],
      role: 'nodes',
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'main' } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'main' } }],
      userData,
    },
  });
}

const NODE_CONFIG = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      registryPullQPS: 20
    flags:
      - --v=4
`;

describe('a program has user data with the types of its AMI family', () => {
  test.each([
    ['a NodeConfig', NODE_CONFIG, 'nodes.UserData.nodeConfig({'],
    ['its settings', NODE_CONFIG, 'registryPullQPS: nodes.KubeletSetting.number(20)'],
    ['a shell script', '#!/bin/bash\necho "it\'s"\n', "nodes.UserData.shellScript('echo \"it\\'s\"')"],
    ['another interpreter', '#!/bin/sh\nset -e\n', "nodes.UserData.shellScript('#!/bin/sh', 'set -e')"],
    [
      'an archive of both',
      UserData.multipart(
        UserData.nodeConfig({ kubeletFlags: ['--v=4'] }),
        UserData.shellScript('sysctl -w vm.max_map_count=262144'),
      ).content,
      'nodes.UserData.multipart(nodes.UserData.nodeConfig({',
    ],
  ])('%s', (_, userData, expected) => expect(propertyOf(userData)).toContain(expected));

  test('settings of Bottlerocket', () => {
    const userData =
      '[settings.kernel]\nlockdown = "integrity"\n\n[settings.kernel.sysctl]\n"vm.max_map_count" = "262144"\n';
    expect(propertyOf(userData, 'bottlerocket@v1.46.0')).toBe(
      "userData: nodes.UserData.bottlerocket({ kernel: { lockdown: nodes.BottlerocketSetting.text('integrity') " +
        "sysctl: nodes.BottlerocketSetting.textMap({ 'vm.max_map_count': '262144' }) } })",
    );
  });
});

describe('a program has user data as text', () => {
  test.each([
    ['comments', `# our nodes\n${NODE_CONFIG}`],
    ['a line without an end', '#!/bin/bash\necho hello'],
    ['a setting that kubelet of the EC2NodeClass has', NODE_CONFIG.replace('registryPullQPS', 'maxPods')],
    ['a field that the types do not have', NODE_CONFIG.replace('  kubelet:', '  cluster: {}\n  kubelet:')],
    ['YAML that cannot be read', NODE_CONFIG.replace('registryPullQPS: 20', '{')],
    ['another boundary', UserData.multipart(UserData.shellScript('true')).content.replaceAll('//', 'BOUNDARY')],
  ])('because of %s', (_, userData) => {
    expect(propertyOf(userData)).toMatch(/^userData: nodes\.UserData\.raw\(/);
    expect(synthesise(programOf(manifest(userData, 'al2023@v20250915')))[0].spec.userData).toBe(userData);
  });

  test.each([
    'settings.kernel.lockdown = "integrity"\n',
    "[settings.kernel]\nlockdown = 'integrity'\n",
    '[settings.kernel]\nlockdown="integrity"\n',
    '[settings.kernel]\nlockdown = "integrity" # strict\n',
    '[settings.kubernetes]\nmax-pods = 20\n',
  ])('because the types would write another text than %j, or refuse it', (userData) => {
    expect(propertyOf(userData, 'bottlerocket@v1.46.0')).toMatch(/^userData: nodes\.UserData\.raw\(/);
  });
});

const word = fc.stringMatching(/^[a-z][a-z-]{0,8}$/);
const line = fc.string({ maxLength: 20 }).filter((text) => !/[\r\n]/.test(text));
const shell = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => UserData.shellScript('set -e', ...lines));
const kubeletSetting = fc.oneof(
  line.map((text) => KubeletSetting.text(text)),
  fc.integer().map((value) => KubeletSetting.number(value)),
  fc.boolean().map((value) => KubeletSetting.flag(value)),
  fc.array(line, { maxLength: 3 }).map((values) => KubeletSetting.texts(...values)),
);
const nodeConfig = fc
  .record(
    {
      kubeletConfig: fc.dictionary(word, kubeletSetting, { maxKeys: 3 }),
      kubeletFlags: fc.array(
        word.map((flag) => `--x-${flag}=1`),
        { maxLength: 2 },
      ),
      containerdConfig: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
      featureGates: fc.dictionary(word, fc.boolean(), { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((options) => UserData.nodeConfig(options));
const multipart = fc
  .array(fc.oneof(shell, nodeConfig), { minLength: 1, maxLength: 3 })
  .filter((parts) => parts.every(({ content }) => !content.includes('--//')))
  .map((parts) => UserData.multipart(...parts));
const setting = fc.oneof(
  line.map((text) => BottlerocketSetting.text(text)),
  fc.integer().map((value) => BottlerocketSetting.number(value)),
  fc.boolean().map((value) => BottlerocketSetting.flag(value)),
  fc.array(line, { maxLength: 3 }).map((values) => BottlerocketSetting.texts(...values)),
  fc.dictionary(line, line, { maxKeys: 3 }).map((values) => BottlerocketSetting.textMap(values)),
);
const bottlerocket = fc
  .dictionary(word, fc.dictionary(word, setting, { minKeys: 1, maxKeys: 3 }), { minKeys: 1, maxKeys: 3 })
  .map((tables) => UserData.bottlerocket(tables));

test('names of JavaScript in TOML are ordinary names', () => {
  const userData = '[settings.a.__proto__]\npolluted = true\n';
  expect(synthesise(programOf(manifest(userData, 'bottlerocket@v1.46.0')))[0].spec.userData).toBe(userData);
  expect({}).not.toHaveProperty('polluted');
});

test('a program writes the same text, whatever the constructs have written', () => {
  const anyOf = fc.oneof(
    fc.oneof(shell, nodeConfig, multipart).map(({ content }) => ({ content, alias: 'al2023@v20250915' })),
    bottlerocket.map(({ content }) => ({ content, alias: 'bottlerocket@v1.46.0' })),
  );
  fc.assert(
    fc.property(anyOf, ({ content, alias }) => {
      expect(synthesise(programOf(manifest(content, alias)))[0].spec.userData).toBe(content);
    }),
    { seed: 49, numRuns: 150 },
  );
});

test('a program has no text where the constructs can write it', () => {
  fc.assert(
    fc.property(fc.oneof(shell, nodeConfig, multipart), ({ content }) => {
      expect(propertyOf(content)).not.toContain('UserData.raw');
    }),
    { seed: 49, numRuns: 100 },
  );
});
