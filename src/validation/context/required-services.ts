import { asRecord } from '../../contract';
import { valueText } from '../../model';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf, scalarText } from '../manifest/records';

const WEBHOOKS: readonly string[] = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];

/** The Service of a webhook without which the API server refuses requests. */
export interface RequiredService {
  readonly webhook: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, unknown>>;
  /**
   * The resources that the webhook admits.
   * @default - also pods, nodes or other resources that the cluster needs to run
   */
  readonly resources?: readonly string[];
}

/** The Services of webhooks with failurePolicy Fail, which is the default. */
export function requiredServices({ objects }: ManifestModel): RequiredService[] {
  const byName = new Map(
    objects
      .filter(({ kind, apiVersion }) => kind === 'Service' && apiVersion === 'v1')
      .map((object) => [keyOf(object.namespace, object.name), object]),
  );
  return objects
    .filter(({ kind }) => WEBHOOKS.includes(kind))
    .flatMap((configuration) =>
      recordsOf(configuration.raw.webhooks).flatMap((webhook) => {
        const reference = asRecord(asRecord(webhook.clientConfig)?.service);
        if (!reference || (webhook.failurePolicy ?? 'Fail') !== 'Fail') return [];
        const selector = asRecord(asRecord(byName.get(keyOf(reference.namespace, reference.name))?.raw.spec)?.selector);
        if (!selector || Object.keys(selector).length === 0) return [];
        return [
          {
            ...requiredService(configuration, scalarText(reference.namespace ?? 'default'), selector),
            resources: resourcesOf(webhook),
          },
        ];
      }),
    );
}

function requiredService(
  { kind, name }: ManifestObject,
  namespace: string,
  selector: RequiredService['selector'],
): RequiredService {
  return { webhook: `${kind} ${name}`, namespace, selector };
}

/**
 * The resources that the webhook admits; undefined if the cluster needs some of them to run pods, or if its rules do
 * not say.
 */
function resourcesOf({ rules }: PlainRecord): readonly string[] | undefined {
  const scopes = recordsOf(rules).map(({ apiGroups, resources }) => ({
    groups: listOf(apiGroups),
    resources: listOf(resources),
  }));
  const groups = scopes.flatMap((rule) => rule.groups);
  if (groups.length === 0 || !groups.every(isIndependent)) return undefined;
  return scopes
    .flatMap((rule) =>
      rule.resources.flatMap((resource) => (valueText(resource).startsWith('*') ? rule.groups : resource)),
    )
    .map(valueText);
}

function listOf(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

/** Whether pods and nodes run without objects of the API group: custom resources except Karpenter's, and Ingresses. */
function isIndependent(group: unknown): boolean {
  if (typeof group !== 'string' || !group.includes('.') || group.startsWith('karpenter.')) return false;
  return group === 'networking.k8s.io' || !group.endsWith('.k8s.io');
}

function keyOf(namespace: unknown, name: unknown): string {
  return `${scalarText(namespace ?? 'default')}/${scalarText(name)}`;
}
