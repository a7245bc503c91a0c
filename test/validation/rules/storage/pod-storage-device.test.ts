import { bottlerocketDataVolume } from '../../../../src/validation/rules/storage/bottlerocket-data-volume';
import { rootDeviceMismatch } from '../../../../src/validation/rules/storage/root-device-mismatch';
import { judge, nodeClass } from '../judge';

type Volumes = Readonly<Record<string, string>>;
const classOf = (alias: string, volumes: Volumes, more: object = {}) =>
  nodeClass('default', {
    amiSelectorTerms: [{ alias }],
    blockDeviceMappings: Object.entries(volumes).map(([deviceName, volumeSize]) => ({
      deviceName,
      ebs: { volumeSize },
      ...more,
    })),
  });
const AL2023 = 'al2023@v20250915';
const WINDOWS = 'windows2022@latest';
const BOTTLEROCKET = 'bottlerocket@1.41.0';

describe('KARP-802 root-device-mismatch', () => {
  const rule = rootDeviceMismatch;

  test.each<[string, Volumes, string, string]>([
    [AL2023, { '/dev/sda1': '100Gi' }, '/dev/xvda', '20Gi'],
    [WINDOWS, { '/dev/xvdf': '10Gi', '/dev/xvda': '100Gi' }, '/dev/sda1', '50Gi'],
  ])('fails for the root device of another family, with %s', (alias, volumes, root, defaultSize) => {
    const {
      states,
      findings: [{ message, remedy }],
    } = judge(rule, [classOf(alias, volumes)]);
    expect(states).toEqual(['fail EC2NodeClass/default']);
    expect(message).toContain(`AMIs is ${root}: the disk that pods use stays at ${defaultSize}`);
    expect(remedy).toBe(`write deviceName: ${root}`);
  });

  test('fails for Custom AMIs of Ubuntu, whose root device is known', () => {
    const found = (name: string, ...volumes: object[]) =>
      judge(rule, [
        nodeClass('default', {
          amiFamily: 'Custom',
          amiSelectorTerms: [{ name }],
          blockDeviceMappings: volumes.map((volume) => ({ ebs: { volumeSize: '100Gi' }, ...volume })),
        }),
      ]).findings.map(({ remedy }) => remedy);
    const UBUNTU = 'ubuntu-eks/k8s_1.33/images/*';
    expect(found(UBUNTU, { deviceName: '/dev/xvda' })).toEqual(['write deviceName: /dev/sda1']);
    expect(found(UBUNTU, { deviceName: '/dev/sda1' })).toEqual([]);
    expect(found(UBUNTU, { deviceName: '/dev/xvda', rootVolume: true })).toEqual([]);
    expect(found('my-ami', { deviceName: '/dev/xvda' })).toEqual([]);
  });

  test('only warns for custom AMIs, whose root device may be the mapped one', () => {
    const custom = (more: object = {}) =>
      nodeClass('default', {
        amiFamily: 'AL2023',
        amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }],
        blockDeviceMappings: [{ deviceName: '/dev/sda1', ebs: { volumeSize: '100Gi' }, ...more }],
      });
    const {
      findings: [{ message, remedy, severity }],
    } = judge(rule, [custom()]);
    expect(severity).toBe('warning');
    expect(message).toBe(
      'gives /dev/sda1 100Gi, but Karpenter assumes that pods on AL2023 nodes use /dev/xvda: it plans with only 20Gi for pods',
    );
    expect(remedy).toContain('write rootVolume: true in the mapping if /dev/sda1 is the root device of these AMIs');
    expect(judge(rule, [custom({ rootVolume: true })]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test.each<[string, Volumes, object]>([
    ['the root device', { '/dev/xvda': '100Gi' }, {}],
    ['the root device and another device', { '/dev/xvda': '100Gi', '/dev/sda1': '100Gi' }, {}],
    ['additional disks and the default root device', { '/dev/xvdb': '500Gi' }, {}],
    ['a device with rootVolume: true', { '/dev/sda1': '100Gi' }, { rootVolume: true }],
  ])('passes for %s', (_, volumes, more) => {
    expect(judge(rule, [classOf(AL2023, volumes, more)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('is not evaluated if a device is known only at deployment', () => {
    expect(judge(rule, [classOf(AL2023, { '${Token[TOKEN.7]}': '100Gi' })]).states).toEqual([
      'not-evaluated EC2NodeClass/default',
    ]);
  });

  test('does not apply without mappings, or to Bottlerocket', () => {
    expect(judge(rule, [nodeClass(), classOf(BOTTLEROCKET, { '/dev/xvda': '100Gi' })]).outcomes).toEqual([]);
  });
});

describe('KARP-803 bottlerocket-data-volume', () => {
  const rule = bottlerocketDataVolume;

  test('fails if only the system volume is sized', () => {
    const {
      states,
      findings: [{ message, path }],
    } = judge(rule, [classOf(BOTTLEROCKET, { '/dev/xvda': '100Gi' })]);
    expect(states).toEqual(['fail EC2NodeClass/default']);
    expect(message).toBe(
      'gives the system volume /dev/xvda 100Gi, but images and pods use the data volume /dev/xvdb, which stays at 20Gi',
    );
    expect(path).toEqual(['spec', 'blockDeviceMappings', 0, 'deviceName']);
  });

  test('fails if the system volume has rootVolume: true', () => {
    const blockDeviceMappings = [
      { deviceName: '/dev/xvda', rootVolume: true, ebs: { volumeSize: '100Gi' } },
      { deviceName: '/dev/xvdb', ebs: { volumeSize: '20Gi' } },
    ];
    const {
      findings: [{ message, path }],
    } = judge(rule, [nodeClass('default', { amiSelectorTerms: [{ alias: BOTTLEROCKET }], blockDeviceMappings })]);
    expect(message).toContain('has rootVolume: true on the system volume /dev/xvda: Karpenter plans with its size');
    expect(path).toEqual(['spec', 'blockDeviceMappings', 0, 'rootVolume']);
  });

  test.each<[string, Volumes]>([
    ['both volumes', { '/dev/xvda': '4Gi', '/dev/xvdb': '100Gi' }],
    ['only a small system volume', { '/dev/xvda': '10Gi' }],
  ])('passes for %s', (_, volumes) => {
    expect(judge(rule, [classOf(BOTTLEROCKET, volumes)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('is not evaluated if a size is known only at deployment', () => {
    expect(judge(rule, [classOf(BOTTLEROCKET, { '/dev/xvda': '${Token[TOKEN.7]}' })]).states).toEqual([
      'not-evaluated EC2NodeClass/default',
    ]);
  });

  test('does not apply to other families, or without mappings', () => {
    expect(
      judge(rule, [
        classOf(AL2023, { '/dev/xvda': '100Gi' }),
        nodeClass('b', { amiSelectorTerms: [{ alias: BOTTLEROCKET }] }),
      ]).outcomes,
    ).toEqual([]);
  });
});
