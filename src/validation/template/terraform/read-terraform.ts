import { propertiesOf, textOf } from './properties';
import { CHART, MANIFEST, RESOURCE_TYPES, ResourceType } from './resource-types';
import { TerraformFile, TerraformResource } from './terraform-json';
import { TerraformPlan } from './terraform-plan';
import { asRecord, formatFieldPath } from '../../../contract';
import { countText, shortListText } from '../../../model';
import { TemplateResource } from '../../manifest/aws-model';
import { FieldPath, ManifestObject } from '../../manifest/object';
import { ProblemLog } from '../../manifest/problem-log';
import { parseEmbeddedJson } from '../embedded-json';
import { arnOf, NamedResource, nameOf } from '../resource-names';
import { sameText } from '../text-match';
import { unknownToken } from '../token';

/** The resources of a plan or a state, in the form of CloudFormation's, with what names them. */
export function readTerraform(file: TerraformFile, log: ProblemLog): Map<TemplateResource, NamedResource> {
  const plan = new TerraformPlan(file);
  const converted = new Map<TerraformResource, TemplateResource>();
  for (const resource of plan.resources) {
    const as = resource.mode === 'managed' ? RESOURCE_TYPES.get(resource.type) : undefined;
    if (as && (!file.edit || as.type === MANIFEST)) converted.set(resource, templateResource(file, plan, resource, as));
  }
  if (file.edit) return withEdit(plan, converted, file.edit);
  for (const resource of plan.resources) if (resource.mode === 'managed') attach(plan, resource, converted);
  reportUnread(file, plan, log);
  return new Map([...converted].map(([resource, own]) => [own, plan.namedOf(resource)]));
}

/** Only the manifests, as the edit leaves them. */
function withEdit(
  plan: TerraformPlan,
  converted: ReadonlyMap<TerraformResource, TemplateResource>,
  edit: NonNullable<TerraformFile['edit']>,
): Map<TemplateResource, NamedResource> {
  const edited = new Map<TemplateResource, NamedResource>();
  for (const [resource, own] of converted) {
    const objects = [parseEmbeddedJson(own.properties.Manifest)].flat().flatMap((object) => {
      const record = asRecord(object);
      return (record && edit(record)) ?? [];
    });
    const properties = { ...own.properties, Manifest: JSON.stringify(objects) };
    if (objects.length > 0) edited.set({ ...own, properties }, plan.namedOf(resource));
  }
  return edited;
}

type Properties = Record<string, unknown>;

function templateResource(
  file: TerraformFile,
  plan: TerraformPlan,
  resource: TerraformResource,
  as: ResourceType,
): TemplateResource {
  const dependsOn = plan.dependenciesOf(resource);
  return {
    object: objectOf(file, resource, as),
    id: plan.idOf(resource),
    type: as.type,
    tool: 'Terraform',
    ...plan.placeOf(resource),
    properties: propertiesOf(plan, resource, as),
    dependsOn: new Set(dependsOn ?? []),
    ...(dependsOn ? {} : { hasUnknownOrder: true }),
  };
}

/** The object of findings: its fields are called as in Terraform. */
function objectOf(
  file: TerraformFile,
  { address, values, path: own }: TerraformResource,
  as: ResourceType,
): ManifestObject {
  const pathOf = ([first, property, ...rest]: FieldPath): FieldPath => {
    if (first === 'DependsOn') return ['depends_on'];
    if (first !== 'Properties' || property === undefined) return [];
    return [as.attributes[property] ?? String(property), ...rest];
  };
  return {
    apiVersion: 'terraform',
    kind: 'resource',
    name: address,
    raw: values,
    locate: (path) => {
      const written = pathOf(path);
      return { ...file.locate([...own, ...written]), path: formatFieldPath(written), resource: address };
    },
  };
}

