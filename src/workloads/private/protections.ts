/** State per construct: the settings of each protected object, and how to render it without safeguards. */
import { ApiObject } from 'cdk8s';
import { Json, sortedManifest } from './editable-workload';
import { mergeSettings, Settings } from './settings';

export interface Protection {
  readonly settings: Settings[];
  /** Writes the manifest without safeguards, but with the edits of other mixins. */
  render: () => Json;
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

/** Changes the manifest whenever it is rendered, before safeguards are added. */
export function editManifest(object: ApiObject, edit: (manifest: Json) => void): void {
  const protection = PROTECTED.get(object);
  const render = protection?.render ?? object.toJson.bind(object);
  const edited = (): Json => {
    const manifest = structuredClone(render());
    edit(manifest);
    return sortedManifest(manifest);
  };
  if (protection) protection.render = edited;
  else object.toJson = edited;
}
