import { FieldEdit, FieldPath, renameField, setField } from '../../../contract';
import { LabelSelector, nearestKeyOfValue, nearestNames, selects } from '../../../model';

type Labels = Readonly<Record<string, string>>;

/** A label of a selector that no pod has, and that resembles one of pods that the selector means. */
export interface MisspeltLabel {
  /** Within the selector. */
  readonly path: FieldPath;
  /** Such as `app: wbe`. */
  readonly written: string;
  readonly meant: string;
  readonly edit: FieldEdit;
}

/**
 * The one label whose value or key is misspelt, so that the selector selects none of the pods.
 *
 * @param root the path of the selector in its object
 */
export function misspeltLabel(
  selector: LabelSelector,
  pods: readonly Labels[],
  root: FieldPath,
): MisspeltLabel | undefined {
  if (pods.some((labels) => selects(selector, labels))) return undefined;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (pods.some((labels) => labels[key] === value)) continue;
    const { [key]: _, ...rest } = selector.matchLabels!;
    const meant = pods.filter((labels) => selects({ ...selector, matchLabels: rest }, labels));
    const path = ['matchLabels', key];
    const written = `${key}: ${value}`;
    const right = onlyOne(
      value,
      meant.flatMap((labels) => labels[key] ?? []),
    );
    if (right !== undefined)
      return { path, written, meant: `${key}: ${right}`, edit: setField([...root, ...path], right) };
    const keys = meant.flatMap((labels) => Object.keys(labels).filter((other) => labels[other] === value));
    const name = nearestKeyOfValue(key, keys);
    if (name !== undefined)
      return { path, written, meant: `${name}: ${value}`, edit: renameField([...root, ...path], name) };
  }
  return undefined;
}

function onlyOne(text: string, candidates: readonly string[]): string | undefined {
  const near = nearestNames(text, [...new Set(candidates)]);
  return near.length === 1 ? near[0] : undefined;
}
