import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactCatalog, readInstanceTypes } from '../../data/generate';
import { instanceTypesText, withDescribedTypes } from '../../data/generate-types';

test('data/catalog.json equals what data/generate.ts writes for data/instance-types.json', () => {
  const current = compactCatalog(readInstanceTypes());
  // Not toBe: a difference of 200 kB would be printed.
  expect(readFileSync(join(__dirname, '../../data/catalog.json'), 'utf8') === current).toBe(true);
});

test('the generator rejects a pod count that no number of interfaces explains', () => {
  const [type] = readInstanceTypes();
  expect(() => compactCatalog([{ ...type, eniLimitedPods: 57 }])).toThrow(
    'a1.medium: no whole number of interfaces gives 57 pods',
  );
});

describe('the generator of instance types', () => {
  const described = (InstanceType: string, more: object = {}) => ({
    InstanceType,
    SupportedUsageClasses: ['capacity-block', 'on-demand'],
    VCpuInfo: { DefaultVCpus: 1 },
    MemoryInfo: { SizeInMiB: 2048 },
    ProcessorInfo: { SupportedArchitectures: ['arm64'] },
    NetworkInfo: { NetworkCards: [{ MaximumNetworkInterfaces: 2 }] },
    EbsInfo: { MaximumEbsAttachments: 27, AttachmentLimitType: 'shared' },
    ...more,
  });
  const known = readInstanceTypes().slice(0, 2);

  test("adds types that EC2 describes, in order, without figures that Karpenter's tables lack", () => {
    const types = withDescribedTypes(
      known,
      [described('a0.medium'), described('z9.medium')],
      new Map([['z9.medium', 500]]),
    );
    expect(
      types.map((type) => [type.instanceType, type.vpcLimits, type.branchInterfaces, type.networkBandwidthMbps]),
    ).toEqual([
      ['a0.medium', false, undefined, undefined],
      ['a1.medium', undefined, 10, 500],
      ['a1.large', undefined, 9, 750],
      ['z9.medium', false, undefined, 500],
    ]);
  });

  test('ignores types that Karpenter does not use', () => {
    expect(
      withDescribedTypes(
        known,
        [described('mac9.metal', { ProcessorInfo: { SupportedArchitectures: ['arm64_mac'] } })],
        new Map(),
      ),
    ).toEqual(known);
  });

  test('adds to a known type only what the tables lack', () => {
    const [{ ebsAttachments, ebsAttachmentsShared, ...rest }] = known;
    const [type] = withDescribedTypes([rest], [described('a1.medium')], new Map());
    expect(type).toEqual({ ...rest, capacityBlock: true, ebsAttachments, ebsAttachmentsShared });
  });

  test('writes data/instance-types.json as it is', () => {
    expect(
      readFileSync(join(__dirname, '../../data/instance-types.json'), 'utf8') ===
        instanceTypesText(readInstanceTypes()),
    ).toBe(true);
  });
});
