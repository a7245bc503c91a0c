import { discoveryTagAmbiguous } from '../../../../src/validation/rules/permissions/discovery-tag-ambiguous';
import { judge, judgeStack, nodeClass } from '../judge';
import { OPEN } from '../stack';

const CLASS = 'EC2NodeClass/default';

describe('KARP-614 discovery-tag-ambiguous', () => {
  const rule = discoveryTagAmbiguous;
  const subnet = (properties: object = {}, value: unknown = 'demo') => ({
    Type: 'AWS::EC2::Subnet',
    Properties: { VpcId: 'vpc-1', Tags: [{ Key: 'karpenter.sh/discovery', Value: value }], ...properties },
  });
  const PUBLIC = { MapPublicIpOnLaunch: true };

  test('passes with private subnets of one VPC', () => {
    expect(
      judgeStack(rule, { A: subnet(), B: subnet({ MapPublicIpOnLaunch: false }), C: subnet(PUBLIC, 'other') }, [
        nodeClass(),
      ]).states,
    ).toEqual([`pass ${CLASS}`]);
  });

  test('passes with only public subnets', () => {
    expect(
      judgeStack(rule, { A: subnet(PUBLIC), B: subnet({ MapPublicIpOnLaunch: 'true' }) }, [nodeClass()]).states,
    ).toEqual([`pass ${CLASS}`]);
  });

  test('warns of public and private subnets', () => {
    const [finding] = judgeStack(rule, { A: subnet(), B: subnet(PUBLIC) }, [nodeClass()]).findings;
    expect(finding).toMatchObject({ severity: 'warning', path: ['spec', 'subnetSelectorTerms'] });
    expect(finding.message).toContain('selects public subnet B as well as private ones');
  });

  test('passes if the class sets associatePublicIPAddress', () => {
    const explicit = nodeClass('default', { associatePublicIPAddress: false });
    expect(judgeStack(rule, { A: subnet(), B: subnet(PUBLIC) }, [explicit]).states).toEqual([`pass ${CLASS}`]);
  });

  test.each<[string, object]>([
    ['with literal ids', { A: subnet(), B: subnet({ VpcId: 'vpc-2' }) }],
    [
      'created by the template',
      {
        One: { Type: 'AWS::EC2::VPC' },
        Two: { Type: 'AWS::EC2::VPC' },
        A: subnet({ VpcId: { Ref: 'One' } }),
        B: subnet({ VpcId: { Ref: 'Two' } }),
      },
    ],
  ])('fails with subnets of two VPCs, %s', (_, resources) => {
    expect(judgeStack(rule, resources, [nodeClass()]).findings[0].message).toContain(
      'selects subnets of several VPCs, such as A and B',
    );
  });

  test('passes with two VPCs that are known only at deployment and may be the same', () => {
    const resources = { A: subnet({ VpcId: OPEN }), B: subnet({ VpcId: { Ref: 'Other' } }) };
    expect(judgeStack(rule, resources, [nodeClass()]).states).toEqual([`pass ${CLASS}`]);
  });

  test('does not apply if no subnet is in the templates', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['it selects none of the templates', { A: subnet({}, 'other') }],
    ['a tag is known only at deployment', { A: subnet({}, OPEN) }],
  ])('is not evaluated if %s', (_, resources) => {
    expect(judgeStack(rule, resources, [nodeClass()]).states).toEqual([`not-evaluated ${CLASS}`]);
  });
});
