import { userDataFormat } from '../../../../../src/validation/rules/api/user-data/user-data-format';
import { judge, nodeClass } from '../../judge';

const rule = userDataFormat;
const SCRIPT = '#!/bin/bash\necho hi\n';
const TOML = '[settings.kubernetes]\nmax-pods = 10\n';
const NODE_CONFIG = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {}\n';
const MIME = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n--//\n';
const CLOUD_CONFIG = '#cloud-config\nruncmd: [ls]\n';
const TAGS = '<powershell>\nWrite-Host hi\n</powershell>\n';
const POWERSHELL = 'Write-Host hi\n';
const classWith = (alias: string, userData: unknown, name?: string) =>
  nodeClass(name, { amiSelectorTerms: [{ alias }], userData });

describe('KARP-150 user-data-format', () => {
  test.each([
    [
      'bottlerocket@latest',
      SCRIPT,
      'a shell script, which Bottlerocket does not take: Karpenter cannot parse it as TOML',
    ],
    ['bottlerocket@latest', NODE_CONFIG, 'a NodeConfig, which Bottlerocket does not take'],
    ['bottlerocket@latest', MIME, 'a MIME archive, which Bottlerocket does not take'],
    ['bottlerocket@latest', CLOUD_CONFIG, 'a cloud-config file, which Bottlerocket does not take'],
    ['bottlerocket@latest', TAGS, 'a script in <powershell> tags, which Bottlerocket does not take'],
    ['al2023@latest', TOML, 'TOML settings, which AL2023 does not take'],
    ['al2023@latest', 'settings.host.name = "a"', 'TOML settings, which AL2023 does not take'],
    [
      'al2023@latest',
      CLOUD_CONFIG,
      'a cloud-config file, which AL2023 does not take: Karpenter passes any YAML on as a NodeConfig',
    ],
    ['al2@latest', NODE_CONFIG, 'a NodeConfig, which AL2 does not take'],
    ['al2@latest', TOML, 'TOML settings, which AL2 does not take'],
    ['windows2022@latest', SCRIPT, 'a shell script, which Windows2022 does not take'],
    [
      'windows2025@latest',
      TAGS,
      'a script in <powershell> tags, which Windows2025 does not take: Karpenter adds these tags itself',
    ],
  ])('rejects, for %s, the user data %j', (alias, userData, message) => {
    const { findings } = judge(rule, [classWith(alias, userData)]);
    expect(findings).toMatchObject([{ path: ['spec', 'userData'] }]);
    expect(findings[0].message).toContain(message);
  });

  test.each([
    ['bottlerocket@latest', TOML],
    ['bottlerocket@latest', '# a comment\n[settings]\n'],
    ['bottlerocket@latest', '#!/bin/bash\n# only comments are TOML, too\n'],
    ['al2023@latest', SCRIPT],
    ['al2023@latest', NODE_CONFIG],
    ['al2023@latest', '{"apiVersion":"node.eks.aws/v1alpha1"}'],
    ['al2023@latest', MIME],
    ['al2@latest', SCRIPT],
    ['al2@latest', MIME],
    ['windows2019@latest', POWERSHELL],
  ])('accepts, for %s, the user data %j', (alias, userData) => {
    expect(judge(rule, [classWith(alias, userData)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  describe('with a MIME archive', () => {
    const archive = (middle: string, last: string) =>
      `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="BOUNDARY"\n\n--BOUNDARY\nContent-Type: text/x-shellscript\n\n#!/bin/bash\n--help\n\n${middle}\nContent-Type: application/node.eks.aws\n\nkind: NodeConfig\n\n${last}\n`;
    const judged = (text: string, alias = 'al2023@latest') => judge(rule, [classWith(alias, text)]).findings;

    test('rejects an archive without an end, which Karpenter cannot merge', () => {
      expect(judged(archive('--BOUNDARY', '--BOUNDRY--'))).toMatchObject([
        { remedy: 'end the user data with the line --BOUNDARY--', evidence: { consequence: 'launch-fails' } },
      ]);
      expect(judged(archive('--BOUNDRY', '--BOUNDRY--'))[0].remedy).toBe(
        'write --BOUNDARY instead of --BOUNDRY, and end the user data with the line --BOUNDARY--',
      );
    });

    test('rejects a part with another boundary, which belongs to the part before it', () => {
      const [{ message, evidence }] = judged(archive('--BOUNDRY', '--BOUNDARY--'));
      expect(message).toContain('loses a part, because the line "--BOUNDRY" does not have the boundary "BOUNDARY"');
      expect(evidence).not.toHaveProperty('consequence');
    });

    test('corrects the header if all parts have another boundary', () => {
      const right = archive('--BOUNDARY', '--BOUNDARY--');
      const [{ remedy, fix }] = judged(right.replace('"BOUNDARY"', '"//"'));
      expect(remedy).toBe('write boundary="BOUNDARY" in the header');
      expect(fix?.edits).toMatchObject([{ operation: 'set', value: right }]);
    });

    test('accepts correct delimiters, also without quotes, and of a custom family', () => {
      expect(judged(archive('--BOUNDARY', '--BOUNDARY--'))).toEqual([]);
      expect(judged(archive('--BOUNDARY', '--BOUNDARY--').replace('"BOUNDARY"', 'BOUNDARY'), 'al2@latest')).toEqual([]);
      expect(judged(archive('--BOUNDARY', '--BOUNDARY--').replaceAll('\n', '\r\n'))).toEqual([]);
    });
  });

  test('rejects numbers where Bottlerocket takes strings', () => {
    const judged = (text: string) => judge(rule, [classWith('bottlerocket@latest', text)]).findings;
    expect(judged('[settings.kernel.sysctl]\n"vm.max_map_count" = 262144 # high\n')).toMatchObject([
      { evidence: { settings: ['settings.kernel.sysctl.vm.max_map_count'], consequence: 'never-joins' } },
    ]);
    expect(judged('[settings.kubernetes.node-labels]\nspot = true\n')).toMatchObject([
      { remedy: 'write spot = "true", in quotes', evidence: { consequence: 'launch-fails' } },
    ]);
    expect(judged('[settings.kernel.sysctl]\n"a.b" = "1"\n[settings.kubernetes]\nmax-pods = 10\n')).toEqual([]);
  });

  test('accepts any format for the family Custom, whose AMIs are unknown', () => {
    const custom = nodeClass('default', { amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] });
    const document = JSON.parse(custom);
    document.spec.userData = TOML;
    expect(judge(rule, [JSON.stringify(document)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not evaluate user data that is known only at deployment', () => {
    expect(judge(rule, [classWith('bottlerocket@latest', '${Token[TOKEN.1]}')]).whys).toHaveLength(1);
  });

  test('does not apply to classes without user data', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });

  const archive = (...parts: string[]) =>
    `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n${parts.map((part) => `--B\n${part}\n`).join('')}--B--\n`;
  const typed = (type: string, body: string) => `Content-Type: ${type}\n\n${body}`;

  test.each<[alias: string, userData: string, message: string, remedy: string]>([
    ['al2023', `\n${SCRIPT}`, 'has an empty line before', 'remove the empty line'],
    ['al2023', 'sysctl -w a=b\necho hi\n', 'begins with "sysctl -w a=b" instead of', 'write #!/bin/bash'],
    ['al2', 'echo hi\n', 'begins with "echo hi"', 'write #!/bin/bash'],
    ['al2023', 'packages: [htop]\n', 'is YAML without apiVersion', 'write a MIME archive with a part'],
    ['al2023', Buffer.from(SCRIPT).toString('base64'), 'is in base64', 'write the decoded text'],
    ['bottlerocket', Buffer.from(TOML).toString('base64'), 'cannot parse the text as TOML', 'write the decoded text'],
    ['al2023', `\n${archive(typed('text/x-shellscript', SCRIPT))}`, 'begins with an empty line or a blank', 'begin'],
    ['al2023', archive('Content-Type: text/x-shellscript\n#!/bin/bash\n'), 'has the line "#!/bin/bash"', 'empty line'],
    ['al2023', 'MIME-Version: 1.0\n\n--B\n\n--B--\n', 'has no Content-Type: multipart/mixed', 'write Content-Type'],
    [
      'al2023',
      archive(typed('text/x-shellscript', `\n${SCRIPT}`)),
      'has an empty line before',
      'remove the empty line',
    ],
    ['al2023', archive(typed('text/yaml', NODE_CONFIG)), 'NodeConfig of type text/yaml', 'application/node.eks.aws'],
    ['al2023', archive(typed('application/node.eks.aws', SCRIPT)), 'which nodeadm decodes', 'text/x-shellscript'],
    ['bottlerocket', '{"settings": {}}\n', 'is neither a table nor a key with a value', 'write settings in TOML'],
    ['bottlerocket', '[settings.a]\nenabled = yes\n', 'the value in "enabled = yes" is none', 'write enabled = true'],
    ['bottlerocket', `${TOML}${TOML}`, '[settings.kubernetes] is there twice', 'write all its keys in one place'],
    ['bottlerocket', '[settings.kubernetes]\nmax-pods = "10"\n', 'takes no text there', 'write max-pods = 10'],
    ['bottlerocket', '[kernel.sysctl]\n', 'has kernel, which Karpenter does not know', 'write settings.kernel'],
    ['bottlerocket', '[settings.kernal]\n', 'which Bottlerocket does not know', 'write settings.kernel instead'],
    [
      'bottlerocket',
      '[settings.kernel.sysctls]\n"a.b" = "1"\n',
      'which Bottlerocket does not know',
      'write settings.kernel.sysctl instead',
    ],
    [
      'bottlerocket',
      '[settings.network]\nhttp-proxy = "a"\n',
      'which Bottlerocket does not know',
      'write settings.network.https-proxy instead',
    ],
    ['bottlerocket', '[settings.kubernetes]\nmax_pods = 1\n', 'and leaves out', 'write settings.kubernetes.max-pods'],
  ])('finds, for %s, the mistake in %j', (family, userData, message, remedy) => {
    const { findings } = judge(rule, [classWith(`${family}@latest`, userData)]);
    expect(findings).toMatchObject([
      { message: expect.stringContaining(message), remedy: expect.stringContaining(remedy) },
    ]);
  });

  test.each([
    [
      'al2023',
      archive(typed('text/x-shellscript; charset="us-ascii"', SCRIPT), typed('text/cloud-config', CLOUD_CONFIG)),
    ],
    ['al2023', archive(typed('application/node.eks.aws', NODE_CONFIG))],
    ['al2023', '${user_data}\n${more}\n'],
    ['bottlerocket', '[settings.kubernetes]\nmax-pods = ${MAX}\n'],
    [
      'bottlerocket',
      '[settings]\na = [ "x", # y\n \'z\' ]\nb = """\n= ["""\n[[settings.c]]\nd = 1\n[[settings.c]]\nd = 2\n',
    ],
  ])('passes, for %s, the user data %j', (family, userData) => {
    expect(judge(rule, [classWith(`${family}@latest`, userData)]).findings).toEqual([]);
  });
});
