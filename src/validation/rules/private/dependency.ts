import { AwsModel, TemplateResource } from '../../template';

/** Whether a resource is made after another, and so deleted before it. Between templates nobody can tell. */
export function comesAfter({ resources }: AwsModel, later: TemplateResource, earlier: TemplateResource): boolean {
  const seen = new Set<string>();
  const pending = [...later.dependsOn];
  while (pending.length > 0) {
    const id = pending.pop()!;
    if (id === earlier.id) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...resources.get(id)?.dependsOn ?? []);
  }
  return false;
}

export function inOneTemplate(left: TemplateResource, right: TemplateResource): boolean {
  const templateOf = ({ id }: TemplateResource) => id.slice(0, id.indexOf('/'));
  return templateOf(left) === templateOf(right);
}
