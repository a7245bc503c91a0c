import { asRecord, FieldPath, gp3Instead, setField, unsafeFix, volumeUsdPerMonth } from '../../../contract';
import { HOURS_PER_MONTH, monthlyPrice, monthlyPriceText, Quantity } from '../../../model';
import { PlannedNodeClaim } from '../../../scheduling';
import { findUnresolved, whyUnresolved } from '../../manifest/find-unresolved';
import { NodeClassManifest } from '../../manifest/model';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { nodeClasses } from '../subjects';

/** A smaller difference a month is no reason to change a node. */
const LEAST_SAVED = 50;
/** Volumes for less a month are not compared with the price of a node. */
const LEAST_PRICE = 75;
/** Volumes that cost a smaller share of their nodes are no reason to change them. */
const LEAST_SHARE = 0.5;
/** GiB for the system, images and logs, beside what pods request. */
const USUAL_GIB = 100;
const BYTES_PER_GIB = 2 ** 30;
/** If pods request more than this share of the storage, the size is meant. */
const MEANT_SHARE = 0.25;

interface PricedVolume {
  readonly path: FieldPath;
  readonly ebs: Readonly<Record<string, unknown>>;
  readonly usd: number;
}

/** @see https://aws.amazon.com/ebs/pricing/ */
export const volumeDearerThanNode = defineRule<NodeClassManifest>({
  id: 'KARP-1012',
  name: 'volume-dearer-than-node',
  severity: 'warning',
  summary:
    'The volumes of a node cost more than the node, or provisioned IOPS cost far more than those of gp3: no bill of nodes shows it.',
  subjects: nodeClasses({ unknown: ({ object }) => whyUnresolved(object.raw?.spec?.blockDeviceMappings) }),
  judge({ object }, context) {
    const spec = asRecord(object.raw?.spec) ?? {};
    const mappings: readonly unknown[] = Array.isArray(spec.blockDeviceMappings) ? spec.blockDeviceMappings : [];
    if (mappings.length === 0 || findUnresolved(mappings) !== undefined) return NOT_APPLICABLE;
    const volumes = mappings.flatMap((mapping, index): PricedVolume[] => {
      const ebs = asRecord(asRecord(mapping)?.ebs) ?? {};
      const usd = volumeUsdPerMonth(ebs);
      return usd === undefined ? [] : [{ path: ['spec', 'blockDeviceMappings', index, 'ebs'], ebs, usd }];
    });
    const provisioned = volumes.flatMap((volume) => provisionedIops(volume) ?? []);
    if (provisioned.length > 0) return provisioned;
    return dearerThanNodes(object.name, volumes, context);
  },
});

/** A node is replaced at any time, so that the durability of io1 and io2 is of no use. */
function provisionedIops({ path, ebs, usd }: PricedVolume): SubjectFinding | undefined {
  const instead = gp3Instead(ebs);
  const gp3 = instead && volumeUsdPerMonth({ ...ebs, ...instead });
  if (instead === undefined || gp3 === undefined || usd - gp3 < LEAST_SAVED) return undefined;
  const isLess = instead.iops < Number(ebs.iops);
  return {
    path: [...path, 'iops'],
    message:
      `${String(ebs.iops)} IOPS of type ${String(ebs.volumeType)} cost each node ${monthly(usd)}, ` +
      'which the price of the plan does not include (prices of us-east-1)',
    remedy: `write volumeType: gp3${isLess ? ` with iops: ${instead.iops}` : ''}, which costs ${monthly(gp3)}`,
    evidence: { volumeType: ebs.volumeType, iops: ebs.iops, usdPerMonth: round(usd), gp3UsdPerMonth: round(gp3) },
    fix: unsafeFix(
      setField([...path, 'volumeType'], 'gp3'),
      ...(isLess ? [setField([...path, 'iops'], instead.iops)] : []),
    ),
  };
}

