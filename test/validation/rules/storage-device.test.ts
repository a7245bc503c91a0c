import { judge, nodeClass } from './helper';
import { BottlerocketDataVolume } from '../../../src/validation/rules/bottlerocket-data-volume';
import { RootDeviceMismatch } from '../../../src/validation/rules/root-device-mismatch';

type Volumes = Readonly<Record<string, string>>;
const classOf = (alias: string, volumes: Volumes, more: object = {}) => nodeClass('default', {
  amiSelectorTerms: [{ alias }],
  blockDeviceMappings: Object.entries(volumes).map(([deviceName, volumeSize]) => ({ deviceName, ebs: { volumeSize }, ...more })),
});
const AL2023 = 'al2023@v20250915';
const WINDOWS = 'windows2022@latest';
const BOTTLEROCKET = 'bottlerocket@1.41.0';

describe('KARP-802 root-device-mismatch', () => {
  const rule = new RootDeviceMismatch();

  test.each<[string, Volumes, string, string]>([
    [AL2023, { '/dev/sda1': '100Gi' }, '/dev/xvda', '20Gi'],
    [WINDOWS, { '/dev/xvdf': '10Gi', '/dev/xvda': '100Gi' }, '/dev/sda1', '50Gi'],
  ])('fails for the root of another family, of %s', (alias, volumes, root, has) => {
    const { states, findings: [{ message, remedy }] } = judge(rule, [classOf(alias, volumes)]);
    expect(states).toEqual(['fail EC2NodeClass/default']);
    expect(message).toContain(`images is ${root}: the disk that pods use stays at ${has}`);
    expect(remedy).toBe(`write deviceName: ${root}`);
  });

  test('only warns of images of one\'s own, whose root may be the device that is mapped', () => {
    const own = (more: object = {}) => nodeClass('default', {
      amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }], blockDeviceMappings: [{ deviceName: '/dev/sda1', ebs: { volumeSize: '100Gi' }, ...more }],
    });
    const { findings: [{ message, remedy, severity }] } = judge(rule, [own()]);
    expect(severity).toBe('warning');
    expect(message).toBe('maps /dev/sda1 with 100Gi, and with AL2023 Karpenter takes /dev/xvda for the disk that pods use, unless told otherwise: it counts 20Gi for them');
    expect(remedy).toContain('write rootVolume: true in the mapping if /dev/sda1 is the root of these images');
    expect(judge(rule, [own({ rootVolume: true })]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test.each<[string, Volumes, object]>([
    ['the root', { '/dev/xvda': '100Gi' }, {}],
    ['the root, and another', { '/dev/xvda': '100Gi', '/dev/sda1': '100Gi' }, {}],
    ['disks of one\'s own, beside a root as it is', { '/dev/xvdb': '500Gi' }, {}],
    ['a device that is said to be the root', { '/dev/sda1': '100Gi' }, { rootVolume: true }],
  ])('passes for %s', (_, volumes, more) => {
    expect(judge(rule, [classOf(AL2023, volumes, more)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('is not evaluated where a device is known only at deployment', () => {
    expect(judge(rule, [classOf(AL2023, { '${Token[TOKEN.7]}': '100Gi' })]).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });

  test('does not apply without mappings, and to Bottlerocket', () => {
    expect(judge(rule, [nodeClass(), classOf(BOTTLEROCKET, { '/dev/xvda': '100Gi' })]).outcomes).toEqual([]);
  });
});

describe('KARP-803 bottlerocket-data-volume', () => {
  const rule = new BottlerocketDataVolume();

  test('fails where only the volume of the system is large', () => {
    const { states, findings: [{ message, path }] } = judge(rule, [classOf(BOTTLEROCKET, { '/dev/xvda': '100Gi' })]);
    expect(states).toEqual(['fail EC2NodeClass/default']);
    expect(message).toBe('gives /dev/xvda 100Gi, which is the disk of the system: images and pods are on /dev/xvdb, which stays at 20Gi, as Karpenter counts it');
    expect(path).toEqual(['spec', 'blockDeviceMappings', 0, 'deviceName']);
  });

  test('fails where the volume of the system is said to be that of pods: Karpenter counts its size for them', () => {
    const blockDeviceMappings = [{ deviceName: '/dev/xvda', rootVolume: true, ebs: { volumeSize: '100Gi' } }, { deviceName: '/dev/xvdb', ebs: { volumeSize: '20Gi' } }];
    const { findings: [{ message, path }] } = judge(rule, [nodeClass('default', { amiSelectorTerms: [{ alias: BOTTLEROCKET }], blockDeviceMappings })]);
    expect(message).toContain('has rootVolume: true on /dev/xvda, which is the disk of the system: Karpenter counts its size for pods');
    expect(path).toEqual(['spec', 'blockDeviceMappings', 0, 'rootVolume']);
  });

  test.each<[string, Volumes]>([
    ['both', { '/dev/xvda': '4Gi', '/dev/xvdb': '100Gi' }],
    ['a small volume of the system alone', { '/dev/xvda': '10Gi' }],
  ])('passes for %s', (_, volumes) => {
    expect(judge(rule, [classOf(BOTTLEROCKET, volumes)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('is not evaluated where a size is known only at deployment', () => {
    expect(judge(rule, [classOf(BOTTLEROCKET, { '/dev/xvda': '${Token[TOKEN.7]}' })]).states).toEqual(['not-evaluated EC2NodeClass/default']);
  });

  test('does not apply to other families, and without mappings', () => {
    expect(judge(rule, [classOf(AL2023, { '/dev/xvda': '100Gi' }), nodeClass('b', { amiSelectorTerms: [{ alias: BOTTLEROCKET }] })]).outcomes).toEqual([]);
  });
});
