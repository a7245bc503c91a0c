import { scratchAboveNodeVolume } from '../../../../src/validation/rules/storage/scratch-above-node-volume';
import { deployment, judge, nodeClass, nodePool } from '../judge';

const rule = scratchAboveNodeVolume;
const judged = (emptyDir: object, fields: object = {}) =>
  judge(rule, [
    nodeClass('default', fields),
    nodePool('default'),
    deployment('web', { containers: [{ name: 'main', image: 'app' }], volumes: [{ name: 'cache', emptyDir }] }),
  ]);

describe('KARP-831 scratch-above-node-volume', () => {
  test('reports a limit above the volume of the planned nodes, and enlarges the volume', () => {
    const { findings } = judged({ sizeLimit: '50Gi' });
    expect(findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'volumes', 0, 'emptyDir', 'sizeLimit'],
        message:
          'its volume cache may hold 50Gi, and all pods of a node of EC2NodeClass default share 20 GiB: the kubelet evicts pods before it is full',
        remedy:
          'set volumeSize: 57Gi for /dev/xvda in spec.blockDeviceMappings of EC2NodeClass default, or write a smaller sizeLimit',
        also: [{ object: { kind: 'EC2NodeClass' } }],
      },
    ]);
  });

  test('passes a limit that the volume holds', () => {
    const mapping = { deviceName: '/dev/xvda', ebs: { volumeSize: '57Gi' } };
    expect(judged({ sizeLimit: '20Gi' }).findings).toEqual([]);
    expect(judged({ sizeLimit: '50Gi' }, { blockDeviceMappings: [mapping] }).findings).toEqual([]);
    expect(judged({ sizeLimit: '50Gi' }, { instanceStorePolicy: 'RAID0' }).findings).toEqual([]);
  });

  test.each([{}, { medium: 'Memory', sizeLimit: '50Gi' }, { sizeLimit: '10Ti' }])(
    'does not apply to %j',
    (emptyDir) => {
      expect(judged(emptyDir).outcomes).toEqual([]);
    },
  );
});