/** Resources that only connect others, as properties of these. */
function attach(
  plan: TerraformPlan,
  resource: TerraformResource,
  converted: ReadonlyMap<TerraformResource, TemplateResource>,
): void {
  const ofType = (type: string) =>
    [...converted]
      .filter(([target]) => target.type === type)
      .map(([target, { properties }]) => ({
        named: plan.namedOf(target),
        properties: properties as Properties,
      }));
  const value = (attribute: string) => textOf(plan.value(resource, attribute));
  if (resource.type === 'aws_iam_role_policy_attachment') {
    attachPolicy(value('policy_arn'), [value('role')], ofType('aws_iam_role'), ofType('aws_iam_policy'));
  } else if (resource.type === 'aws_iam_policy_attachment') {
    const { roles } = resource.values;
    attachPolicy(value('policy_arn'), [roles].flat().map(textOf), ofType('aws_iam_role'), ofType('aws_iam_policy'));
  } else if (resource.type === 'aws_iam_role') {
    const arns = resource.values.managed_policy_arns;
    const own = converted.get(resource)!.properties as Properties;
    if (Array.isArray(arns)) for (const arn of arns) addTo(own, 'ManagedPolicyArns', textOf(arn));
  } else if (resource.type === 'aws_iam_role_policy') {
    // If its role is known only at deployment, each role may have this policy.
    const role = value('role');
    for (const { named, properties } of ofType('aws_iam_role'))
      if (sameText(role, nameOf(named)) === 'unknown')
        addTo(properties, 'ManagedPolicyArns', unknownToken(resource.address));
  } else if (resource.type === 'aws_cloudwatch_event_target') {
    for (const { named, properties } of ofType('aws_cloudwatch_event_rule')) {
      const answer = sameText(value('rule'), nameOf(named));
      if (answer === 'no') continue;
      addTo(properties, 'Targets', { Arn: answer === 'yes' ? value('arn') : unknownToken(resource.address) });
    }
  } else if (resource.type === 'aws_ec2_tag') {
    const [id, key, text] = ['resource_id', 'key', 'value'].map(value);
    for (const { named, properties } of [...ofType('aws_subnet'), ...ofType('aws_security_group')]) {
      const answer = sameText(id, nameOf(named));
      if (answer === 'yes' && Array.isArray(properties.Tags)) addTo(properties, 'Tags', { Key: key, Value: text });
      else if (answer !== 'no') properties.Tags = unknownToken(`${named.id}.tags`);
    }
  }
}

interface Converted {
  readonly named: NamedResource;
  readonly properties: Properties;
}

/** Attaches a policy to roles; to a role that it may be attached to, it is a policy of unknown content. */
function attachPolicy(
  arn: string,
  names: readonly string[],
  roles: readonly Converted[],
  policies: readonly Converted[],
): void {
  const policy = policies.find(({ named }) => arnOf(named) === arn);
  for (const { named, properties } of roles) {
    const answers = names.map((name) => sameText(name, nameOf(named)));
    if (answers.includes('yes')) {
      if (policy) addTo(policy.properties, 'Roles', nameOf(named));
      else addTo(properties, 'ManagedPolicyArns', arn);
    } else if (answers.includes('unknown'))
      addTo(properties, 'ManagedPolicyArns', unknownToken(`a policy that may be of ${named.id}`));
  }
}

function addTo(properties: Properties, property: string, item: unknown): void {
  const list = properties[property];
  properties[property] = [...(Array.isArray(list) ? list : []), item];
}

/** Charts that are judged, by the end of their name. */
const JUDGED_CHARTS = /(?:^|\/)(?:karpenter|karpenter-crd|aws-node-termination-handler|eks-pod-identity-agent)$/;
/** Resources of the provider `kubernetes` that make pods from attributes, which are not manifests. */
const TYPED_WORKLOAD =
  /^kubernetes_(?:deployment|stateful_set|daemonset|daemon_set|job|cron_job|pod|replication_controller)(?:_v\d+(?:beta\d+)?)?$/;
const MOST_NAMES = 5;

/** Says once which workloads the file deploys in a form that is not read. */
function reportUnread(file: TerraformFile, { resources }: TerraformPlan, log: ProblemLog): void {
  const managed = resources.filter(({ mode }) => mode === 'managed');
  const charts = managed.filter(
    ({ type, values }) =>
      RESOURCE_TYPES.get(type)?.type === CHART && !JUDGED_CHARTS.test(textOf(values.chart).replace(/\/+$/, '')),
  );
  const report = (
    unread: readonly TerraformResource[],
    one: string,
    several: string,
    names: readonly string[],
    remedy: string,
  ) => {
    if (unread.length === 0) return;
    const which = shortListText([...new Set(names)], MOST_NAMES);
    const message = `${countText(unread.length, one, several)} not planned: ${which}`;
    log.addUnreadableAt({ ...file.locate(unread[0].path), path: '' }, { message, remedy }, 'info');
  };
  report(
    charts,
    'helm_release, whose pods are',
    'helm_releases, whose pods are',
    charts.map(({ values, name }) => (typeof values.chart === 'string' ? textOf(values.name ?? name) : name)),
    'pass the output of `helm template` for the charts whose pods need a node',
  );
  const typed = managed.filter(({ type }) => TYPED_WORKLOAD.test(type));
  report(
    typed,
    'workload of the Terraform provider kubernetes, whose pods are',
    'workloads of the Terraform provider kubernetes, whose pods are',
    typed.map(({ address }) => address),
    'pass `kubectl get deployments,statefulsets,daemonsets,jobs,cronjobs -A -o yaml` of the cluster',
  );
}
