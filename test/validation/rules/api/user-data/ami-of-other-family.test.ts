import { amiOfOtherFamily } from '../../../../../src/validation/rules/api/user-data/ami-of-other-family';
import { judge, nodeClass } from '../../judge';

const rule = amiOfOtherFamily;
const found = (amiFamily: string, ...names: string[]) =>
  judge(rule, [nodeClass('default', { amiFamily, amiSelectorTerms: names.map((name) => ({ name })) })]).findings;
const BOTTLEROCKET = 'bottlerocket-aws-k8s-1.33-x86_64-v1.42.0-*';
const AL2023 = 'amazon-eks-node-al2023-x86_64-standard-1.33-v20250519';

describe('KARP-162 ami-of-other-family', () => {
  test('reports names of another family', () => {
    expect(found('AL2023', BOTTLEROCKET)).toMatchObject([
      { path: ['spec', 'amiFamily'], fix: { edits: [{ operation: 'set', value: 'Bottlerocket' }] } },
    ]);
  });

  test('passes names of the family, of custom AMIs and of several families', () => {
    for (const names of [[AL2023], ['my-ami-*'], [AL2023, BOTTLEROCKET]]) expect(found('AL2023', ...names)).toEqual([]);
    expect(found('Custom', BOTTLEROCKET)).toEqual([]);
  });
});
