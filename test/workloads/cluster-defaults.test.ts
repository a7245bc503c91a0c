import { ApiObject } from 'cdk8s';
import { newChart, podOf, workload, written } from './fixtures';
import * as workloads from '../../src/workloads';

const { DaemonSetPriorityClass, EfsStorageClass, Gp3StorageClass, Io2StorageClass, Resilience } = workloads;

describe('StorageClass', () => {
  test('of gp3 is encrypted, expandable, and waits for the node of the pod', () => {
    const chart = newChart();
    const storage = new Gp3StorageClass(chart, 'Gp3', { isDefault: true, iops: 8000, throughput: 500 });
    expect([storage.name, written(chart, 'StorageClass')]).toEqual([
      'gp3',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'gp3', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        provisioner: 'ebs.csi.aws.com',
        parameters: {
          type: 'gp3',
          encrypted: 'true',
          iops: '8000',
          throughput: '500',
          'csi.storage.k8s.io/fstype': 'ext4',
        },
        reclaimPolicy: 'Delete',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowVolumeExpansion: true,
      },
    ]);
  });

  test('of io2 has its IOPS, and the key and policy of the props', () => {
    const chart = newChart();
    const kmsKeyId = 'arn:aws:kms:eu-west-1:111122223333:key/a';
    new Io2StorageClass(chart, 'Io2', {
      iops: 20000,
      kmsKeyId,
      reclaimPolicy: workloads.ReclaimPolicy.RETAIN,
      metadata: { name: 'fast' },
    });
    expect(written(chart, 'StorageClass')).toMatchObject({
      metadata: { name: 'fast' },
      parameters: { type: 'io2', iops: '20000', kmsKeyId },
      reclaimPolicy: 'Retain',
    });
  });

  test('of EFS creates an access point for each volume', () => {
    const chart = newChart();
    new EfsStorageClass(chart, 'Efs', { fileSystemId: 'fs-0123456789abcdef0' });
    expect(written(chart, 'StorageClass')).toMatchObject({
      provisioner: 'efs.csi.aws.com',
      parameters: { provisioningMode: 'efs-ap', fileSystemId: 'fs-0123456789abcdef0', directoryPerms: '700' },
      volumeBindingMode: 'WaitForFirstConsumer',
    });
  });

  test('takes values that are known only at deployment', () => {
    expect(
      () => new EfsStorageClass(newChart(), 'Efs', { fileSystemId: '${Token[Fs.1]}', basePath: '${Token[Path.2]}' }),
    ).not.toThrow();
  });

  test.each<[string, (chart: any) => unknown]>([
    [
      'Gp3StorageClass.iops: must be a whole number from 3000 to 80000, got "4000" (a string); ',
      (chart) => new Gp3StorageClass(chart, 'Gp3', { iops: '4000' as unknown as number }),
    ],
    [
      'Gp3StorageClass.throughput: must be at most 750 MiB/s for 3000 IOPS, got 1000; write 750 or less, or iops: 4000',
      (chart) => new Gp3StorageClass(chart, 'Gp3', { throughput: 1000 }),
    ],
    [
      'Io2StorageClass.iops: must be a whole number from 100 to 256000, got 50; ',
      (chart) => new Io2StorageClass(chart, 'Io2', { iops: 50 }),
    ],
    ['iops: must be set, got nothing; ', (chart) => new Io2StorageClass(chart, 'Io2', {} as any)],
    [
      'EfsStorageClass.fileSystemId: must match ^fs-[0-9a-f]{8,40}$, got "shop"; ',
      (chart) => new EfsStorageClass(chart, 'Efs', { fileSystemId: 'shop' }),
    ],
    [
      'StorageClass.kmsKeyId: must match ^arn:aws[\\w-]*:kms:, got "alias/ebs"; ',
      (chart) => new Gp3StorageClass(chart, 'Gp3', { kmsKeyId: 'alias/ebs' }),
    ],
  ])('refuses a value: %s', (message, create) => {
    expect(() => create(newChart())).toThrow(message);
  });
});

describe('DaemonSetPriorityClass', () => {
  test('is the class of DaemonSets that have none', () => {
    const chart = newChart();
    const { name } = new DaemonSetPriorityClass(chart, 'Priority');
    new ApiObject(chart, 'agent', workload('DaemonSet'));
    chart.with(new Resilience({ daemonSetPriorityClass: name }));
    expect(written(chart, 'PriorityClass')).toMatchObject({ metadata: { name: 'daemon-sets' }, value: 1_000_000 });
    expect(podOf(written(chart, 'DaemonSet')).priorityClassName).toBe('daemon-sets');
  });

  test.each([
    ['a value that Kubernetes reserves', { value: 2e9 }, 'must be a whole number from 1 to 1000000000'],
    ['a reserved name', { metadata: { name: 'system-agents' } }, 'must not begin with system-, which is reserved'],
  ])('refuses %s', (_, props, message) => {
    expect(() => new DaemonSetPriorityClass(newChart(), 'Priority', props)).toThrow(message);
  });
});
