import { PlainRecord, recordsOf, textOf } from './records';
import { claimOf, Storage, VolumeClaim, VolumeOwner } from './storage';
import { asRecord } from '../../contract';
import { Requirements, RequirementSpec } from '../../model';
import { PodShape } from '../../scheduling';

/** More ways than these to combine the zones of several volumes are not followed. */
const MOST_ALTERNATIVES = 1000;
const MOST_TRIED = 20_000;
/** Those of EBS, also in EKS Auto Mode. */
const ZONAL_DRIVERS: readonly string[] = ['ebs.csi.aws.com', 'ebs.csi.eks.amazonaws.com'];

type PodVolumes = Pick<PodShape, 'volumes' | 'mountedClaims' | 'volumeTopology' | 'staysInZone' | 'ignored'> & { readonly unknown: readonly string[] };

/** What the pod's volumes need of the node. */
export function readPodVolumes(spec: PlainRecord, owner: VolumeOwner, storage: Storage): PodVolumes {
  const needs = claims(spec, owner, storage).map((claim) => typeof claim === 'string' ? { kind: 'unknown', what: claim } as const
    : { ...storage.needOf(claim), passing: claim.passing, claim: claim.id });
  const unknown = needs.flatMap((need) => need.kind === 'unknown' ? [need.what] : []);
  const ignored = needs.flatMap((need) => need.kind === 'ignored' ? [need.message] : []);
  const known = needs.filter((need): need is Extract<typeof need, { kind: 'needs' }> => need.kind === 'needs');
  const topology = combine(known.map(({ alternatives }) => alternatives));
  if (topology === undefined) unknown.push(`more than ${MOST_ALTERNATIVES} combinations of the zones of its volumes`);
  return {
    unknown: [...new Set(unknown)],
    ...attachedOf(known),
    ...(known.some(({ driver, passing }) => driver !== undefined && ZONAL_DRIVERS.includes(driver) && !passing) ? { staysInZone: true } : {}),
    ...(topology !== undefined && topology.length > 0 ? { volumeTopology: topology } : {}),
    ...(ignored.length > 0 ? { ignored: ignored.join('; ') } : {}),
  };
}

/** A pod that mounts a claim twice has one volume. */
function attachedOf(known: ReadonlyArray<{ readonly driver?: string; readonly claim?: string }>): Pick<PodShape, 'volumes' | 'mountedClaims'> {
  const volumes = new Map<string, number>();
  const mountedClaims = new Map<string, string>();
  for (const { driver, claim } of known) {
    if (driver === undefined) continue;
    if (claim === undefined) volumes.set(driver, (volumes.get(driver) ?? 0) + 1);
    else mountedClaims.set(claim, driver);
  }
  return { ...(volumes.size > 0 ? { volumes } : {}), ...(mountedClaims.size > 0 ? { mountedClaims } : {}) };
}

/** The claims behind the volumes, or in words what is missing of one. */
function claims(spec: PlainRecord, { namespace, name, templates, ordinal }: VolumeOwner, storage: Storage): Array<VolumeClaim | string> {
  const made = new Set(templates.map((template) => asRecord(template.metadata)?.name));
  const mounted = recordsOf(spec.volumes).filter((volume) => !made.has(volume.name)).flatMap((volume): Array<VolumeClaim | string> => {
    const claimName = asRecord(volume.persistentVolumeClaim)?.claimName;
    if (typeof claimName === 'string') return [storage.claim(namespace, claimName) ?? `PersistentVolumeClaim ${namespace}/${claimName}, which is not in the input`];
    const template = asRecord(asRecord(volume.ephemeral)?.volumeClaimTemplate);
    if (template === undefined) return [];
    const claim = storage.claim(namespace, `${name}-${textOf(volume.name)}`) ?? claimOf(`the claim for the ephemeral volume ${textOf(volume.name)}`, template);
    return [{ ...claim, id: undefined, passing: true }];
  });
  const ofTemplates = templates.map((template) => {
    const volume = textOf(asRecord(template.metadata)?.name);
    const kept = ordinal === undefined ? undefined : storage.claim(namespace, `${volume}-${name}-${ordinal}`);
    return kept ?? claimOf(`the claim of the template ${volume}`, template);
  });
  return [...mounted, ...ofTemplates];
}

/**
 * Every way to meet all volumes at once; where no way meets all, every way there would be, so that the pod fails on it.
 * Undefined where there are too many.
 */
function combine(needs: ReadonlyArray<ReadonlyArray<readonly RequirementSpec[]>>): Array<readonly RequirementSpec[]> | undefined {
  let combined: Array<readonly RequirementSpec[]> | undefined;
  for (const alternatives of needs.filter((need) => need.length > 0)) {
    const before: ReadonlyArray<readonly RequirementSpec[]> = combined ?? [[]];
    if (before.length * alternatives.length > MOST_TRIED) return undefined;
    const rights = alternatives.map((specs) => ({ specs, requirements: Requirements.from(specs) }));
    const all = before.flatMap((specs) => {
      const left = Requirements.from(specs);
      return rights.map((right) => ({ specs: [...specs, ...right.specs], meets: left.intersects(right.requirements) === undefined }));
    });
    const meeting = all.filter(({ meets }) => meets);
    combined = (meeting.length > 0 ? meeting : all).map(({ specs }) => specs);
    if (combined.length > MOST_ALTERNATIVES) return undefined;
  }
  return combined ?? [];
}
