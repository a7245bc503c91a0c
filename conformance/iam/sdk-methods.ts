/** Methods of the interfaces in upstream's pkg/aws/sdk.go, by which all of its calls to AWS go. */
export function sdkMethods(text: string): string[] {
  return [...text.matchAll(/^\t([A-Z]\w+)\((?:ctx )?context\.Context,/gm)].map((match) => match[1]);
}

/** Those that code calls, directly or through a paginator of the SDK. */
export function calledMethods(code: string, methods: readonly string[]): Set<string> {
  // Paths to a client, such as `p.ec2api`; a method of Karpenter's own may have the name of one of AWS's.
  const client = '(?:ec2api|ec2Api|ec2|ec2Batcher|iamapi|iam|eksapi|eksAPI|eks|pricing|ssmapi|sqsapi|sqsAPI|client|arcZonalShiftAPI|EKSAPI)';
  return new Set(methods.filter((method) => new RegExp(`\\b${client}\\.${method}\\(|\\bNew${method}Paginator\\(|\\b${method}Input\\{`).test(code)));
}
