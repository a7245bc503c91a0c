import * as fc from 'fast-check';
import { newChart } from './fixtures';
import * as nodes from '../../src/nodes';
import { toToml } from '../../src/nodes/private/toml';

const { AmiSelectorTerm, BottlerocketSetting, EC2NodeClass, KubeletSetting, UserData } = nodes;
const SCRIPT = UserData.shellScript('echo hello');
const CONFIG = UserData.nodeConfig({ kubeletConfig: { registryPullQPS: KubeletSetting.number(20) } });

function classWith(userData: nodes.UserData, amiSelectorTerm: nodes.AmiSelectorTerm, amiFamily?: nodes.AmiFamily) {
  return () =>
    new EC2NodeClass(newChart(), 'class', {
      identity: nodes.NodeIdentity.role('nodes'),
      subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag('shop')],
      securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byDiscoveryTag('shop')],
      amiSelectorTerms: [amiSelectorTerm],
      amiFamily,
      userData,
    });
}

describe('UserData writes', () => {
  test('a NodeConfig as YAML', () => {
    const { content } = UserData.nodeConfig({
      kubeletConfig: { registryPullQPS: KubeletSetting.number(20) },
      kubeletFlags: ['--v=4'],
      containerdConfig: 'version = 3\n',
      featureGates: { FastImagePull: true },
    });
    expect(content).toMatchInlineSnapshot(`
"apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      registryPullQPS: 20
    flags:
      - --v=4
  containerd:
    config: |
      version = 3
  featureGates:
    FastImagePull: true
"
`);
  });

  test('a script, with an interpreter if it has none', () => {
    expect([SCRIPT.content, UserData.shellScript('#!/bin/sh', 'true').content]).toEqual([
      '#!/bin/bash\necho hello\n',
      '#!/bin/sh\ntrue\n',
    ]);
  });

  test('several parts as a MIME archive', () => {
    expect(UserData.multipart(CONFIG, SCRIPT).content).toMatchInlineSnapshot(`
"MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: application/node.eks.aws

apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      registryPullQPS: 20
--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
echo hello
--//--
"
`);
  });

  test('settings of Bottlerocket as TOML', () => {
    const { content } = UserData.bottlerocket({
      kernel: {
        lockdown: BottlerocketSetting.text('a "b"\n'),
        sysctl: BottlerocketSetting.textMap({ 'vm.max_map_count': '262144' }),
      },
      'container-registry': {
        mirrors: BottlerocketSetting.json('[{"registry":"*","endpoint":["https://mirror.example.com"]}]'),
      },
      kubernetes: {
        'registry-qps': BottlerocketSetting.number(20),
        'server-tls-bootstrap': BottlerocketSetting.flag(false),
      },
      ntp: { 'time-servers': BottlerocketSetting.texts('a', 'b') },
    });
    expect(content).toMatchInlineSnapshot(`
"[settings.kernel]
lockdown = "a \\"b\\"\\n"

[settings.kernel.sysctl]
"vm.max_map_count" = "262144"

[settings.container-registry]
mirrors = [{ registry = "*", endpoint = ["https://mirror.example.com"] }]

[settings.kubernetes]
registry-qps = 20
server-tls-bootstrap = false

[settings.ntp]
time-servers = ["a", "b"]
"
`);
  });

  test('PowerShell without tags', () => {
    expect(UserData.powershell('Set-TimeZone -Id UTC').content).toBe('Set-TimeZone -Id UTC\n');
  });
});

