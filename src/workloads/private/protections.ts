/** State per construct: the settings of each protected object, and how to render it without safeguards. */
import { ApiObject } from 'cdk8s';
import { Json } from './editable-workload';
import { mergeSettings, Settings } from './settings';

export interface Protection {
  readonly settings: Settings[];
  readonly render: () => Json;
}

export const PROTECTED = new WeakMap<ApiObject, Protection>();

/** The merged settings of an object. */
export function settingsFor(object: ApiObject): Settings {
  return mergeSettings(PROTECTED.get(object)?.settings ?? []);
}

/** The manifest without the changes of safeguards. */
export function withoutSafeguards(object: ApiObject): Json {
  return PROTECTED.get(object)?.render() ?? object.toJson();
}
