import { selectorIdImpossible } from '../../../../src/validation/rules/api/selector-id-impossible';
import { judge, nodeClass } from '../judge';

const rule = selectorIdImpossible;
const judged = (fields: object) => judge(rule, [nodeClass('default', fields)]);

describe('KARP-118 selector-id-impossible', () => {
  test.each([
    [
      'amiSelectorTerms',
      'ami-0123456789abcdef',
      'cannot be an AMI id: after "ami-", EC2 has 17 digits from 0 to f, or 8; the class finds no AMIs, and nothing is launched',
    ],
    [
      'subnetSelectorTerms',
      'subnet-0123456789abcdefg',
      'cannot be a subnet id: after "subnet-", EC2 has 17 digits from 0 to f, or 8; the class finds no subnets, and nothing is launched',
    ],
    [
      'securityGroupSelectorTerms',
      'sg-0a1b2c3d4e5f6a7b8c',
      'cannot be a security group id: after "sg-", EC2 has 17 digits from 0 to f, or 8; the class finds no security groups, and nothing is launched',
    ],
  ])('reports an error if the only term of %s has the id %s', (field, id, message) => {
    const [finding] = judged({ [field]: [{ id }] }).findings;
    expect(finding.message).toBe(`selects ${id}, which ${message}`);
    expect([finding.severity, finding.object.locate(finding.path).path]).toEqual([undefined, `spec.${field}[0].id`]);
  });

  test.each(['ami-xxxxxxxx', 'ami-placeholder', 'ami-0123xxxx', 'ami-your-image', 'ami-00000000000'])(
    'notes %s, which stands for an id',
    (id) => {
      expect(judged({ amiSelectorTerms: [{ id }] }).findings.map(({ severity }) => severity)).toEqual(['info']);
    },
  );

  test('reports a warning if other terms may select a resource', () => {
    const { findings } = judged({ securityGroupSelectorTerms: [{ id: 'sg-0a1b2c3d4e5f6a7b8' }, { id: 'sg-123' }] });
    expect(findings.map(({ severity, message }) => [severity, message])).toEqual([
      [
        'warning',
        'selects sg-123, which cannot be a security group id: after "sg-", EC2 has 17 digits from 0 to f, or 8; the term selects no security groups',
      ],
    ]);
  });

  test.each(['subnet-0a1b2c3d', 'subnet-0a1b2c3d4e5f6a7b8'])('passes %s', (id) => {
    expect(judged({ subnetSelectorTerms: [{ id }] }).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('leaves an id that the API server rejects to KARP-100', () => {
    expect(judged({ subnetSelectorTerms: [{ id: 'SUBNET-1' }] }).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('reports several ids, names or tags in one text, and writes a term for each', () => {
    const [first, second] = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];
    const judgedTerm = (term: object) => {
      const { findings } = judged({ subnetSelectorTerms: [term] });
      return findings.map(({ fix, severity }) => [severity, fix?.edits.map(({ value }: any) => value)]);
    };
    expect(judgedTerm({ id: `${first}, ${second}` })).toEqual([[undefined, [first, { id: second }]]]);
    expect(judgedTerm({ tags: { Name: 'a-1,b-1', tier: 'private' } })).toEqual([
      ['warning', [{ tags: { Name: 'a-1', tier: 'private' } }, { tags: { Name: 'b-1', tier: 'private' } }]],
    ]);
    expect(judgedTerm({ tags: { Name: 'private, first floor (old)' } })).toEqual([]);
  });

  test('does not apply to terms without ids', () => {
    expect(judged({}).outcomes).toEqual([]);
  });

  test('is not evaluated once for all fields with an id that is known only at deployment', () => {
    const { states, whys } = judged({
      subnetSelectorTerms: [{ id: '${Token[Subnet.1]}' }],
      securityGroupSelectorTerms: [{ id: 'sg-${Token[Group.2]}' }],
    });
    expect(states).toEqual(['not-evaluated EC2NodeClass/default']);
    expect(whys).toEqual(['ids of its subnets and security groups are known only at deployment']);
  });

  test('reports an id beside one that is known only at deployment', () => {
    const { states } = judged({ subnetSelectorTerms: [{ id: '${Token[Subnet.1]}' }, { id: 'subnet-123' }] });
    expect(states).toEqual(['fail EC2NodeClass/default', 'not-evaluated EC2NodeClass/default']);
  });
});
