/** One field of a CRD, and the property of a construct that writes it. */
export interface FieldCase<Props> {
  /**
   * Path such as `spec.taints[].key`. `[]` stands for the first item of a list; a map with free keys is a field itself.
   */
  readonly field: string;
  /** Path of the property in the props of the construct, such as `disruption.budgets`. */
  readonly prop: string;
  /** Factory of the value, if the value is an object of a class, such as `DisruptionBudget.nodes`. */
  readonly by?: string;
  /** Props that set the property, in addition to the required props of the kind. */
  readonly props: Partial<Props>;
  /** Resulting value of the field. */
  readonly value: unknown;
  /** Props with an invalid value; absent if the type of the property allows no invalid value. */
  readonly misuse?: Partial<Props>;
  /** A call with an invalid value that throws itself, before there is a construct. */
  readonly misuseAtCall?: () => unknown;
  /** Path in the error message, if it differs from `field`. */
  readonly misusedField?: string;
}

/** The value of a field of an object. */
export function valueAt(object: unknown, field: string): unknown {
  return steps(field).reduce<any>((value, step) => value?.[step], object);
}

/** The keys and indices that lead to a field. Of a list, the first item is used. */
export function steps(field: string): Array<string | number> {
  return field.split(/\.|(?=\[\])/).map((step) => (step === '[]' ? 0 : step));
}
