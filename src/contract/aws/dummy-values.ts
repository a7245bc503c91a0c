/**
 * Dummy values that the AWS CDK returns before a context lookup: subnets of `Vpc.fromLookup`, `availabilityZones` of a
 * stack, `StringParameter.valueFromLookup`. They must not cause errors, because an app that throws never reaches the
 * lookup. The next synth has the real value.
 *
 * @see https://docs.aws.amazon.com/cdk/v2/guide/context.html
 */
const DUMMY_VALUES = /(?<![\w-])(?:dummy\d[a-z]|[ps]-(?:12345|67890))(?![\w-])|dummy-value-for-[\w./-]*/g;

export function hasDummyValue(text: string): boolean {
  return replaceDummyValues(text, () => '') !== text;
}

/** Replaces each dummy value in a text. */
export function replaceDummyValues(text: string, replace: (dummyValue: string) => string): string {
  return text.replace(DUMMY_VALUES, replace);
}
