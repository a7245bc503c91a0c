import { FieldSpec, setFields } from './field-spec';
import { KustomizeRefusal } from '../refusal';
import { regularExpression } from './selector';
import { Resource } from '../resources/resource';
import { PlainFields, isFields, isMissing, isScalar, textOf } from '../values';

/** An entry of `images`. */
export interface ImageChange {
  readonly name?: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly tagSuffix?: string;
  readonly digest?: string;
}

/**
 * Returns the images of the objects if the entry matches none of them; undefined if it matches one.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/tree/master/api/filters/imagetag
 */
export function changeImages(
  resources: readonly Resource[],
  change: ImageChange,
  specs: readonly FieldSpec[],
): ReadonlySet<string> | undefined {
  const images = new Set<string>();
  let isUsed = false;
  const isMatched = regularExpression(`^${change.name ?? ''}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`);
  const set = (holder: PlainFields, key: string) => {
    const value = holder[key];
    if (isMissing(value)) return;
    if (!isScalar(value)) throw new KustomizeRefusal('wrong node kind: expected ScalarNode for an image');
    const image = textOf(value);
    images.add(splitImage(image).name);
    if (!isMatched(image)) return;
    isUsed = true;
    holder[key] = changedImage(image, change);
  };
  for (const resource of resources) {
    if (resource.kind === 'CustomResourceDefinition') continue;
    changeContainers(resource.fields, set);
    for (const spec of specs) setFields(resource, spec, 'nothing', set);
  }
  return isUsed ? undefined : images;
}

/** Changes the images in all lists of containers, anywhere in the object. */
function changeContainers(value: unknown, set: (holder: PlainFields, key: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) changeContainers(item, set);
  } else if (isFields(value)) {
    for (const [key, inner] of Object.entries(value)) {
      changeContainers(inner, set);
      if ((key !== 'containers' && key !== 'initContainers') || !Array.isArray(inner)) continue;
      for (const container of inner) {
        if (isFields(container)) set(container, 'image');
        else if (!isMissing(container))
          throw new KustomizeRefusal('wrong node kind: expected MappingNode for a container');
      }
    }
  }
}

function changedImage(image: string, { newName, newTag, tagSuffix, digest }: ImageChange): string {
  const old = splitImage(image);
  const name = newName || old.name;
  let [tag, hash] = [old.tag, old.digest];
  if (newTag || digest) [tag, hash] = [newTag ?? '', digest ?? ''];
  else if (tagSuffix) [tag, hash] = [`${tag}${tagSuffix}`, ''];
  return `${name}${tag === '' ? '' : `:${tag}`}${hash === '' ? '' : `@${hash}`}`;
}

/** A colon before the first slash belongs to a port. */
function splitImage(image: string): { readonly name: string; readonly tag: string; readonly digest: string } {
  const start = Math.max(image.indexOf('/'), 0);
  const at = image.indexOf('@', start);
  const colon = image.indexOf(':', start);
  if (at >= 0 && (colon < 0 || at < colon)) return { name: image.slice(0, at), tag: '', digest: image.slice(at + 1) };
  if (colon < 0) return { name: image, tag: '', digest: '' };
  const end = at < 0 ? image.length : at;
  return { name: image.slice(0, colon), tag: image.slice(colon + 1, end), digest: at < 0 ? '' : image.slice(at + 1) };
}
