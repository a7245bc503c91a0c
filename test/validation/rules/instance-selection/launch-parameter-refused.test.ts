import { launchParameterRefused } from '../../../../src/validation/rules/instance-selection/launch-parameter-refused';
import { judge, nodeClass } from '../judge';

const rule = launchParameterRefused;
const UUID = '1234abcd-12ab-34cd-56ef-1234567890ab';
const ARN = 'arn:aws:kms:us-east-1:111122223333:';
const found = (spec: object) =>
  judge(rule, [nodeClass('default', spec)], { region: 'us-east-1' }).findings.map(({ remedy }) => remedy);
const volume = (...mappings: object[]) => found({ blockDeviceMappings: mappings });
const key = (kmsKeyID: string) => volume({ deviceName: '/dev/xvda', ebs: { encrypted: true, kmsKeyID } });

describe('KARP-280 launch-parameter-refused', () => {
  test('reports a device name twice', () => {
    const ebs = { volumeSize: '20Gi' };
    expect(volume({ deviceName: '/dev/xvda', ebs }, { deviceName: '/dev/xvda', ebs })).toHaveLength(1);
    expect(volume({ deviceName: '/dev/xvda', ebs }, { deviceName: '/dev/xvdb', ebs })).toEqual([]);
  });

  test('reports keys and snapshots that cannot exist', () => {
    expect(key(`${ARN}${UUID}`)).toEqual([`write ${ARN}key/${UUID}`]);
    expect(key('my-key')).toEqual([expect.stringContaining('write the ARN of the key')]);
    expect(key(`${ARN.replace('us-east-1', 'eu-west-1')}key/${UUID}`)).toEqual(['write a key of us-east-1']);
    expect([`${ARN}key/${UUID}`, UUID, 'alias/ebs', `${ARN}alias/ebs`, '${KEY}'].flatMap(key)).toEqual([]);
    const snapshot = (snapshotID: string) => volume({ deviceName: '/dev/xvda', ebs: { snapshotID } });
    expect(snapshot('snap-123')).toEqual([expect.stringContaining('snap-0123456789abcdef0')]);
    expect(snapshot('snap-0123456789abcdef0')).toEqual([]);
  });

  test('reports tags that EC2 refuses', () => {
    expect(found({ tags: { 'aws:team': 'a' } })).toEqual(['write another key, such as team']);
    expect(found({ tags: { team: 'a'.repeat(257) } })).toEqual(['write a shorter one']);
    const many = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`tag${index}`, 'x']));
    expect(found({ tags: many })).toEqual(['remove tags until 44 are left']);
    expect(found({ tags: { team: 'a', 'kubernetes.io/x': '' } })).toEqual([]);
  });
});
