import { readClaim, Storage, StorageClaim, VolumeOwner, ZONAL_DRIVERS } from './storage';
import { asRecord } from '../../../contract';
import { Requirements, RequirementSpec } from '../../../model';
import { PodShape } from '../../../scheduling';
import { PlainRecord, recordsOf, scalarText } from '../records';

/** Limit for the combinations of zones of several volumes; beyond it the pod is not evaluated. */
const MAX_COMBINATIONS = 1000;
/** Limit for the combinations that are checked for conflicts. */
const MAX_TRIED = 20_000;

interface PodVolumes
  extends Pick<PodShape, 'volumes' | 'mountedClaims' | 'volumeTopology' | 'staysInZone' | 'ignored'> {
  /** What the input lacks to evaluate the volumes. */
  readonly unknown: readonly string[];
}

/** Why the pods that mount the claim are not evaluated. */
export function refusedClaimText(namespace: string, name: string): string {
  return `PersistentVolumeClaim ${namespace}/${name}, which the API server refuses`;
}

/** The requirements of the pod's volumes on its node. */
export function readPodVolumes(spec: PlainRecord, owner: VolumeOwner, storage: Storage): PodVolumes {
  const needs = claimsOf(spec, owner, storage).map((claim) =>
    typeof claim === 'string'
      ? ({ kind: 'unknown', what: claim } as const)
      : { ...storage.volumeNeedOf(claim), ephemeral: claim.ephemeral, claim: claim.id },
  );
  const unknown = needs.flatMap((need) => (need.kind === 'unknown' ? [need.what] : []));
  const ignored = needs.flatMap((need) => (need.kind === 'ignored' ? [need.message] : []));
  const requirements = needs.filter((need): need is Extract<typeof need, { kind: 'needs' }> => need.kind === 'needs');
  const topology = combine(requirements.map(({ alternatives }) => alternatives));
  const staysInZone = requirements.some(
    ({ driver, ephemeral }) => driver !== undefined && ZONAL_DRIVERS.includes(driver) && !ephemeral,
  );
  if (topology === undefined) unknown.push(`more than ${MAX_COMBINATIONS} combinations of the zones of its volumes`);
  return {
    unknown: [...new Set(unknown)],
    ...attachedVolumes(requirements),
    ...(staysInZone ? { staysInZone } : {}),
    ...(topology !== undefined && topology.length > 0 ? { volumeTopology: topology } : {}),
    ...(ignored.length > 0 ? { ignored: ignored.join('; ') } : {}),
  };
}

/** A pod that mounts a claim twice has one volume. */
function attachedVolumes(
  needs: ReadonlyArray<{ readonly driver?: string; readonly claim?: string }>,
): Pick<PodShape, 'volumes' | 'mountedClaims'> {
  const volumes = new Map<string, number>();
  const mountedClaims = new Map<string, string>();
  for (const { driver, claim } of needs) {
    if (driver === undefined) continue;
    if (claim === undefined) volumes.set(driver, (volumes.get(driver) ?? 0) + 1);
    else mountedClaims.set(claim, driver);
  }
  return { ...(volumes.size > 0 ? { volumes } : {}), ...(mountedClaims.size > 0 ? { mountedClaims } : {}) };
}

/** The claims of the volumes. A string describes a claim that is not in the input. */
function claimsOf(
  spec: PlainRecord,
  { namespace, name, templates, ordinal }: VolumeOwner,
  storage: Storage,
): Array<StorageClaim | string> {
  const templateNames = new Set(templates.map((template) => asRecord(template.metadata)?.name));
  const mounted = recordsOf(spec.volumes)
    .filter((volume) => !templateNames.has(volume.name))
    .flatMap((volume): Array<StorageClaim | string> => {
      const claimName = asRecord(volume.persistentVolumeClaim)?.claimName;
      if (typeof claimName === 'string' && storage.isRefused(namespace, claimName))
        return [refusedClaimText(namespace, claimName)];
      if (typeof claimName === 'string')
        return [
          storage.claim(namespace, claimName) ??
            `PersistentVolumeClaim ${namespace}/${claimName}, which is not in the input`,
        ];
      const template = asRecord(asRecord(volume.ephemeral)?.volumeClaimTemplate);
      if (template === undefined) return [];
      const claim =
        storage.claim(namespace, `${name}-${scalarText(volume.name)}`) ??
        readClaim(`the claim for the ephemeral volume ${scalarText(volume.name)}`, template);
      return [{ ...claim, id: undefined, ephemeral: true }];
    });
  const templateClaims = templates.map((template) => {
    const volume = scalarText(asRecord(template.metadata)?.name);
    const existing = ordinal === undefined ? undefined : storage.claim(namespace, `${volume}-${name}-${ordinal}`);
    return existing ?? readClaim(`the claim of the template ${volume}`, template);
  });
  return [...mounted, ...templateClaims];
}

/**
 * The combinations of alternatives that meet all volumes at once. If none does, all combinations, so that the pod is
 * unschedulable because of them. Undefined if there are too many.
 */
function combine(
  needs: ReadonlyArray<ReadonlyArray<readonly RequirementSpec[]>>,
): Array<readonly RequirementSpec[]> | undefined {
  let combined: Array<readonly RequirementSpec[]> | undefined;
  for (const alternatives of needs.filter((need) => need.length > 0)) {
    const earlier: ReadonlyArray<readonly RequirementSpec[]> = combined ?? [[]];
    if (earlier.length * alternatives.length > MAX_TRIED) return undefined;
    const candidates = alternatives.map((specs) => ({ specs, requirements: Requirements.from(specs) }));
    const all = earlier.flatMap((specs) => {
      const requirements = Requirements.from(specs);
      return candidates.map((candidate) => ({
        specs: [...specs, ...candidate.specs],
        isCompatible: requirements.intersects(candidate.requirements) === undefined,
      }));
    });
    const compatible = all.filter(({ isCompatible }) => isCompatible);
    combined = (compatible.length > 0 ? compatible : all).map(({ specs }) => specs);
    if (combined.length > MAX_COMBINATIONS) return undefined;
  }
  return combined ?? [];
}
