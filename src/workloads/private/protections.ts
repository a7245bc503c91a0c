/** What each object was protected with, and how it renders itself without. */
import { ApiObject } from 'cdk8s';
import { mergeSettings, Settings } from './settings';
import { Json } from './subject';

export interface Protection {
  readonly settings: Settings[];
  readonly render: () => Json;
}

export const PROTECTED = new WeakMap<ApiObject, Protection>();

/** All that it was protected with, as one. */
export function settingsFor(object: ApiObject): Settings {
  return mergeSettings(PROTECTED.get(object)?.settings ?? []);
}

/** As others have written it: what safeguards change of it is not looked for. */
export function withoutSafeguards(object: ApiObject): Json {
  return PROTECTED.get(object)?.render() ?? object.toJson();
}
