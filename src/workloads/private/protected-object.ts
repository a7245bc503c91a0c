/**
 * Safeguards go into a manifest when it is rendered. cdk8s has no hook there, so the method of the one object is
 * replaced: only then is known what others have written, be it a property, a patch, or an autoscaler elsewhere in the
 * tree.
 */
import { ApiObject } from 'cdk8s';
import { offReason } from '../../contract';
import { Safeguard } from '../safeguard';
import { PROTECTED, settingsFor, withoutSafeguards } from './protections';
import { safeguarded } from './safeguarded';
import { Surroundings } from './safeguards/safeguard-rule';
import { tryFindScaler, tryFindTarget } from './scaler';
import { mergeSettings, Settings } from './settings';
import { tryFindSharedClaim } from './shared-claim';
import { isServing, Json } from './subject';

/**
 * Protects the object once, however often it is called.
 *
 * @throws Error if the settings contradict earlier ones
 */
export function protect(object: ApiObject, settings: Settings): void {
  const known = PROTECTED.get(object)?.settings;
  if (known) {
    mergeSettings([...known, settings]);
    known.push(settings);
    return;
  }
  const render = object.toJson.bind(object);
  PROTECTED.set(object, { settings: [settings], render });
  object.toJson = (): Json => {
    const manifest: Json = render();
    return safeguarded(manifest, settingsFor(object), surroundingsOf(object, manifest));
  };
}

function surroundingsOf(object: ApiObject, manifest: Json): Surroundings {
  if (isServing(object)) return { scaler: tryFindScaler(object), sharedClaim: tryFindSharedClaim(object, manifest) };
  const target = tryFindTarget(object, manifest);
  if (!target) return {};
  const scaled = withoutSafeguards(target);
  const waiver = settingsFor(target).waivers.get(Safeguard.REPLICAS) ?? offReason(scaled.metadata?.annotations, Safeguard.REPLICAS);
  return { targetWaiver: waiver, sharedClaim: tryFindSharedClaim(target, scaled) };
}
