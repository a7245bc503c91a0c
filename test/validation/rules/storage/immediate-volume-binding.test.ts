import { immediateVolumeBinding } from '../../../../src/validation/rules/storage/immediate-volume-binding';
import { deployment, judge } from '../judge';

const rule = immediateVolumeBinding;
const storageClass = (fields: object, provisioner = 'ebs.csi.aws.com') =>
  JSON.stringify({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'gp3' },
    provisioner,
    ...fields,
  });
const zones = (...values: string[]) => [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values }] }];

describe('KARP-820 immediate-volume-binding', () => {
  test.each([[{ volumeBindingMode: 'Immediate' }], [{}], [{ allowedTopologies: zones('us-east-1a', 'us-east-1b') }]])(
    'reports an EBS class with %j',
    (fields) => {
      expect(judge(rule, [storageClass(fields)]).findings).toMatchObject([{ path: ['volumeBindingMode'] }]);
    },
  );

  test('says that the field was not set', () => {
    expect(judge(rule, [storageClass({})]).findings[0].message).toMatch(
      /^volumeBindingMode is not set, which means Immediate: /,
    );
  });

  test.each([[{ volumeBindingMode: 'WaitForFirstConsumer' }], [{ allowedTopologies: zones('us-east-1a') }]])(
    'passes an EBS class with %j',
    (fields) => {
      expect(judge(rule, [storageClass(fields)]).states).toEqual(['pass StorageClass/gp3']);
    },
  );

  test('does not apply to classes of file systems, and other objects', () => {
    expect(judge(rule, [storageClass({}, 'efs.csi.aws.com'), deployment('web')]).outcomes).toEqual([]);
  });
});