describe('UserData refuses at the call', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a kubelet setting of the class',
      () => UserData.nodeConfig({ kubeletConfig: { maxPods: KubeletSetting.number(110) } }),
      'UserData.nodeConfig.kubeletConfig: must not have a setting that kubelet of the EC2NodeClass has, because Karpenter plans with that one, got maxPods; write kubelet: { maxPods: … }',
    ],
    [
      'a kubelet flag of the class',
      () => UserData.nodeConfig({ kubeletFlags: ['--image-gc-high-threshold-percent=90'] }),
      'write kubelet: { imageGcHighThresholdPercent: … }',
    ],
    [
      'a kubelet setting in TOML',
      () => UserData.bottlerocket({ kubernetes: { 'eviction-hard': BottlerocketSetting.textMap({}) } }),
      'got evictionHard; write kubelet: { evictionHard: … }',
    ],
    [
      'the DNS of the cluster in TOML',
      () => UserData.bottlerocket({ kubernetes: { 'cluster-dns-ip': BottlerocketSetting.text('10.0.0.10') } }),
      'write kubelet: { clusterDns: … }',
    ],
    [
      'a setting that Karpenter writes',
      () => UserData.bottlerocket({ kubernetes: { 'node-taints': BottlerocketSetting.textMap({}) } }),
      'must not have a setting that Karpenter writes itself, got kubernetes.node-taints; write taints of the NodePool',
    ],
    [
      'settings below settings',
      () => UserData.bottlerocket({ settings: {} }),
      'must have the tables below settings, got settings itself',
    ],
    [
      'null in TOML',
      () => UserData.bottlerocket({ kernel: { lockdown: BottlerocketSetting.json('null') } }),
      'UserData.bottlerocket.settings.kernel.lockdown: must be a string, a number, a boolean, a list or a table, got null',
    ],
    [
      'a setting that is not JSON',
      () => BottlerocketSetting.json('{'),
      'BottlerocketSetting.json: must be JSON, got "{"',
    ],
    ['an empty script', () => UserData.shellScript(), 'UserData.shellScript: must have at least one line'],
    [
      'tags around PowerShell',
      () => UserData.powershell('<powershell>', 'dir', '</powershell>'),
      'must have no <powershell> tags, because Karpenter adds them',
    ],
    ['no parts', () => UserData.multipart(), 'UserData.multipart: must have at least one part'],
    ['TOML as a part', () => UserData.multipart(UserData.bottlerocket({})), 'got settings of Bottlerocket; write'],
    ['raw text as a part', () => UserData.multipart(UserData.raw('#!/bin/sh')), 'got raw text; write'],
    [
      'a boundary in a part',
      () => UserData.multipart(UserData.shellScript('cat <<E', '--//', 'E')),
      'must not have a line that begins with --//',
    ],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(message);
  });

  test.each([
    ['pods for each CPU', { 'pods-per-core': BottlerocketSetting.number(10) }],
    ['two addresses of DNS', { 'cluster-dns-ip': BottlerocketSetting.texts('10.0.0.10', '10.0.0.11') }],
  ])(
    'but not %s, which kubelet has not for Bottlerocket',
    (_, kubernetes: Record<string, nodes.BottlerocketSetting>) => {
      expect(() => UserData.bottlerocket({ kubernetes })).not.toThrow();
    },
  );
});

describe('EC2NodeClass and user data', () => {
  const al2023 = AmiSelectorTerm.al2023('v20250915');
  const bottlerocket = AmiSelectorTerm.bottlerocket('v1.46.0');
  const toml = UserData.bottlerocket({ kernel: { lockdown: BottlerocketSetting.text('integrity') } });

  test.each<[string, () => unknown]>([
    ['a NodeConfig for AL2023', classWith(CONFIG, al2023)],
    ['parts for AL2023', classWith(UserData.multipart(CONFIG, SCRIPT), al2023)],
    ['a script for AL2', classWith(SCRIPT, AmiSelectorTerm.al2('v20250915'))],
    ['TOML for Bottlerocket', classWith(toml, bottlerocket)],
    ['PowerShell for Windows', classWith(UserData.powershell('dir'), AmiSelectorTerm.windows2022())],
    ['anything for an AMI of your own', classWith(toml, AmiSelectorTerm.byName('mine'), nodes.AmiFamily.CUSTOM)],
    ['raw text in a format of the family', classWith(UserData.raw('#!/bin/bash\ntrue\n'), al2023)],
  ])('accepts %s', (_, create) => {
    expect(create).not.toThrow();
  });

  test.each<[string, () => unknown, string]>([
    [
      'TOML for AL2023',
      classWith(toml, al2023),
      'chart/class/userData: must have a format that AL2023 takes, got settings of Bottlerocket; write UserData.nodeConfig, UserData.shellScript or UserData.multipart',
    ],
    ['a NodeConfig for AL2', classWith(CONFIG, AmiSelectorTerm.al2('v20250915')), 'got a NodeConfig; write'],
    ['a script for Bottlerocket', classWith(SCRIPT, bottlerocket), 'got a shell script; write UserData.bottlerocket'],
    ['a script for Windows', classWith(SCRIPT, AmiSelectorTerm.windows2022()), 'write UserData.powershell'],
    [
      'raw text in another format',
      classWith(UserData.raw('#cloud-config\n'), al2023),
      'got a cloud-config file: Karpenter passes any YAML on as a NodeConfig, which nodeadm refuses',
    ],
  ])('refuses %s', (_, create, message) => {
    expect(create).toThrow(message);
  });
});

// eslint-disable-next-line @typescript-eslint/no-require-imports -- an ES module
const { parse } = require('smol-toml') as { parse(text: string): unknown };

test('TOML is read as the same values by a parser of another project', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, min: -1e200, max: 1e200 }),
  );
  const key = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((name) => name !== '__proto__');
  const { table } = fc.letrec<{ table: Record<string, unknown>; value: unknown }>((tie) => ({
    table: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      tie('table'),
      fc.array(tie('table'), { maxLength: 2 }),
    ),
  }));
  const tables = fc.sample(table, { seed: 49, numRuns: 300 });
  const read = tables.map((each) => parse(toToml('toml', each)));
  expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(tables)));
});
