import { podEniOfNewFamily } from '../../../../../src/validation/rules/instance-selection/devices/pod-eni-of-new-family';
import { deployment, judge, nodeClass, nodePool, types } from '../../judge';

const rule = podEniOfNewFamily;
const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { 'vpc.amazonaws.com/pod-eni': '1' } };
const LEDGER = deployment('ledger', { containers: [{ name: 'main', image: 'app', resources }] });
const judgePods = (type: string, pods: string) =>
  judge(rule, [nodeClass(), nodePool('sgp', { requirements: [types(type)] }), pods]);

describe('KARP-264 pod-eni-of-new-family', () => {
  test.each([
    ['r8a.large', '1.7.15'],
    ['m8azn.large', '1.7.15'],
    ['m9g.large', '1.7.20'],
  ])('notes that older VPC resource controllers do not know %s', (type, release) => {
    const { findings } = judgePods(type, LEDGER);
    expect(findings).toMatchObject([{ evidence: { families: [type.split('.')[0]], nodes: 1, unlistedUpTo: release } }]);
    expect(findings[0].message).toContain('the node never reports vpc.amazonaws.com/pod-eni');
  });

  test('passes a family that older controllers know', () => {
    expect(judgePods('r7a.large', LEDGER).states).toEqual(['pass NodePool/sgp']);
  });

  test('does not apply to pods without security groups of their own', () => {
    expect(judgePods('r8a.large', deployment('web')).states).toEqual([]);
  });
});
