import { volumeDearerThanNode } from '../../../../src/validation/rules/cost/volume-dearer-than-node';
import { deployment, judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = volumeDearerThanNode;
const POOL = nodePool('default', {
  requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')],
});

function findingsWith(ebs: object, requests: object = { cpu: '1' }) {
  const blockDeviceMappings = [{ deviceName: '/dev/xvda', ebs }];
  return judge(rule, [nodeClass('default', { blockDeviceMappings }), POOL, deployment('web', {}, { requests })])
    .findings;
}

describe('KARP-1012 volume-dearer-than-node', () => {
  test.each([
    [
      { volumeType: 'io2', volumeSize: '200Gi', iops: 64000 },
      '$3,577/month',
      'write volumeType: gp3, which costs $321/month',
    ],
    [
      { volumeType: 'io1', volumeSize: '100Gi', iops: 5000 },
      '$338/month',
      'write volumeType: gp3, which costs $18/month',
    ],
    [
      { volumeType: 'io2', volumeSize: '1Ti', iops: 100000 },
      '$4,832/month',
      'write volumeType: gp3 with iops: 80000, which costs $467/month',
    ],
  ])('reports provisioned IOPS of %j, with the price of gp3', (ebs, price, remedy) => {
    const [finding] = findingsWith(ebs);
    expect(finding.message).toContain(`cost each node ${price}`);
    expect(finding).toMatchObject({ path: ['spec', 'blockDeviceMappings', 0, 'ebs', 'iops'], remedy });
  });

  test.each([
    ['volumeSize', { volumeType: 'gp3', volumeSize: '2000Gi' }],
    ['iops', { volumeType: 'gp3', volumeSize: '200Gi', iops: 40000 }],
    ['throughput', { volumeType: 'gp3', volumeSize: '100Gi', iops: 8000, throughput: 2000 }],
  ])('reports volumes that cost more than the node, at %s', (field, ebs) => {
    const [finding] = findingsWith(ebs);
    expect(finding.path.at(-1)).toBe(field);
    expect(finding.message).toContain('the planned node costs $70/month');
  });

  test('reports a size if pods use little, and writes what they need', () => {
    const [finding] = findingsWith({ volumeType: 'gp3', volumeSize: '1000Gi' }, { 'ephemeral-storage': '80Gi' });
    expect(finding.message).toContain('the volumes of a node cost $80/month, mostly for volumeSize: 1000Gi');
    expect(finding.remedy).toBe(
      'write volumeSize: 160Gi, because the pods of a node request at most 80 GiB of storage, unless images and files of pods need more',
    );
    expect(finding.fix?.edits).toMatchObject([{ value: '160Gi' }]);
  });

  test('passes volumes that are cheap, or that pods use, or of nodes that cost more', () => {
    expect(findingsWith({ volumeType: 'gp3', volumeSize: '900Gi' })).toEqual([]);
    expect(findingsWith({ volumeType: 'io2', volumeSize: '100Gi', iops: 500 })).toEqual([]);
    expect(findingsWith({ volumeType: 'gp3', volumeSize: '2Ti' }, { 'ephemeral-storage': '1Ti' })).toEqual([]);
    expect(findingsWith({ volumeType: 'gp3', snapshotID: 'snap-0123456789' })).toEqual([]);
  });

  test('does not apply without block devices', () => {
    expect(judge(rule, [nodeClass(), POOL]).outcomes).toEqual([]);
  });
});
