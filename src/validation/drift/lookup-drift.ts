import { Claim, ObjectChange } from './object-change';
import { asRecord, ChangedField, DriftReason } from '../../contract';
import { Label } from '../../model';
import { textsOf } from '../cluster/state-node';
import { PlainRecord, recordsOf } from '../manifest/records';

/** `may`: it depends on what the terms find in AWS. */
export type Likelihood = 'drifts' | 'may drift' | 'stays';

interface Looked {
  readonly before: PlainRecord;
  readonly after: PlainRecord;
  /** What Karpenter has found by the terms before. */
  readonly status: PlainRecord;
  readonly claim: Claim;
}

const ALIAS = /^([^@]+)@(v.+)$/;

/** Whether a node drifts when the terms of its node class change that AWS is asked by: certain only where they name ids. */
export function lookupDrift({ reason }: ChangedField, { before, after }: ObjectChange, claim: Claim): Likelihood {
  const specOf = ({ raw }: Claim) => asRecord(raw.spec) ?? {};
  const looked = { before: specOf(before!), after: specOf(after), status: asRecord(before!.raw.status) ?? {}, claim };
  return LOOKS[reason]?.(looked) ?? 'may drift';
}

const LOOKS: Partial<Record<DriftReason, (looked: Looked) => Likelihood>> = {
  AMIDrift: ({ before, after, claim }) => {
    const image = asRecord(claim.raw.status)?.imageID;
    const ids = idsOf(after.amiSelectorTerms);
    if (ids && typeof image === 'string') return ids.has(image) ? (ids.size === 1 ? 'stays' : 'may drift') : 'drifts';
    const [old, current] = [pinned(before), pinned(after)];
    return old !== undefined && current !== undefined && old !== current ? 'drifts' : 'may drift';
  },
  SecurityGroupDrift: ({ after, status }) => {
    const [had, ids] = [foundIds(status.securityGroups), idsOf(after.securityGroupSelectorTerms)];
    if (had.size === 0 || !ids) return 'may drift';
    return had.size === ids.size && [...had].every((id) => ids.has(id)) ? 'stays' : 'drifts';
  },
  SubnetDrift: ({ after, status, claim }) => {
    const zone = labelsOf(claim)[Label.ZONE];
    const had = foundIds(recordsOf(status.subnets).filter((subnet) => zone === undefined || subnet.zone === zone));
    const ids = idsOf(after.subnetSelectorTerms);
    if (had.size === 0 || !ids) return 'may drift';
    const left = [...had].filter((id) => ids.has(id)).length;
    return left === had.size ? 'stays' : left === 0 ? 'drifts' : 'may drift';
  },
  CapacityReservationDrift: ({ after, claim }) => {
    const reservation = labelsOf(claim)[Label.CAPACITY_RESERVATION_ID];
    if (reservation === undefined) return 'stays';
    const ids = idsOf(after.capacityReservationSelectorTerms);
    return ids ? (ids.has(reservation) ? 'stays' : 'drifts') : 'may drift';
  },
};

/** Undefined where a term finds by anything but an id. */
function idsOf(terms: unknown): Set<string> | undefined {
  const ids = recordsOf(terms).map((term) => Object.keys(term).length === 1 && typeof term.id === 'string' ? term.id : undefined);
  return ids.includes(undefined) ? undefined : new Set(ids as string[]);
}

/** The release of the image that an alias holds on to: two releases have no image in common. */
function pinned({ amiSelectorTerms }: PlainRecord): string | undefined {
  const aliases = recordsOf(amiSelectorTerms).map(({ alias }) => alias);
  return typeof aliases[0] === 'string' && aliases.length === 1 && ALIAS.test(aliases[0]) ? aliases[0] : undefined;
}

function foundIds(found: unknown): Set<string> {
  return new Set(recordsOf(found).flatMap(({ id }) => typeof id === 'string' ? [id] : []));
}

function labelsOf({ raw }: Claim): Readonly<Record<string, string>> {
  return textsOf(asRecord(raw.metadata)?.labels);
}