/** @returns undefined if pods request much of the storage, or if the nodes cost more */
function dearerThanNodes(
  nodeClass: string,
  volumes: readonly PricedVolume[],
  { plan, model }: RuleContext,
): SubjectFinding | undefined {
  const usd = volumes.reduce((sum, volume) => sum + volume.usd, 0);
  if (usd < LEAST_PRICE) return undefined;
  const pools = new Set(model.nodePools.flatMap(({ spec }) => (spec?.nodeClass === nodeClass ? [spec.name] : [])));
  const claims = plan.nodeClaims.filter(({ nodePool }) => pools.has(nodePool));
  const prices = claims.map(({ cheapest }) => monthlyPrice(cheapest?.usdPerHour ?? Infinity));
  const dearest = Math.max(...prices);
  const all = prices.reduce((sum, price) => sum + price, 0);
  if (
    claims.length === 0 ||
    usd * claims.length < all * LEAST_SHARE ||
    claims.some((claim) => usesStorage(claim, volumes))
  )
    return undefined;
  const [{ path, ebs }] = [...volumes].sort((a, b) => b.usd - a.usd);
  const field = dearestField(ebs);
  return {
    path: [...path, field],
    message:
      `the volumes of a node cost ${monthly(usd)}, mostly for ${field}: ${String(ebs[field])}, and the ` +
      `${claims.length === 1 ? 'planned node' : 'dearest planned node'} costs ${monthly(dearest)}: ` +
      'the price of the plan does not include volumes (prices of us-east-1)',
    ...smallerRemedy([...path, field], ebs, Math.max(...claims.map(requestedGib))),
    evidence: { usdPerMonth: round(usd), nodeUsdPerMonth: round(dearest), field, value: ebs[field] ?? null },
  };
}

/** @param requested the most GiB of storage that the pods of a node request */
function smallerRemedy(
  path: FieldPath,
  ebs: Readonly<Record<string, unknown>>,
  requested: number,
): Pick<SubjectFinding, 'remedy' | 'fix'> {
  const field = String(path.at(-1));
  const gib = Math.max(USUAL_GIB, Math.ceil((2 * requested) / 10) * 10);
  const size = Number(Quantity.tryParse(ebs.volumeSize)?.value() ?? 0n) / BYTES_PER_GIB;
  if (field !== 'volumeSize' || gib * 2 > size)
    return { remedy: `lower ${field}, unless something on the node needs it` };
  const use =
    requested === 0
      ? 'the pods request no storage'
      : `the pods of a node request at most ${Math.ceil(requested)} GiB of storage`;
  return {
    remedy: `write volumeSize: ${gib}Gi, because ${use}, unless images and files of pods need more`,
    fix: unsafeFix(setField(path, `${gib}Gi`)),
  };
}

/** The field of a volume that makes up most of its price. */
function dearestField(ebs: Readonly<Record<string, unknown>>): string {
  const all = volumeUsdPerMonth(ebs) ?? 0;
  const parts = ['iops', 'throughput'].map((field) => ({
    field,
    usd: all - (volumeUsdPerMonth({ ...ebs, [field]: undefined }) ?? 0),
  }));
  const size = { field: 'volumeSize', usd: all - parts.reduce((sum, { usd }) => sum + usd, 0) };
  return parts.reduce((most, part) => (part.usd > most.usd ? part : most), size).field;
}

function requestedGib({ requests }: PlannedNodeClaim): number {
  return Number(requests.get('ephemeral-storage') ?? 0n) / 1000 / BYTES_PER_GIB;
}

function usesStorage({ requests }: PlannedNodeClaim, volumes: readonly PricedVolume[]): boolean {
  const requested = Number(requests.get('ephemeral-storage') ?? 0n) / 1000;
  const size = volumes.reduce((sum, { ebs }) => sum + Number(Quantity.tryParse(ebs.volumeSize)?.value() ?? 0n), 0);
  return requested > size * MEANT_SHARE;
}

function monthly(usd: number): string {
  return monthlyPriceText(usd / HOURS_PER_MONTH);
}

function round(usd: number): number {
  return Math.round(usd * 100) / 100;
}
