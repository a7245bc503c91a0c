import { amiReleaseWithoutKubernetes } from '../../../../src/validation/rules/api/ami-release-without-kubernetes';
import { judge, judgeStack, nodeClass } from '../judge';
import { OPEN } from '../stack';

const rule = amiReleaseWithoutKubernetes;

function judgeAlias(alias: string, ...versions: unknown[]) {
  const clusters = versions.map((Version, index) => [
    `Cluster${index}`,
    { Type: 'AWS::EKS::Cluster', Properties: { Name: `cluster-${index}`, Version } },
  ]);
  return judgeStack(rule, Object.fromEntries(clusters), [nodeClass('default', { amiSelectorTerms: [{ alias }] })]);
}

describe('KARP-155 ami-release-without-kubernetes', () => {
  test('reports a release that is older than the first AMI for the Kubernetes version', () => {
    expect(judgeAlias('al2023@v20251103', '1.35').findings).toMatchObject([
      {
        path: ['spec', 'amiSelectorTerms', 0, 'alias'],
        message:
          'selects al2023@v20251103, but EKS published no AL2023 AMI for Kubernetes 1.35 up to 2026-01-07: the class finds no AMI, and nothing is launched',
        remedy: 'write a release from v20260114 on, such as al2023@v20260714',
        evidence: { alias: 'al2023@v20251103', kubernetes: '1.35', date: '20260107' },
        fix: { safe: false, edits: [{ operation: 'set', value: 'al2023@v20260714' }] },
      },
    ]);
  });

  test('reports a release that is newer than the last AMI for the Kubernetes version', () => {
    const [finding] = judgeAlias('al2023@v20260505', '1.29').findings;
    expect(finding.message).toContain('no AL2023 AMI for Kubernetes 1.29 since 2026-04-03');
    expect(finding.remedy).toContain('al2023@v20260318, the last release for this one');
    expect(finding.fix).toBeUndefined();
  });

  test('reports a release after the last of Amazon Linux 2, whatever the Kubernetes version', () => {
    const [finding] = judgeAlias('al2@v20260115').findings;
    expect(finding.message).toContain('EKS published no Amazon Linux 2 AMI since 2025-12-17');
    expect(finding.remedy).toContain('write an alias of AL2023');
  });

  test('reports a release of Bottlerocket before its first AMI for the Kubernetes version, or after its last', () => {
    const [old] = judgeAlias('bottlerocket@v1.9.0', '1.35').findings;
    expect(old.message).toContain(
      'Bottlerocket has AMIs for Kubernetes 1.35 only since 1.53.0: the class finds no AMI',
    );
    expect(old.fix).toMatchObject({ edits: [{ operation: 'set', value: 'bottlerocket@v1.53.0' }] });
    expect(judgeAlias('bottlerocket@1.65.1', '1.30').findings).toMatchObject([
      { message: expect.stringContaining('Bottlerocket 1.64.0 removed the AMIs for Kubernetes 1.30'), fix: undefined },
    ]);
  });

  test.each([
    ['a release that has AMIs', 'al2023@v20260114', ['1.35']],
    ['a release between the last without AMIs and the first with AMIs', 'al2023@v20260529', ['1.36']],
    ['a release that is newer than the changelog', 'al2023@v20271103', ['1.35']],
    ['a Kubernetes version that is newer than the changelog', 'al2023@v20251103', ['1.41']],
    ['the newest release', 'al2023@latest', ['1.35']],
    ['the first release of Bottlerocket with its variants', 'bottlerocket@v1.53.0', ['1.35']],
    ['a Kubernetes version whose first release of Bottlerocket is not known', 'bottlerocket@1.19.0', ['1.33']],
    ['a release of Bottlerocket for an older cluster', 'bottlerocket@v1.47.0', ['1.35', '1.34']],
    ['a class that may be for an older cluster', 'al2023@v20251103', ['1.35', '1.34']],
    ['a cluster whose version is known only at deployment', 'al2023@v20251103', [OPEN]],
    ['no cluster in the input', 'al2023@v20251103', []],
  ])('passes %s', (_, alias, versions) => {
    expect(judgeAlias(alias, ...versions).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply to AMIs that are selected by id', () => {
    const byId = nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] });
    expect(judge(rule, [byId]).outcomes).toEqual([]);
  });

  test('does not evaluate an alias that is known only at deployment', () => {
    expect(judgeAlias('al2023@${AMI_VERSION}', '1.35').whys).toEqual(['its AMIs are known only at deployment']);
  });
});
