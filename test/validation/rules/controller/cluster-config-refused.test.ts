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

  test.each<[string, string, object, RegExp]>([
    ['overlaps with the VPC', '10.20.0.0/16', { vpc: { cidr: '10.0.0.0/8' } }, /overlap with those of the VPC/],
    ["overlaps with eksctl's own VPC", '192.168.10.0/24', {}, /192\.168\.0\.0\/16: EKS refuses/],
    ['is public', '100.64.0.0/16', {}, /not inside of/],
    ['is too small', '172.20.0.0/28', {}, /no block between/],
  ])('fails if the range of Services %s', (_, serviceIPv4CIDR, fields, message) => {
    const { findings } = judged({ kubernetesNetworkConfig: { serviceIPv4CIDR }, ...fields });
    expect(findings).toMatchObject([
      { path: ['kubernetesNetworkConfig', 'serviceIPv4CIDR'], message: expect.stringMatching(message) },
    ]);
  });

  test('passes a range of Services outside of the VPC, and that of an unknown VPC', () => {
    const services = (serviceIPv4CIDR: string, vpc?: object) =>
      judged({ kubernetesNetworkConfig: { serviceIPv4CIDR }, ...(vpc ? { vpc } : {}) }).findings;
    expect(services('172.20.0.0/16')).toEqual([]);
    expect(services('10.1.0.0/16', { cidr: '10.0.0.0/16' })).toEqual([]);
    expect(services('192.168.10.0/24', { id: 'vpc-1' })).toEqual([]);
    expect(services('${SERVICES}')).toEqual([]);
  });
});
