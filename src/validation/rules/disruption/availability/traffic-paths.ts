import { asRecord, FieldPath } from '../../../../contract';
import { memoizeByIdentity } from '../../../../model';
import { ManifestModel, ManifestObject } from '../../../manifest/model';
import { PlainRecord, recordsOf } from '../../../manifest/records';

/** A Service that an Ingress or a route sends requests to. */
export interface Backend {
  readonly name: string;
  readonly namespace: string;
  /** Where the name is written. */
  readonly path: FieldPath;
  /** The number or the name of its port. */
  readonly port?: { readonly value: string | number; readonly path: FieldPath };
}

export const servicesOf = memoizeByIdentity(({ objects }: ManifestModel): readonly ManifestObject[] =>
  objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Service'),
);

export function servicePortsOf({ raw }: ManifestObject): PlainRecord[] {
  return recordsOf(raw.spec?.ports);
}

/** The Services that an Ingress or a route of the Gateway API names. */
export const backendsOf = memoizeByIdentity((object: ManifestObject): readonly Backend[] => {
  const { apiVersion, raw } = object;
  const spec = asRecord(raw.spec);
  const rules = recordsOf(spec?.rules);
  if (apiVersion === 'networking.k8s.io/v1') {
    const ofRules = rules.flatMap((rule, index) =>
      recordsOf(asRecord(rule.http)?.paths).flatMap(({ backend }, position) =>
        ingressBackend(object, backend, ['spec', 'rules', index, 'http', 'paths', position, 'backend', 'service']),
      ),
    );
    return [...ingressBackend(object, spec?.defaultBackend, ['spec', 'defaultBackend', 'service']), ...ofRules];
  }
  if (!/^gateway\.networking\.k8s\.io\//.test(apiVersion)) return [];
  return rules.flatMap((rule, index) =>
    recordsOf(rule.backendRefs).flatMap((reference, position): Backend[] => {
      const { group = '', kind = 'Service', name, namespace = object.namespace ?? 'default', port } = reference;
      if (group !== '' || kind !== 'Service' || typeof name !== 'string' || typeof namespace !== 'string') return [];
      const path = ['spec', 'rules', index, 'backendRefs', position];
      return [{ name, namespace, path: [...path, 'name'], ...portOf(port, [...path, 'port']) }];
    }),
  );
});

/** AWS Load Balancer Controller reads names with an action, in an annotation, as no Service. */
function ingressBackend({ namespace = 'default' }: ManifestObject, backend: unknown, path: FieldPath): Backend[] {
  const { name, port } = asRecord(asRecord(backend)?.service) ?? {};
  const { number, name: portName } = asRecord(port) ?? {};
  if (typeof name !== 'string' || portName === 'use-annotation') return [];
  const field = number === undefined ? 'name' : 'number';
  return [{ name, namespace, path: [...path, 'name'], ...portOf(number ?? portName, [...path, 'port', field]) }];
}

function portOf(value: unknown, path: FieldPath): Pick<Backend, 'port'> {
  return typeof value === 'string' || typeof value === 'number' ? { port: { value, path } } : {};
}
