import { Evaluator, isPlaceholder } from './hcl/evaluate';
import { bodyAttribute, Block, Body } from './hcl/syntax';
import { asRecord, CHARTS_OF_NODES } from '../../../../contract';
import { parseYaml, valueText } from '../../../../model';
import { mergedValues, withHelmParameter } from '../../helm-values';
import { PlainRecord, recordsOf } from '../../records';

/** The kind of object that a `helm_release` of a Terraform file becomes. */
export const TERRAFORM_RELEASE = { apiVersion: 'terraform', kind: 'helm_release' } as const;

/** Whether an object is a `helm_release` of Karpenter whose version only Terraform knows. */
export function isUnknownRelease({ apiVersion, kind, chart, hasUnknownVersion }: PlainRecord): boolean {
  return (
    apiVersion === TERRAFORM_RELEASE.apiVersion &&
    kind === TERRAFORM_RELEASE.kind &&
    hasUnknownVersion === true &&
    KARPENTER_CHART.test(valueText(chart))
  );
}

/** The kind of object that a release of a helmfile becomes. */
export const HELMFILE_RELEASE = { apiVersion: 'helmfile', kind: 'helmfile release' } as const;

const KARPENTER_CHART = /(?:^|\/)karpenter$/;
const READ_CHART = new RegExp(`(?:^|/)(?:${CHARTS_OF_NODES.join('|')})$`);
/** Blocks and attributes that set single values; those of secrets are unknown. */
const SETTINGS = ['set', 'set_list', 'set_sensitive'];

/**
 * A `helm_release` of a chart that decides about nodes, with the values that are literal; undefined for any other
 * block.
 *
 * @see https://registry.terraform.io/providers/hashicorp/helm/latest/docs/resources/release
 */
export function helmReleaseOf(block: Block, text: string, evaluator: Evaluator): PlainRecord | undefined {
  const [type, label] = block.labels;
  if (block.type !== 'resource' || type !== 'helm_release') return undefined;
  const value = (body: Body, name: string) => {
    const expression = bodyAttribute(body, name);
    return expression && evaluator.valueOf({ expression, text });
  };
  const known = (name: string) => {
    const written = value(block.body, name);
    return typeof written === 'string' && !written.includes('${') ? written : undefined;
  };
  const chart = known('chart');
  if (chart === undefined || !READ_CHART.test(chart)) return undefined;
  // A switch of the module may leave another chart out.
  const isRepeated = ['count', 'for_each'].some((name) => bodyAttribute(block.body, name) !== undefined);
  if (!/(?:^|\/)karpenter(?:-crd)?$/.test(chart) && isRepeated && value(block.body, 'count') !== 1) return undefined;
  const texts = [value(block.body, 'values') ?? []].flat().map(parsedValues);
  const settings = [
    ...block.body.blocks
      .filter((inner) => SETTINGS.includes(inner.type))
      .map(({ body }) => ({ name: value(body, 'name'), value: value(body, 'value'), type: value(body, 'type') })),
    ...SETTINGS.flatMap((name) => [value(block.body, name) ?? []].flat()),
  ];
  const isComplete =
    texts.every((one) => one !== undefined) &&
    settings.every((one) => asRecord(one) && !isPlaceholder(asRecord(one)!.name)) &&
    block.body.blocks.every((inner) => inner.type !== 'dynamic');
  const merged = texts.reduce<PlainRecord>((all, one) => mergedValues(all, one ?? {}), {});
  return {
    ...TERRAFORM_RELEASE,
    metadata: { name: label ?? '' },
    release: known('name') ?? label ?? '',
    chart,
    repository: known('repository') ?? '',
    version: known('version'),
    ...(value(block.body, 'skip_crds') === true ? { skip_crds: true } : {}),
    ...(known('version') === undefined && (value(block.body, 'version') ?? null) !== null
      ? { hasUnknownVersion: true }
      : {}),
    namespace: value(block.body, 'namespace') ?? 'default',
    values: recordsOf(settings).reduce<PlainRecord>(
      (all, { name, value: set, type: kind }) =>
        withHelmParameter(
          all,
          valueText(name),
          Array.isArray(set) ? set.map(valueText) : valueText(set ?? ''),
          kind === 'string',
        ),
      merged,
    ),
    isComplete,
  };
}

/** Undefined for a text that is not literal, or no mapping. */
function parsedValues(text: unknown): PlainRecord | undefined {
  if (typeof text !== 'string' || isPlaceholder(text)) return undefined;
  try {
    return asRecord(parseYaml(text) ?? {});
  } catch {
    return undefined;
  }
}
