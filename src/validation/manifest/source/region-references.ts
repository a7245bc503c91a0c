import { isRegion } from '../../../catalog';
import { ReferredRegion } from '../model';

const AWS_REGION = 'AWS_REGION';

/**
 * What names a region in the text of an object, the most reliable first. The images of EKS add-ons are left out: charts
 * name them in us-west-2 whatever the region is.
 */
const REFERENCES: ReadonlyArray<{ readonly pattern: RegExp; readonly source: string }> = [
  { pattern: /"name":"AWS_(?:DEFAULT_)?REGION","value":"([a-z0-9-]+)"/g, source: AWS_REGION },
  {
    pattern: /arn:aws[a-z-]*:(?:sqs|eks|elasticloadbalancing|rds|elasticfilesystem|secretsmanager):([a-z0-9-]+):/g,
    source: 'ARNs',
  },
  { pattern: /(?!602401143452)\b\d{12}\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com/g, source: 'ECR images' },
];

/** What refers to a region in objects, if anything does: undefined in it if one kind of reference names several. */
export function regionReference(objects: readonly unknown[]): { readonly only?: ReferredRegion } | undefined {
  const texts = objects.map((object) => JSON.stringify(object) ?? '');
  for (const { pattern, source } of REFERENCES) {
    const regions = new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, region]) => region)));
    const [region, ...others] = [...regions].filter(isRegion);
    if (region === undefined) continue;
    return others.length > 0 ? {} : { only: { region, source, isOne: source === AWS_REGION } };
  }
  return undefined;
}
