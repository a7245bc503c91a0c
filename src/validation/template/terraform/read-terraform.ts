import { attachAll } from './attachments';
import { propertiesOf, referenceText } from './properties';
import { CHART, MANIFEST, RESOURCE_TYPES, ResourceType } from './resource-types';
import { TerraformFile, TerraformResource } from './terraform-json';
import { TerraformPlan } from './terraform-plan';
import { asRecord, formatFieldPath } from '../../../contract';
import { countText, shortListText } from '../../../model';
import { TemplateResource } from '../../manifest/aws-model';
import { FieldPath, ManifestObject } from '../../manifest/object';
import { ProblemLog } from '../../manifest/problem-log';
import { parseEmbeddedJson } from '../embedded-json';
import { NamedResource } from '../resource-names';

/** The resources of a plan or a state, in the form of CloudFormation's, with what names them. */
export function readTerraform(file: TerraformFile, log: ProblemLog): Map<TemplateResource, NamedResource> {
  const plan = new TerraformPlan(file);
  const converted = new Map<TerraformResource, TemplateResource>();
  for (const resource of plan.resources) {
    const as = resource.mode === 'managed' ? RESOURCE_TYPES.get(resource.type) : undefined;
    if (as && (!file.edit || as.type === MANIFEST)) converted.set(resource, templateResource(file, plan, resource, as));
  }
  if (file.edit) return withEdit(plan, converted, file.edit);
  attachAll(plan, converted);
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
      RESOURCE_TYPES.get(type)?.type === CHART && !JUDGED_CHARTS.test(referenceText(values.chart).replace(/\/+$/, '')),
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
    charts.map(({ values, name }) => (typeof values.chart === 'string' ? referenceText(values.name ?? name) : name)),
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
