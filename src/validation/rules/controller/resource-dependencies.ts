import { AwsModel, TemplateResource } from '../../template';

/** Whether `later` is created after `earlier`, and so deleted before it. Only for resources of one template. */
export function dependsOnResource(
  { resources }: AwsModel,
  later: TemplateResource,
  earlier: TemplateResource,
): boolean {
  const seen = new Set<string>();
  const pending = [...later.dependsOn];
  while (pending.length > 0) {
    const id = pending.pop()!;
    if (id === earlier.id) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...(resources.get(id)?.dependsOn ?? []));
  }
  return false;
}

/** Whether both resources are in the same template: the order across templates is not known. */
export function isInSameTemplate(left: TemplateResource, right: TemplateResource): boolean {
  const templateOf = ({ id }: TemplateResource) => id.slice(0, id.indexOf('/'));
  return templateOf(left) === templateOf(right);
}
