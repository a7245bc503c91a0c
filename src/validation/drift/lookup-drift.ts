import { NodeClaimObject, ObjectChange } from './object-change';
import { asRecord, ChangedField, DriftReason } from '../../contract';
import { Label } from '../../model';
import { PlainRecord, recordsOf, stringMapOf } from '../manifest/records';

/** `may drift`: the answer depends on what the selector terms match in AWS. */
export type Likelihood = 'drifts' | 'may drift' | 'stays';

interface SelectorChange {
  /** The spec of the node class. */
  readonly before: PlainRecord;
  readonly after: PlainRecord;
  /** The resources that Karpenter has resolved the old terms to. */
  readonly status: PlainRecord;
  readonly claim: NodeClaimObject;
}

/** An AMI alias with a fixed release, as in `al2023@v20260101`. */
const PINNED_ALIAS = /^([^@]+)@(v.+)$/;

/**
 * Whether a node drifts if selector terms of its node class change. The answer is certain only if the terms name ids.
 */
export function lookupDrift(
  { reason }: ChangedField,
  { before, after }: ObjectChange,
  claim: NodeClaimObject,
): Likelihood {
  const specOf = ({ raw }: NodeClaimObject) => asRecord(raw.spec) ?? {};
  const change = { before: specOf(before!), after: specOf(after), status: asRecord(before!.raw.status) ?? {}, claim };
  return LOOKUPS[reason]?.(change) ?? 'may drift';
}

const LOOKUPS: Partial<Record<DriftReason, (change: SelectorChange) => Likelihood>> = {
  AMIDrift: ({ before, after, claim }) => {
    const image = claim.raw.status?.imageID;
    const ids = idsOf(after.amiSelectorTerms);
    if (ids && typeof image === 'string') return ids.has(image) ? (ids.size === 1 ? 'stays' : 'may drift') : 'drifts';
    const [oldAlias, newAlias] = [pinnedAlias(before), pinnedAlias(after)];
    return oldAlias !== undefined && newAlias !== undefined && oldAlias !== newAlias ? 'drifts' : 'may drift';
  },
  SecurityGroupDrift: ({ after, status }) => {
    const [resolved, ids] = [resolvedIds(status.securityGroups), idsOf(after.securityGroupSelectorTerms)];
    if (resolved.size === 0 || !ids) return 'may drift';
    return resolved.size === ids.size && [...resolved].every((id) => ids.has(id)) ? 'stays' : 'drifts';
  },
  SubnetDrift: ({ after, status, claim }) => {
    const zone = labelsOf(claim)[Label.ZONE];
    const resolved = resolvedIds(
      recordsOf(status.subnets).filter((subnet) => zone === undefined || subnet.zone === zone),
    );
    const ids = idsOf(after.subnetSelectorTerms);
    if (resolved.size === 0 || !ids) return 'may drift';
    const kept = [...resolved].filter((id) => ids.has(id)).length;
    return kept === resolved.size ? 'stays' : kept === 0 ? 'drifts' : 'may drift';
  },
  CapacityReservationDrift: ({ after, claim }) => {
    const reservation = labelsOf(claim)[Label.CAPACITY_RESERVATION_ID];
    if (reservation === undefined) return 'stays';
    const ids = idsOf(after.capacityReservationSelectorTerms);
    return ids ? (ids.has(reservation) ? 'stays' : 'drifts') : 'may drift';
  },
};

/** Undefined unless every term selects by an id only. */
function idsOf(terms: unknown): Set<string> | undefined {
  const ids = recordsOf(terms).map((term) =>
    Object.keys(term).length === 1 && typeof term.id === 'string' ? term.id : undefined,
  );
  return ids.includes(undefined) ? undefined : new Set(ids as string[]);
}

/** The alias, if it fixes an AMI release: two releases have no AMI in common. */
function pinnedAlias({ amiSelectorTerms }: PlainRecord): string | undefined {
  const aliases = recordsOf(amiSelectorTerms).map(({ alias }) => alias);
  return typeof aliases[0] === 'string' && aliases.length === 1 && PINNED_ALIAS.test(aliases[0])
    ? aliases[0]
    : undefined;
}

function resolvedIds(resources: unknown): Set<string> {
  return new Set(recordsOf(resources).flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
}

function labelsOf({ raw }: NodeClaimObject): Readonly<Record<string, string>> {
  return stringMapOf(raw.metadata?.labels);
}
