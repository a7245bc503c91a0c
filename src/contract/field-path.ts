/** Keys and list indices from the manifest's root to a field. */
export type FieldPath = readonly (string | number)[];
