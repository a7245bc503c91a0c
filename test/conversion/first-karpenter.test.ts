import { readFileSync } from 'fs';
import { join } from 'path';
import { convert, objectsOf, refusals } from './setup';
import { programOf, sorted, synthesise } from './typescript/program';
import { check } from '../../src/validation';

const TEXT = readFileSync(join(__dirname, 'fixtures', 'first-karpenter.yaml'), 'utf8');

// A Provisioner and an AWSNodeTemplate from a published article on Karpenter. One key is duplicated. The program is
// compiled by typescript/round-trip.test.ts.
describe('converting a Provisioner and an AWSNodeTemplate of 2023', () => {
  const {
    text,
    objects: [nodeClass, nodePool],
    notes,
  } = convert(TEXT);

  test('returns a NodePool and an EC2NodeClass', () => {
    expect(nodeClass.spec).toEqual({
      amiSelectorTerms: [{ alias: 'al2@latest' }],
      instanceProfile: 'KarpenterInstanceProfile',
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'bys-dev-eks-main' } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'bys-dev-eks-main' } }],
      blockDeviceMappings: [
        {
          deviceName: '/dev/xvda',
          ebs: {
            volumeSize: '30Gi',
            volumeType: 'gp3',
            iops: 3000,
            encrypted: true,
            kmsKeyID: 'arn:aws:kms:ap-northeast-2:111122223333:key/6f29df3a-fb94-48e4-b359-a88fb74ce78d',
            deleteOnTermination: true,
            throughput: 125,
          },
        },
      ],
      metadataOptions: {
        httpEndpoint: 'enabled',
        httpProtocolIPv6: 'disabled',
        httpPutResponseHopLimit: 2,
        httpTokens: 'required',
      },
      tags: { Name: 'karpenter-eks-main/karpenter-default', 'auto-delete': 'no' },
      detailedMonitoring: true,
      kubelet: { evictionMaxPodGracePeriod: 60 },
    });
    expect(nodePool.spec).toEqual({
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'karpenter-default' },
          requirements: [
            { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
            { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64', 'amd64'] },
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
            { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['ap-northeast-2a', 'ap-northeast-2c'] },
            { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
            { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
          ],
          expireAfter: '720h',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '1m' },
      limits: { cpu: '1000', memory: '1000Gi' },
    });
  });

  test('keeps fields without successor and the duplicate block as comments, with notes', () => {
    expect(text).toMatch(/^ *# +- key: "karpenter\.k8s\.aws\/instance-hypervisor"$/m);
    expect(text).toMatch(/^ *# containerRuntime: containerd$/m);
    const comments = TEXT.match(/#.*/g)!;
    expect(comments.filter((comment) => !text.includes(comment))).toEqual([]);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: the mapping has the key "requirements" twice/));
    expect(notes).toContainEqual(expect.stringMatching(/^kept: .*containerRuntime/));
  });

  test('returns objects that pass the check and launch the same instance types', () => {
    expect(refusals(text)).toEqual([]);
    const { nodePools } = check([{ path: 'new.yaml', text }], { region: 'ap-northeast-2' });
    expect(nodePools).toMatchObject([
      {
        name: 'karpenter-default',
        capacityTypes: ['on-demand', 'spot'],
        zones: ['ap-northeast-2a', 'ap-northeast-2c'],
      },
    ]);
  });

  test('returns a program that produces the same objects without a JSON patch', () => {
    const program = programOf(text);
    expect(program).not.toContain('JsonPatch');
    expect(sorted(synthesise(program))).toEqual(sorted(objectsOf(text)));
  });
});
