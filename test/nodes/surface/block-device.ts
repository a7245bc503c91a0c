import { Size } from 'cdk8s';
import { FieldCase } from './field-case';
import * as nodes from '../../../src/nodes';

type Case = FieldCase<nodes.EC2NodeClassProps>;

const { VolumeType } = nodes;
const volumeSize = Size.gibibytes(100);

export function blockDeviceCases(): Case[] {
  return [
    {
      field: 'spec.blockDeviceMappings[].deviceName',
      prop: 'blockDeviceMappings.deviceName',
      props: device({}),
      value: '/dev/xvda',
    },
    {
      field: 'spec.blockDeviceMappings[].rootVolume',
      prop: 'blockDeviceMappings.rootVolume',
      props: device({ rootVolume: true }),
      value: true,
    },
    volume('volumeSize', { volumeSize }, '100Gi', { volumeSize: Size.mebibytes(512) }),
    volume('volumeType', { volumeSize, volumeType: VolumeType.ST1 }, 'st1'),
    volume('iops', { volumeSize, iops: 6000 }, 6000, { volumeSize, iops: 100 }),
    volume('throughput', { volumeSize, throughput: 500 }, 500, {
      volumeSize,
      volumeType: VolumeType.GP2,
      throughput: 500,
    }),
    volume('encrypted', { volumeSize, encrypted: false }, false, {
      volumeSize,
      encrypted: false,
      kmsKeyId: 'alias/nodes',
    }),
    volume('kmsKeyID', { volumeSize, kmsKeyId: 'alias/nodes' }, 'alias/nodes'),
    volume('snapshotID', { snapshotId: 'snap-1' }, 'snap-1', { volumeSize, volumeInitializationRate: 100 }),
    volume('deleteOnTermination', { volumeSize, deleteOnTermination: false }, false),
    volume('volumeInitializationRate', { snapshotId: 'snap-1', volumeInitializationRate: 300 }, 300, {
      snapshotId: 'snap-1',
      volumeInitializationRate: 301,
    }),
  ];
}

function volume(field: string, ebs: nodes.EbsVolume, value: unknown, misuse?: nodes.EbsVolume): Case {
  const prop = field.replace('ID', 'Id');
  return {
    field: `spec.blockDeviceMappings[].ebs.${field}`,
    prop: `blockDeviceMappings.ebs.${prop}`,
    props: device({ ebs }),
    value,
    misuse: misuse && device({ ebs: misuse }),
  };
}

function device(change: Partial<nodes.BlockDevice>): Partial<nodes.EC2NodeClassProps> {
  return { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize }, ...change }] };
}
