import { Size } from 'cdk8s';
import { amiFamilyOfClass } from '../../contract';
import { AmiFamily, EC2NodeClassOptions } from '../../nodes';

/** Images of machine learning take tens of GiB. */
const GPU_DISK = Size.gibibytes(200);
const DISK = Size.gibibytes(50);
/** Device that holds the images of containers, by the family of the AMI. */
const IMAGE_DEVICES: Readonly<Partial<Record<string, string>>> = {
  [AmiFamily.AL2]: '/dev/xvda',
  [AmiFamily.AL2023]: '/dev/xvda',
  [AmiFamily.BOTTLEROCKET]: '/dev/xvdb',
};

/** Adds a disk that is large enough for images, unless the options have disks or the family of the AMI is unknown. */
export function withDisk(options: EC2NodeClassOptions, hasGpus: boolean): EC2NodeClassOptions {
  const family = amiFamilyOfClass({
    amiFamily: options.amiFamily,
    amiSelectorTerms: options.amiSelectorTerms?.map((term) => term._toSpec()),
  });
  const deviceName = family === undefined ? undefined : IMAGE_DEVICES[family];
  if (options.blockDeviceMappings || deviceName === undefined) return options;
  return {
    ...options,
    blockDeviceMappings: [{ deviceName, ebs: { volumeSize: hasGpus ? GPU_DISK : DISK, encrypted: true } }],
  };
}
