import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InstanceTypeFacts, readInstanceTypes } from './generate';
import { describedFacts } from '../src/catalog/account/described-facts';
import { byFamilyAndSize } from '../src/catalog/account/make-catalog';
import type { DescribedType } from '../src/catalog/account/responses';

/** A line of `InstanceTypeBandwidthMegabits` in Karpenter's table. */
const BANDWIDTH = /^\s*"([a-z0-9.-]+)":\s*(\d+),$/gm;

/**
 * The known types with the facts that only DescribeInstanceTypes has, and those of its answers that are missing.
 * Karpenter's tables of VPC limits and prices lack the added types, so they get neither.
 *
 * @param bandwidths Mbps by type, from Karpenter's table
 */
export function withDescribedTypes(
  known: readonly InstanceTypeFacts[],
  described: readonly DescribedType[],
  bandwidths: ReadonlyMap<string, number>,
): InstanceTypeFacts[] {
  const byName = new Map(described.map((type) => [type.InstanceType, type]));
  const names = new Set(known.map(({ instanceType }) => instanceType));
  const added = described.flatMap((type) => {
    const facts = names.has(type.InstanceType ?? '') ? undefined : describedFacts(type);
    if (facts === undefined) return [];
    const mbps = bandwidths.get(facts.instanceType);
    return [{ ...facts, vpcLimits: false, ...(mbps === undefined ? {} : { networkBandwidthMbps: mbps }) }];
  });
  return [...known.map((facts) => ({ ...facts, ...describedOnly(byName.get(facts.instanceType)) })), ...added].sort(
    byFamilyAndSize,
  );
}

function describedOnly(type: DescribedType | undefined): Partial<InstanceTypeFacts> {
  const facts = type && describedFacts(type);
  if (facts === undefined) return {};
  const { capacityBlock, ebsAttachments, ebsAttachmentsShared, optionalEbsBandwidthMbps } = facts;
  return {
    ...(capacityBlock === undefined ? {} : { capacityBlock }),
    ...(ebsAttachments === undefined ? {} : { ebsAttachments }),
    ...(ebsAttachmentsShared === undefined ? {} : { ebsAttachmentsShared }),
    ...(optionalEbsBandwidthMbps === undefined ? {} : { optionalEbsBandwidthMbps }),
  };
}

/** The text of data/instance-types.json: one type a line. */
export function instanceTypesText(types: readonly InstanceTypeFacts[]): string {
  return `[\n${types.map((type) => JSON.stringify(type)).join(',\n')}\n]\n`;
}

if (require.main === module) {
  const [resources, provider] = process.argv.slice(2);
  if (resources === undefined || provider === undefined) {
    throw new Error('arguments: <moto>/ec2/resources <karpenter-provider-aws>; see CONTRIBUTING.md');
  }
  const described = JSON.parse(
    gunzipSync(readFileSync(join(resources, 'instance_types.json.gz'))).toString('utf8'),
  ) as Record<string, DescribedType>;
  const table = readFileSync(join(provider, 'pkg/providers/instancetype/zz_generated.bandwidth.go'), 'utf8');
  const bandwidths = new Map([...table.matchAll(BANDWIDTH)].map(([, name, mbps]) => [name, Number(mbps)]));
  writeFileSync(
    join(__dirname, 'instance-types.json'),
    instanceTypesText(withDescribedTypes(readInstanceTypes(), Object.values(described), bandwidths)),
  );
}
