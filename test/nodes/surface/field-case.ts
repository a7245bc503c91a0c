/** One field of a CRD, and the property of a construct that writes it. */
export interface FieldCase<Props> {
  /** `spec.taints[].key`; of a list it is the first item that counts, of a map whose keys are free the map itself. */
  readonly field: string;
  /** Steps to the property in the construct's props, as `disruption.budgets`. */
  readonly prop: string;
  /** What makes the property's value where it is an object of a class, as `DisruptionBudget.nodes`. */
  readonly by?: string;
  /** Props that set the property, on top of those that the kind needs. */
  readonly props: Partial<Props>;
  /** What then stands in the field. */
  readonly value: unknown;
  /** Props that misuse the property; absent where its type leaves no room for that. */
  readonly misuse?: Partial<Props>;
  /** The field that the error is about, where it is not the first item of `field`. */
  readonly misusedField?: string;
}

/** What of an object stands in a field of a case. */
export function valueAt(object: unknown, field: string): unknown {
  return steps(field).reduce<any>((at, step) => at?.[step], object);
}

/** The keys and positions that lead to a field: of a list, to its first item. */
export function steps(field: string): Array<string | number> {
  return field.split(/\.|(?=\[\])/).map((step) => step === '[]' ? 0 : step);
}
