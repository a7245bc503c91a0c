import { roleVsInstanceProfile } from '../../../../src/validation/rules/permissions/role-vs-instance-profile';
import { judge, judgeStack, nodeClass } from '../judge';
import { applied, chart, get, OPEN, openChart, role } from '../stack';

const rule = roleVsInstanceProfile;
const NODE_ROLE = role('ec2.amazonaws.com');
/** A template resource that applies a node class. */
const classResource = (fields: object) => applied([JSON.parse(nodeClass('default', fields))]);
const byRole = (roleName: unknown, more: object = {}) => ({
  NodeRole: NODE_ROLE,
  Class: classResource({ role: roleName }),
  ...more,
});
const profiled = (roles: unknown[]) => ({
  NodeRole: NODE_ROLE,
  Profile: { Type: 'AWS::IAM::InstanceProfile', Properties: { Roles: roles } },
  Class: classResource({ role: undefined, instanceProfile: { Ref: 'Profile' } }),
});

describe('KARP-610 role-vs-instance-profile', () => {
  test.each<[string, object, string]>([
    [
      'the ARN of a role of the templates',
      byRole(get('NodeRole', 'Arn')),
      'Karpenter uses only the name after the last slash',
    ],
    [
      'a role in an isolated VPC',
      byRole({ Ref: 'NodeRole' }, { Karpenter: chart({ settings: { isolatedVPC: true } }) }),
      'settings.isolatedVPC keeps Karpenter from IAM',
    ],
    [
      'an instance profile without a role',
      profiled([]),
      'spec.instanceProfile is instance profile Profile, which has no role',
    ],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test.each(['arn:aws:iam::1:role/teams/nodes', 'teams/nodes'])(
    'warns of the role %s, whose name Karpenter adds again and again',
    (name) => {
      const { findings } = judge(rule, [nodeClass('default', { role: name })]);
      expect(findings).toMatchObject([{ severity: 'warning', remedy: 'write only the name, without path: nodes' }]);
      expect(findings[0].message).toContain(`is ${name}: Karpenter uses only the name after the last slash`);
    },
  );

  test.each(['<<NODE_ROLE>>', 'KarpenterNodeRole-$CLUSTER_NAME', 'KarpenterNodeRole-<cluster>'])(
    'says nothing about a role whose name has the placeholder in %s',
    (name) => {
      expect(judge(rule, [nodeClass('default', { role: name })]).findings).toEqual([]);
    },
  );

  test('lists the allowed characters for a name with a space', () => {
    expect(judge(rule, [nodeClass('default', { role: 'node role' })]).findings[0].remedy).toBe(
      'use at most 64 letters, digits, "+", "=", ",", ".", "@", "_" and "-"',
    );
  });

  test.each<[string, object]>([
    ['the name of a role of the templates', byRole({ Ref: 'NodeRole' })],
    ['an instance profile with a role', profiled([{ Ref: 'NodeRole' }])],
    [
      'an instance profile in an isolated VPC',
      { ...profiled([{ Ref: 'NodeRole' }]), Karpenter: chart({ settings: { isolatedVPC: true } }) },
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('passes with a name, without templates', () => {
    expect(judge(rule, [nodeClass('default', { role: 'KarpenterNodeRole-prod' })]).states).toEqual([
      'pass EC2NodeClass/default',
    ]);
  });

  test('does not apply to instance profiles without templates', () => {
    expect(judge(rule, [nodeClass('default', { role: undefined, instanceProfile: 'nodes' })]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['a role that is known only at deployment', byRole(OPEN)],
    [
      'an isolated VPC setting that is known only at deployment',
      byRole({ Ref: 'NodeRole' }, { Karpenter: openChart('karpenter') }),
    ],
    [
      'an instance profile that is not in the templates',
      { Class: classResource({ role: undefined, instanceProfile: 'nodes' }) },
    ],
  ])('is not evaluated with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });
});
