/**
 * Safeguards go into a manifest when it is rendered. cdk8s has no hook there, so the method of the one object is replaced: only then
 * is known what others have written, be it a property, a patch, or an autoscaler elsewhere in the tree.
 */
import { ApiObject } from 'cdk8s';
import { safeguarded } from './safeguarded';
import { tryFindScaler } from './scaler';
import { mergeSettings, Settings } from './settings';
import { isServing, Json } from './subject';

const SETTINGS = new WeakMap<ApiObject, Settings[]>();

/**
 * Protects the object once, however often it is called.
 *
 * @throws Error if the settings contradict earlier ones
 */
export function protect(object: ApiObject, settings: Settings): void {
  const known = SETTINGS.get(object);
  if (known) {
    mergeSettings([...known, settings]);
    known.push(settings);
    return;
  }
  SETTINGS.set(object, [settings]);
  const render = object.toJson.bind(object);
  object.toJson = (): Json => safeguarded(render(), settingsFor(object), isServing(object) ? tryFindScaler(object) : undefined);
}

/** All that it was protected with, as one. */
export function settingsFor(object: ApiObject): Settings {
  return mergeSettings(SETTINGS.get(object) ?? []);
}
