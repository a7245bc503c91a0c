import { amiAliasVersionImpossible } from '../../../../src/validation/rules/controller/ami-alias-version-impossible';
import { judge, nodeClass } from '../judge';

const rule = amiAliasVersionImpossible;
const withAlias = (alias: unknown) => nodeClass('default', { amiSelectorTerms: [{ alias }] });

describe('KARP-917 ami-alias-version-impossible', () => {
  test.each([
    ['al2@lates', 'write al2@latest'],
    ['al2023@Latest', 'write al2023@latest'],
    ['al2023@20250915', 'write al2023@v20250915'],
    ['al2023@V20250915', 'write al2023@v20250915'],
    ['al2023@v2025', 'write v and the date of a release, as in al2023@v20250915, or al2023@latest'],
    ['al2023@v20251345', 'write v and the date of a release, as in al2023@v20250915, or al2023@latest'],
    ['al2@v1.20.4', 'write v and the date of a release, as in al2@v20250915, or al2@latest'],
    [
      'bottlerocket@v1.20.x',
      'write the three numbers of a release, as in bottlerocket@v1.43.0, or bottlerocket@latest',
    ],
    ['bottlerocket@v1.20', 'write the three numbers of a release, as in bottlerocket@v1.43.0, or bottlerocket@latest'],
  ])('rejects %s', (alias, remedy) => {
    const [finding] = judge(rule, [withAlias(alias)]).findings;
    expect(finding).toMatchObject({ path: ['spec', 'amiSelectorTerms', 0, 'alias'], remedy, evidence: { alias } });
  });

  test('says which version AWS does not publish', () => {
    expect(judge(rule, [withAlias('al2023@20250915')]).findings[0].message).toBe(
      'selects al2023@20250915, but AWS publishes no al2023 AMI whose version has the form 20250915: the class finds no AMI, and nothing is launched',
    );
  });

  test.each([
    'al2@latest',
    'al2@v20240807',
    'al2023@latest',
    'al2023@v20250915',
    'bottlerocket@latest',
    'bottlerocket@v1.20.4',
    'bottlerocket@1.20.4',
    'bottlerocket@1.20.4-8d1c2ef3',
    'windows2022@latest',
  ])('passes %s', (alias) => {
    expect(judge(rule, [withAlias(alias)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test.each(['ubuntu@v1', 'windows2022@v1', 'al2023', 'al2023@v1@v2'])(
    'leaves %s to the rules of the API server',
    (alias) => {
      expect(judge(rule, [withAlias(alias)]).findings).toEqual([]);
    },
  );

  test('does not apply without an alias', () => {
    expect(
      judge(rule, [nodeClass('default', { amiFamily: 'AL2023', amiSelectorTerms: [{ name: 'golden-7' }] })]).outcomes,
    ).toEqual([]);
  });

  test('is not evaluated if the version is known only at deployment', () => {
    expect(judge(rule, [withAlias('al2023@${ALIAS_VERSION}')]).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });
});
