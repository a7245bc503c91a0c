import { helmValues } from './helm-release';
import { policyDocumentOf } from './policy-document';
import { CHART, MANIFEST, ResourceType } from './resource-types';
import { TerraformResource } from './terraform-json';
import { TerraformPlan } from './terraform-plan';
import { asRecord } from '../../../contract';
import { valueText } from '../../../model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { SourceText } from '../../manifest/source/source-text';
import { readDocuments } from '../../manifest/yaml/documents';
import { parseEmbeddedJson } from '../embedded-json';
import { hasUnknown, plainText, unknownToken } from '../token';

type Convert = (plan: TerraformPlan, resource: TerraformResource, value: unknown) => unknown;

/** A block that a resource has at most once. Its values are unknown if the block is. */
const block =
  (...keys: ReadonlyArray<readonly [property: string, attribute: string]>): Convert =>
  (_, __, value) => {
    if (typeof value === 'string') return Object.fromEntries(keys.map(([property]) => [property, value]));
    const [first] = recordsOf(value);
    return first && Object.fromEntries(keys.map(([property, attribute]) => [property, first[attribute]]));
  };

const tags: Convert = (_, { values: { tags_all: all, tags: own } }) => {
  const value = all ?? own ?? {};
  return typeof value === 'string' ? value : pairsOf(value);
};

/** Properties whose values have another form in Terraform, by the CloudFormation type and property. */
const CONVERTED: Readonly<Record<string, Convert>> = {
  'AWS::IAM::InstanceProfile.Roles': (_, __, value) => (value === undefined ? [] : [value]),
  'AWS::SQS::QueuePolicy.Queues': (_, __, value) => [value],
  'AWS::Events::Rule.State': (_, { values: { is_enabled: isEnabled } }, value) =>
    value ?? (isEnabled === false ? 'DISABLED' : undefined),
  'AWS::EKS::Cluster.AccessConfig': block(['AuthenticationMode', 'authentication_mode']),
  'AWS::EKS::Cluster.KubernetesNetworkConfig': block(
    ['ServiceIpv4Cidr', 'service_ipv4_cidr'],
    ['IpFamily', 'ip_family'],
  ),
  'AWS::EKS::Cluster.ComputeConfig': block(
    ['Enabled', 'enabled'],
    ['NodePools', 'node_pools'],
    ['NodeRoleArn', 'node_role_arn'],
  ),
  'AWS::EKS::Nodegroup.ScalingConfig': block(['MinSize', 'min_size']),
  'AWS::EKS::Nodegroup.Taints': (_, __, value) =>
    recordsOf(value).map((taint) => ({ Key: taint.key, Value: taint.value, Effect: taint.effect })),
  'AWS::EKS::FargateProfile.Selectors': (_, __, value) =>
    recordsOf(value).map(({ namespace, labels }) => ({ Namespace: namespace, Labels: pairsOf(labels ?? {}) })),
  'AWS::EC2::LaunchTemplate.LaunchTemplateData': (_, __, value) => (isEmptyText(value) ? {} : { ImageId: value }),
  'AWS::EC2::Subnet.Tags': tags,
  'AWS::EC2::SecurityGroup.Tags': tags,
  [`${MANIFEST}.Manifest`]: manifestText,
  [`${CHART}.Values`]: (_, resource) => helmValues(resource.values),
  [`${CHART}.Version`]: (_, __, value) => (typeof value === 'string' && EXACT_VERSION.test(value) ? value : undefined),
};

const EXACT_VERSION = /^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** The properties that CloudFormation would have for a resource. */
export function propertiesOf(plan: TerraformPlan, resource: TerraformResource, as: ResourceType): PlainRecord {
  const properties: Record<string, unknown> = Object.create(null);
  for (const [property, attribute] of Object.entries(as.attributes)) {
    const written = plan.value(resource, attribute);
    const value = as.json?.includes(property) ? jsonOf(plan, resource, attribute, written) : written;
    const convert = CONVERTED[`${as.type}.${property}`];
    const converted = convert ? convert(plan, resource, value) : value;
    if (converted !== undefined && !(isEmptyText(converted) && property !== 'Namespace'))
      properties[property] = nameOrNothing(plan, resource, property, attribute, converted);
  }
  if (as.type === MANIFEST || as.type === CHART) properties.ClusterName = plan.clusterOf(resource);
  // `kubectl_manifest` and `kubernetes_manifest` apply objects, so an object that exists is no failure.
  if (as.type === MANIFEST) properties.Overwrite = 'true';
  return properties;
}

/** A name that the provider generates is absent, so that it differs from every other name. */
function nameOrNothing(
  plan: TerraformPlan,
  resource: TerraformResource,
  property: string,
  attribute: string,
  value: unknown,
): unknown {
  const isGenerated = attribute === 'name' && plan.isUnknown(resource, 'name') && isNameGenerated(plan, resource);
  return isGenerated && property !== 'Release' ? undefined : value;
}

/** Whether the configuration has a prefix, or no name at all. */
function isNameGenerated({ configuration }: TerraformPlan, resource: TerraformResource): boolean {
  return resource.values.name_prefix !== undefined || !configuration.sets(resource, 'name');
}

/** The value of JSON text, or of the data source that makes the text. */
function jsonOf(plan: TerraformPlan, resource: TerraformResource, attribute: string, written: unknown): unknown {
  if (!plan.isUnknown(resource, attribute))
    return typeof written === 'string' ? (parseEmbeddedJson(written) ?? written) : written;
  if (plan.configuration.isKnown && !plan.configuration.sets(resource, attribute)) return undefined;
  const source = plan.referred(resource, attribute, ['aws_iam_policy_document']);
  if (!source) return written;
  return policyDocumentOf(withReferences(plan, source)) ?? written;
}

/** The data source with the ARNs of the resources that its unknown statements refer to. */
function withReferences(plan: TerraformPlan, source: TerraformResource): TerraformResource {
  const { statement } = source.values;
  if (!Array.isArray(statement)) return source;
  const statements = statement.map((item, index) => {
    const { resources } = asRecord(item) ?? {};
    if (typeof resources !== 'string' || !hasUnknown(resources)) return item;
    const arn = plan.arnReferred(source, 'statement', index, 'resources');
    return arn === undefined ? item : { ...item, resources: [arn] };
  });
  return { ...source, values: { ...source.values, statement: statements } };
}

/** The objects as JSON text; a token if they are known only at deployment. */
function manifestText(_: TerraformPlan, { address, type }: TerraformResource, value: unknown): unknown {
  if (type === 'kubernetes_manifest') return asRecord(value) ? JSON.stringify(value) : value;
  if (typeof value !== 'string' || hasWholeToken(value)) return value;
  const { documents, problems } = readDocuments(new SourceText({ path: address, text: value }));
  if (problems.some(({ kind }) => kind === 'unreadable')) return unknownToken(`${address}.yaml_body`);
  return JSON.stringify(documents.map((document) => document.value));
}

function hasWholeToken(text: string): boolean {
  return text.startsWith('${Token[') && text.endsWith(']}') && !text.includes('\n');
}

function pairsOf(map: unknown): unknown {
  return Object.entries(asRecord(map) ?? {}).map(([key, value]) => ({ Key: key, Value: valueText(value) }));
}

function isEmptyText(value: unknown): boolean {
  return value === undefined || value === '';
}

/** The text of a value that names another resource. */
export function referenceText(value: unknown): string {
  return plainText(value ?? '');
}
