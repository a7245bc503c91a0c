import { isRegion } from '../../catalog';
import { memoizeByIdentity } from '../../model';
import { ManifestModel, ManifestObject } from '../manifest/model';

/** A region that manifests refer to, without requiring it. */
export interface ReferredRegion {
  readonly region: string;
  /** What names the region, for messages. */
  readonly source: string;
  /** Whether `source` is singular. */
  readonly isOne: boolean;
}

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

/** The only region that one kind of reference names. Undefined if there is none, or if it names several. */
export const referredRegion = memoizeByIdentity(
  ({ objects, terraformRegion }: ManifestModel): ReferredRegion | undefined => {
    const texts = objects.map(textOf);
    for (const { pattern, source } of REFERENCES) {
      const regions = new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, region]) => region)));
      const [region, ...others] = [...regions].filter(isRegion);
      if (region !== undefined)
        return others.length === 0 ? { region, source, isOne: source === AWS_REGION } : undefined;
    }
    // A provider may be of another environment, so that manifests come first.
    return terraformRegion === undefined
      ? undefined
      : { region: terraformRegion, source: 'the AWS provider in Terraform files', isOne: true };
  },
);

function textOf({ raw }: ManifestObject): string {
  return JSON.stringify(raw) ?? '';
}
