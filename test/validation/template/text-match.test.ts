import { Answer, covers, sameText } from '../../../src/validation/template';
import { generatedName, unknownToken } from '../../../src/validation/template/token';

const PARAMETER = unknownToken('App/ClusterName');
const ROLE = generatedName('App/NodeRole');
const OTHER_ROLE = generatedName('App/OtherRole');

describe('sameText', () => {
  test.each<[string, string, Answer]>([
    ['prod', 'prod', 'yes'],
    ['prod', 'dev', 'no'],
    [PARAMETER, PARAMETER, 'yes'],
    [`node-${PARAMETER}`, `node-${PARAMETER}`, 'yes'],
    [PARAMETER, 'prod', 'unknown'],
    [`node-${PARAMETER}`, 'node-prod', 'unknown'],
    [`node-${PARAMETER}`, 'queue-prod', 'no'],
    [ROLE, ROLE, 'yes'],
    [ROLE, OTHER_ROLE, 'no'],
    [ROLE, 'node', 'no'],
    [ROLE, PARAMETER, 'unknown'],
  ])('compares %s with %s: %s', (left, right, answer) => {
    expect(sameText(left, right)).toBe(answer);
    expect(sameText(right, left)).toBe(answer);
  });
});

describe('covers', () => {
  test.each<[string, string, Answer]>([
    ['*', 'arn:aws:sqs:eu-west-1:1:queue', 'yes'],
    ['sqs:Get*', 'sqs:GetQueueUrl', 'yes'],
    ['sqs:Get?', 'sqs:GetQueueUrl', 'no'],
    ['arn:aws:iam::1:role/*', `arn:aws:iam::1:role/${ROLE}`, 'yes'],
    [`arn:aws:iam::1:role/${OTHER_ROLE}`, `arn:aws:iam::1:role/${ROLE}`, 'no'],
    [`arn:aws:iam::${unknownToken('AWS::AccountId')}:role/${ROLE}`, `arn:aws:iam::1:role/${ROLE}`, 'unknown'],
    [`arn:aws:iam::${unknownToken('AWS::AccountId')}:role/${OTHER_ROLE}`, `arn:aws:iam::1:role/${ROLE}`, 'no'],
    [
      `arn:aws:iam::${unknownToken('AWS::AccountId')}:role/*`,
      `arn:aws:iam::${unknownToken('AWS::AccountId')}:role/x`,
      'yes',
    ],
    ['arn:aws:ec2:*:*:instance/*', 'arn:aws:ec2:*:*:image/*', 'no'],
  ])('matches %s with %s: %s', (pattern, text, answer) => expect(covers(pattern, text)).toBe(answer));
});
