/** Methods of the interfaces in upstream's pkg/aws/sdk.go, which all of its AWS calls use. */
export function sdkMethods(text: string): string[] {
  return [...text.matchAll(/^\t([A-Z]\w+)\((?:ctx )?context\.Context,/gm)].map((match) => match[1]);
}

/** Methods that the code calls, directly or through a paginator of the SDK. */
export function calledMethods(code: string, methods: readonly string[]): Set<string> {
  // Names of AWS clients, as in `p.ec2api`, because Karpenter's own methods may have the same names as those of AWS.
  const client =
    '(?:ec2api|ec2Api|ec2|ec2Batcher|iamapi|iam|eksapi|eksAPI|eks|pricing|ssmapi|sqsapi|sqsAPI|client|arcZonalShiftAPI|EKSAPI)';
  return new Set(
    methods.filter((method) =>
      new RegExp(`\\b${client}\\.${method}\\(|\\bNew${method}Paginator\\(|\\b${method}Input\\{`).test(code),
    ),
  );
}
