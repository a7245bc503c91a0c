import { asRecord } from '../../../../contract';
import { valueText } from '../../../../model';
import { ManifestModel, ManifestObject } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';

/**
 * The object of Argo CD or Flux that writes a field of a manifest again as soon as a program has changed it, such as
 * `Application shop`. Undefined if none of the input does, or if it is configured to ignore the field.
 *
 * @param field such as `/spec/replicas`
 */
export function reconcilerOf(model: ManifestModel, object: ManifestObject, field: string): string | undefined {
  const { file } = object.locate([]);
  const writer = model.objects.find(
    (candidate) =>
      (isFluxKustomization(candidate) || healsField(candidate, object, field)) &&
      pathsOf(candidate).some((path) => isBelow(file, path)),
  );
  const isIgnored = writer !== undefined && specOf(writer) !== undefined && isIgnoredByAll(model, object, field);
  return writer === undefined || isIgnored ? undefined : `${writer.kind} ${writer.name}`;
}

function healsField(candidate: ManifestObject, object: ManifestObject, field: string): boolean {
  return healsItself(candidate) && !ignoresField(candidate, object, field);
}

/** @see https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-self-healing */
function healsItself(object: ManifestObject): boolean {
  const automated = asRecord(asRecord(specOf(object)?.syncPolicy)?.automated);
  return automated?.selfHeal === true && automated.enabled !== false;
}

/** Flux applies what differs, in each interval. @see https://fluxcd.io/flux/components/kustomize/kustomizations/ */
function isFluxKustomization({ apiVersion, kind, raw }: ManifestObject): boolean {
  return (
    apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') && kind === 'Kustomization' && raw.spec?.suspend !== true
  );
}

/** The specification of an Application, also that of an ApplicationSet's template. */
function specOf({ apiVersion, kind, raw }: ManifestObject): Record<string, unknown> | undefined {
  if (!apiVersion.startsWith('argoproj.io/')) return undefined;
  if (kind === 'Application') return asRecord(raw.spec);
  return kind === 'ApplicationSet' ? asRecord(asRecord(asRecord(raw.spec)?.template)?.spec) : undefined;
}

function pathsOf(object: ManifestObject): string[] {
  const spec = specOf(object);
  const paths =
    spec === undefined
      ? [object.raw.spec?.path]
      : [...recordsOf([spec.source]), ...recordsOf(spec.sources)].map(({ path }) => path);
  return paths.flatMap((path) => {
    const folder = typeof path === 'string' ? path.replace(/^(?:\.?\/)+|\/+$/g, '') : '';
    return folder === '' || folder === '.' || folder.includes('{') ? [] : [folder];
  });
}

function isBelow(file: string, folder: string): boolean {
  return `/${file}`.includes(`/${folder}/`);
}

/** @see https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/ */
function ignoresField(application: ManifestObject, { kind, name }: ManifestObject, field: string): boolean {
  return recordsOf(specOf(application)?.ignoreDifferences).some(
    (rule) =>
      (rule.kind === kind || rule.kind === '*') &&
      [undefined, '', name].includes(rule.name as string | undefined) &&
      (Array.isArray(rule.managedFieldsManagers) || namesField(JSON.stringify(rule), field)),
  );
}

/** Whether the configuration of Argo CD leaves the field alone in all applications. */
function isIgnoredByAll({ objects }: ManifestModel, { kind }: ManifestObject, field: string): boolean {
  return objects.some(
    (object) =>
      object.kind === 'ConfigMap' &&
      object.name === 'argocd-cm' &&
      Object.entries(asRecord(object.raw.data) ?? {}).some(
        ([key, value]) =>
          new RegExp(`^resource\\.customizations\\.ignoreDifferences\\.(?:all|[^_]*_${kind})$`).test(key) &&
          namesField(valueText(value), field),
      ),
  );
}

function namesField(text: string, field: string): boolean {
  return text.includes(field) || text.includes(field.replace(/\//g, '.'));
}
