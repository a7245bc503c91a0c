/**
 * What the AWS CDK has in place of a value that it is yet to look up: subnets of `Vpc.fromLookup`, `availabilityZones`
 * of a stack, `StringParameter.valueFromLookup`. An app that throws on one never comes to the lookup, and the next
 * synth has the value.
 *
 * @see https://docs.aws.amazon.com/cdk/v2/guide/context.html
 */
const STAND_INS = /(?<![\w-])(?:dummy\d[a-z]|[ps]-(?:12345|67890))(?![\w-])|dummy-value-for-[\w./-]*/g;

export function hasStandIn(text: string): boolean {
  return replaceStandIns(text, () => '') !== text;
}

/** The text with something else in place of each. */
export function replaceStandIns(text: string, replace: (standIn: string) => string): string {
  return text.replace(STAND_INS, replace);
}
