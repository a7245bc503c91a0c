import { FieldPath } from './field-path';

/** One change of an object's fields. The paths of all edits of a fix are those of the unchanged object. */
export type FieldEdit =
  | { readonly operation: 'rename'; readonly path: FieldPath; readonly to: string }
  /** Replaces a value, or adds the field. A missing object around it is added, too. */
  | { readonly operation: 'set'; readonly path: FieldPath; readonly value: unknown; readonly isFirst?: boolean }
  /** Adds an item to a list. A missing list is added, too. */
  | { readonly operation: 'append'; readonly path: FieldPath; readonly value: unknown }
  | { readonly operation: 'remove'; readonly path: FieldPath }
  /** Makes a number or boolean the string that is written, so that `1.10` becomes `"1.10"`. */
  | { readonly operation: 'quote'; readonly path: FieldPath };

/** A remedy as a change of the object. */
export interface FieldFix {
  /** Whether the edits restore what the author meant beyond doubt, such as after a typo. */
  readonly safe: boolean;
  readonly edits: readonly FieldEdit[];
}

export function safeFix(...edits: readonly FieldEdit[]): FieldFix {
  return { safe: true, edits };
}

/** A fix that may change more than the author wants. */
export function unsafeFix(...edits: readonly FieldEdit[]): FieldFix {
  return { safe: false, edits };
}

export function renameField(path: FieldPath, to: string): FieldEdit {
  return { operation: 'rename', path, to };
}

export function setField(path: FieldPath, value: unknown): FieldEdit {
  return { operation: 'set', path, value };
}

/** Sets a field. If it is missing, it is added before the other fields. */
export function setFirstField(path: FieldPath, value: unknown): FieldEdit {
  return { operation: 'set', path, value, isFirst: true };
}

export function appendItem(path: FieldPath, value: unknown): FieldEdit {
  return { operation: 'append', path, value };
}

export function removeField(path: FieldPath): FieldEdit {
  return { operation: 'remove', path };
}

export function quoteField(path: FieldPath): FieldEdit {
  return { operation: 'quote', path };
}
