import { clusterConfigRefused } from '../../../../src/validation/rules/controller/cluster-config-refused';
import { judge } from '../judge';

const judged = (fields: object) =>
  judge(clusterConfigRefused, [
    JSON.stringify({
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'demo', region: 'eu-west-1' },
      ...fields,
    }),
  ]);
const account = { metadata: { name: 'dns' }, attachPolicyARNs: ['arn:aws:iam::aws:policy/X'] };
const entries = [{ principalARN: 'arn:aws:iam::111122223333:role/nodes', type: 'EC2_LINUX' }];
const associations = [{ namespace: 'a', serviceAccountName: 'b', roleARN: 'arn:aws:iam::111122223333:role/x' }];

describe('KARP-921 cluster-config-refused', () => {
  test.each<[string, object, readonly (string | number)[], RegExp]>([
    ['Karpenter without OIDC', { karpenter: { version: '1.8.1' } }, ['iam', 'withOIDC'], /not set, so it is false/],
    [
      'Karpenter with OIDC off',
      { iam: { withOIDC: false }, karpenter: { version: '1.8.1' } },
      ['iam', 'withOIDC'],
      /the section karpenter needs/,
    ],
    ['accounts without OIDC', { iam: { serviceAccounts: [account] } }, ['iam', 'withOIDC'], /1 service account/],
    [
      'access entries in the mode CONFIG_MAP',
      { accessConfig: { authenticationMode: 'CONFIG_MAP', accessEntries: entries } },
      ['accessConfig', 'authenticationMode'],
      /has no access entries, but the file has 1/,
    ],
    [
      'associations without the agent',
      { iam: { podIdentityAssociations: associations }, addons: [{ name: 'vpc-cni' }] },
      ['iam', 'podIdentityAssociations'],
      /eks-pod-identity-agent/,
    ],
    [
      'Karpenter without a version',
      { iam: { withOIDC: true }, karpenter: { createServiceAccount: true } },
      ['karpenter'],
      /has no version/,
    ],
  ])('fails for %s', (_, fields, path, message) => {
    expect(judged(fields).findings).toMatchObject([{ path, message: expect.stringMatching(message) }]);
  });

  test('passes what eksctl accepts', () => {
    const complete = {
      iam: { withOIDC: true, serviceAccounts: [account], podIdentityAssociations: associations },
      addons: [{ name: 'eks-pod-identity-agent' }],
      accessConfig: { authenticationMode: 'API', accessEntries: entries },
      karpenter: { version: '1.8.1' },
    };
    expect(judged(complete).states).toEqual(['pass ClusterConfig/demo']);
    expect(judged({ accessConfig: { accessEntries: entries } }).findings).toEqual([]);
    expect(judged({ iam: { withOIDC: '${OIDC}', serviceAccounts: [account] } }).findings).toEqual([]);
    const autoMode = { autoModeConfig: { enabled: true }, iam: { podIdentityAssociations: associations } };
    expect(judged(autoMode).findings).toEqual([]);
    expect(judged({ managedNodeGroups: [{ name: 'a' }] }).outcomes).toEqual([]);
  });
});
