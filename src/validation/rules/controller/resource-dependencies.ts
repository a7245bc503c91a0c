import { AwsModel, TemplateResource } from '../../template';

/** Why it is not known whether one resource depends on another. */
export const ORDER_UNKNOWN = 'what it depends on is in local values of Terraform, which a plan does not contain';

/** Whether `later` is created after `earlier`, and so deleted before it. Only for resources of one template. */
export function dependsOnResource(aws: AwsModel, later: TemplateResource, earlier: TemplateResource): boolean {
  return dependenciesOf(aws, later).has(earlier.id);
}

/** Whether the resource may depend on more resources than the template shows. */
export function hasUnknownOrder(aws: AwsModel, resource: TemplateResource): boolean {
  return (
    resource.hasUnknownOrder === true ||
    [...dependenciesOf(aws, resource)].some((id) => aws.resources.get(id)?.hasUnknownOrder)
  );
}

/** How to let a resource depend on others, in the language of its template. */
export function dependOn(resource: TemplateResource, names: readonly string[], inCdk: string): string {
  return resource.tool === 'Terraform' ? `write depends_on = [${[...new Set(names.map(blockOf))].join(', ')}]` : inCdk;
}

/** The address without indexes. A part of a module is not addressed from outside, but the module is. */
function blockOf(address: string): string {
  const plain = address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '');
  return /^module\.[\w-]+/.exec(plain)?.[0] ?? plain;
}

function dependenciesOf({ resources }: AwsModel, later: TemplateResource): ReadonlySet<string> {
  const seen = new Set<string>();
  const pending = [...later.dependsOn];
  while (pending.length > 0) {
    const id = pending.pop()!;
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...(resources.get(id)?.dependsOn ?? []));
  }
  return seen;
}

/** Whether both resources are in the same template: the order across templates is not known. */
export function isInSameTemplate(left: TemplateResource, right: TemplateResource): boolean {
  const templateOf = ({ id }: TemplateResource) => id.slice(0, id.indexOf('/'));
  return templateOf(left) === templateOf(right);
}
