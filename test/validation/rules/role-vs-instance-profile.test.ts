import { judge, judgeStack, nodeClass } from './helper';
import { applied, chart, get, OPEN, openChart, role } from './stack';
import { RoleVsInstanceProfile } from '../../../src/validation/rules/role-vs-instance-profile';

const rule = new RoleVsInstanceProfile();
const NODE_ROLE = role('ec2.amazonaws.com');
/** A node class in a template. */
const classResource = (fields: object) => applied([JSON.parse(nodeClass('default', fields))]);
const byRole = (named: unknown, more: object = {}) => ({ NodeRole: NODE_ROLE, Class: classResource({ role: named }), ...more });
const profiled = (roles: unknown[]) => ({
  NodeRole: NODE_ROLE, Profile: { Type: 'AWS::IAM::InstanceProfile', Properties: { Roles: roles } }, Class: classResource({ role: undefined, instanceProfile: { Ref: 'Profile' } }),
});

describe('KARP-610 role-vs-instance-profile', () => {
  test.each<[string, object, string]>([
    ['the ARN of a role of the templates', byRole(get('NodeRole', 'Arn')), 'is the ARN of a role'],
    ['a role in an isolated VPC', byRole({ Ref: 'NodeRole' }, { Karpenter: chart({ settings: { isolatedVPC: true } }) }), 'it is taken not to reach IAM'],
    ['an instance profile without a role', profiled([]), 'its instanceProfile is instance profile Profile, which has no role'],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test.each<[string, string]>([['arn:aws:iam::1:role/teams/nodes', 'is the ARN of a role'], ['teams/nodes', 'is no name of a role']])('fails with the role %s', (name, message) => {
    const { findings } = judge(rule, [nodeClass('default', { role: name })]);
    expect(findings[0].message).toContain(message.replace('is no', 'which is no'));
    expect(findings[0].remedy).toContain('nodes');
  });

  test.each(['<<NODE_ROLE>>', 'KarpenterNodeRole-$CLUSTER_NAME', 'KarpenterNodeRole-<cluster>'])('asks for the value of the placeholder in %s', (name) => {
    expect(judge(rule, [nodeClass('default', { role: name })]).findings[0].remedy).toBe('put the value in first, as Terraform or envsubst does');
  });

  test('says what a name may hold where no path is in the way', () => {
    expect(judge(rule, [nodeClass('default', { role: 'node role' })]).findings[0].remedy).toBe('use at most 64 letters, digits, "+", "=", ",", ".", "@", "_" and "-"');
  });

  test.each<[string, object]>([
    ['the name of a role of the templates', byRole({ Ref: 'NodeRole' })],
    ['an instance profile with a role', profiled([{ Ref: 'NodeRole' }])],
    ['an instance profile in an isolated VPC', { ...profiled([{ Ref: 'NodeRole' }]), Karpenter: chart({ settings: { isolatedVPC: true } }) }],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('passes with a name alone', () => {
    expect(judge(rule, [nodeClass('default', { role: 'KarpenterNodeRole-prod' })]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply to instance profiles without templates', () => {
    expect(judge(rule, [nodeClass('default', { role: undefined, instanceProfile: 'nodes' })]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['a role that is known only at deployment', byRole(OPEN)],
    ['an isolated VPC that may be', byRole({ Ref: 'NodeRole' }, { Karpenter: openChart('karpenter') })],
    ['an instance profile that is not in the templates', { Class: classResource({ role: undefined, instanceProfile: 'nodes' }) }],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });
});
