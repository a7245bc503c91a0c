/**
 * Adds safeguards to a manifest when it is rendered. Only then all properties, patches and autoscalers in the tree are
 * known. cdk8s has no hook for rendering, so `toJson` of the protected object is replaced.
 */
import { ApiObject } from 'cdk8s';
import { optOutNote, keptAsWrittenNote, optOutNoteReason } from '../../contract';
import { Safeguard } from '../safeguard';
import { tryFindAutoscaler, tryFindScaleTarget, tryFindSharedClaim } from './cluster-objects';
import { isServing, Json, EditableWorkload, sortedManifest } from './editable-workload';
import { placePods } from './placement';
import { PROTECTED, settingsFor, withoutSafeguards } from './protections';
import { SAFEGUARDS } from './safeguards';
import { WorkloadFacts } from './safeguards/safeguard-rule';
import { mergeSettings, Settings } from './settings';

/**
 * Protects the object. Repeated calls merge their settings.
 *
 * @throws Error if the settings contradict earlier ones
 */
export function protect(object: ApiObject, settings: Settings): void {
  const earlier = PROTECTED.get(object)?.settings;
  if (earlier) {
    mergeSettings([...earlier, settings]);
    earlier.push(settings);
    return;
  }
  const render = object.toJson.bind(object);
  PROTECTED.set(object, { settings: [settings], render });
  object.toJson = (): Json => {
    const manifest = withoutSafeguards(object);
    return safeguarded(manifest, settingsFor(object), relatedObjectsOf(object, manifest));
  };
}

function relatedObjectsOf(object: ApiObject, manifest: Json): WorkloadFacts {
  if (isServing(object))
    return { autoscaler: tryFindAutoscaler(object), sharedClaim: tryFindSharedClaim(object, manifest) };
  const target = tryFindScaleTarget(object, manifest);
  if (!target) return {};
  const scaled = withoutSafeguards(target);
  const waiver =
    settingsFor(target).waivers.get(Safeguard.REPLICAS) ??
    optOutNoteReason(scaled.metadata?.annotations, Safeguard.REPLICAS);
  return { targetWaiver: waiver, sharedClaim: tryFindSharedClaim(target, scaled) };
}

/** The manifest with all safeguards for its kind. Applying safeguards to the result again changes nothing. */
export function safeguarded(manifest: Json, settings: Settings, surroundings: WorkloadFacts = {}): Json {
  const result = structuredClone(manifest);
  const subject = new EditableWorkload(result);
  placePods(subject, settings);
  for (const { safeguard, roles: natures, apply } of SAFEGUARDS) {
    if (!natures.includes(subject.role)) continue;
    const reason =
      settings.waivers.get(safeguard) ?? optOutNoteReason(subject.annotations, safeguard) ?? surroundings.targetWaiver;
    if (reason !== undefined) {
      subject.note(safeguard, optOutNote(reason));
      continue;
    }
    const weaker = apply(subject, settings, surroundings);
    subject.note(safeguard, weaker === undefined ? undefined : keptAsWrittenNote(weaker));
  }
  return sortedManifest(result);
}
