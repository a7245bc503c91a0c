import { Block, bodyAttribute, HclExpression } from './hcl/syntax';
import { WrittenResource } from '../../../vocabulary/source-file';

/** Types of resources that stand for what Terraform needs before it can plan. */
export const CRD_MANIFEST = 'terraform_crd_manifest';
export const CRD_RELEASE = 'terraform_crd_release';
export const ECR_TOKEN = 'terraform_ecr_public_token';
export const AWS_PROVIDER = 'terraform_aws_provider';

const OBJECT_OF_KARPENTER = /\bkarpenter\.(?:sh|k8s\.aws)\//;
const CHART = /(?:^|\/)karpenter(?:-crd)?$/;
const KINDS = /\bkind\b"?\s*[=:]\s*"?(\w+)/;

/**
 * The resources that the provider plans with the API of the cluster or of AWS: custom objects of the provider
 * kubernetes with the release of their CRDs, and tokens of ECR Public with the regions of the AWS providers.
 *
 * @see https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs/resources/manifest
 * @see https://registry.terraform.io/providers/hashicorp/aws/latest/docs/data-sources/ecrpublic_authorization_token
 */
export function planObstacles(
  { type, labels: [first = '', name = ''], body }: Block,
  text: string,
  valueOf: (expression: HclExpression) => unknown,
  place: WrittenResource['place'],
): WrittenResource[] {
  const value = (argument: string) => {
    const expression = bodyAttribute(body, argument);
    const known = expression && valueOf(expression);
    return typeof known === 'string' ? known : undefined;
  };
  const standIn = (as: string, own: string, values: WrittenResource['values']): WrittenResource[] => [
    { mode: 'managed', type: as, name: own, values, place },
  ];
  if (type === 'provider' && first === 'aws')
    return standIn(AWS_PROVIDER, value('alias') ?? 'default', { alias: value('alias') ?? '', region: value('region') });
  if (type === 'data' && first === 'aws_ecrpublic_authorization_token')
    return standIn(ECR_TOKEN, name, {
      name: `data.${first}.${name}`,
      alias: /^\$\{\s*aws\.([\w-]+)\s*\}$/.exec(value('provider') ?? '')?.[1] ?? '',
      region: value('region'),
    });
  if (type !== 'resource') return [];
  if (first === 'kubernetes_manifest' && OBJECT_OF_KARPENTER.test(text))
    return standIn(CRD_MANIFEST, name, { name: `${first}.${name}`, kind: KINDS.exec(text)?.[1] ?? 'object' });
  return first === 'helm_release' && CHART.test(value('chart') ?? '')
    ? standIn(CRD_RELEASE, name, { name: `${first}.${name}` })
    : [];
}
