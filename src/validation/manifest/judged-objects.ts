import { AwsModel } from './aws-model';
import { nameOfCopy } from './copied-names';
import { isCdkToken } from './field-reader';
import { ManifestObject } from './model';
import { ProblemLog, READING_RULES } from './problem-log';
import { recordsOf } from './records';
import { asRecord, isValidatedKind, KARPENTER_KINDS, safeFix, setField, unsafeFix } from '../../contract';
import { valueText } from '../../model';

/** The Kubernetes kinds that are judged, with their API version. */
export const API_VERSION_BY_KIND: ReadonlyMap<string, string> = new Map([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].map((kind) => [kind, 'apps/v1'] as const),
  ['Job', 'batch/v1'],
  ['CronJob', 'batch/v1'],
  ['Pod', 'v1'],
  ['PodDisruptionBudget', 'policy/v1'],
]);

/** API groups that serve these kinds or have served them in earlier versions. */
const KUBERNETES_GROUPS = ['', 'apps', 'batch', 'extensions', 'policy'];

/**
 * Karpenter never provisions capacity for pods with these owners: DaemonSet pods and static pods are bound to a given
 * node.
 */
const NODE_BOUND_OWNERS = ['DaemonSet', 'Node'];

/** Whether the object is of a kind that is judged. Objects that only seem to be of such a kind are reported. */
export function isJudged(object: ManifestObject, log: ProblemLog): boolean {
  const isKarpenters = isValidatedKind(object.apiVersion, object.kind);
  if (!isKarpenters && !isServed(object, log)) return false;
  // For Karpenter's kinds, the judgement of the whole object reports a missing name.
  if ((object.name === '' && !isKarpenters) || isCdkToken(object.name)) return rejectName(object, log);
  return true;
}

/** Reports a kind with wrong upper or lower case, and an API version that is no longer served. */
function isServed(object: ManifestObject, log: ProblemLog): boolean {
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
  const kinds = [
    ...API_VERSION_BY_KIND.keys(),
    ...KARPENTER_KINDS.filter((karpenterKind) => karpenterKind.group === group).map(({ kind }) => kind),
  ];
  const kind = kinds.find((name) => name.toLowerCase() === object.kind.toLowerCase());
  const apiVersion = kind && API_VERSION_BY_KIND.get(kind);
  if (!kind || (apiVersion && !KUBERNETES_GROUPS.includes(group))) return false;
  if (kind !== object.kind) {
    log.add(
      READING_RULES.rejected,
      'error',
      object,
      ['kind'],
      `kind: must be ${kind}, got "${object.kind}"; the object is not checked`,
      `write kind: ${kind}`,
      {},
      safeFix(setField(['kind'], kind)),
    );
    return false;
  }
  if (apiVersion === object.apiVersion) return true;
  if (apiVersion) {
    const message = `apiVersion: must be ${apiVersion} for a ${kind}, got "${object.apiVersion}"; the object is not checked`;
    log.add(
      READING_RULES.rejected,
      'error',
      object,
      ['apiVersion'],
      message,
      `write apiVersion: ${apiVersion}`,
      {},
      unsafeFix(setField(['apiVersion'], apiVersion)),
    );
  }
  return false;
}

function rejectName(object: ManifestObject, log: ProblemLog): false {
  if (isSparkTemplate(object)) return false;
  // With generateName, the API server chooses the name if the object is created rather than applied.
  const isGenerated = typeof object.raw.metadata?.generateName === 'string';
  const reason = isCdkToken(object.name)
    ? 'is known only at deployment'
    : isGenerated
      ? 'is generated from generateName'
      : undefined;
  const message = `metadata.name: ${reason ?? 'must be a string'}; the object is not checked`;
  const remedy = isCdkToken(object.name)
    ? 'write a fixed name instead of a token'
    : 'write a name, in quotes if it is a number';
  log.add(READING_RULES.rejected, reason ? 'warning' : 'error', object, ['metadata', 'name'], message, remedy);
  return false;
}

/**
 * Keeps the last one of several objects with one identity, as `kubectl apply` does, and reports the others. Resources
 * of a CloudFormation template create their objects instead, unless they set `Overwrite`: the second creation fails.
 * A copy whose author forgot the name gets the name that was meant.
 */
export function withoutDuplicates(
  objects: readonly ManifestObject[],
  { manifests }: AwsModel,
  log: ProblemLog,
): ManifestObject[] {
  const creators = new Map(
    manifests
      .filter(({ resource }) => valueText(resource.properties.Overwrite) !== 'true')
      .flatMap((manifest) => manifest.objects.map((object) => [object, manifest.resource.id])),
  );
  const lastByIdentity = new Map<string, ManifestObject>();
  for (const object of objects) {
    const identity = identityOf(object.kind, object.namespace, object.name);
    const earlier = lastByIdentity.get(identity);
    const copies = earlier === undefined ? undefined : renamedCopy(earlier, object, objects, log);
    if (copies !== undefined) {
      for (const one of copies) lastByIdentity.set(identityOf(one.kind, one.namespace, one.name), one);
      continue;
    }
    if (earlier) {
      const { file, line } = object.locate([]);
      const isCreatedTwice =
        creators.has(earlier) && creators.has(object) && creators.get(earlier) !== creators.get(object);
      const message =
        `duplicate ${object.kind} ${object.name}: ` +
        (isCreatedTwice
          ? `${file}:${line} creates it too, so one of the two deployments fails`
          : `the one at ${file}:${line} replaces it`);
      log.add(READING_RULES.duplicateObject, 'warning', earlier, [], message, 'remove or rename one of the two');
      lastByIdentity.delete(identity);
    }
    lastByIdentity.set(identity, object);
  }
  return [...lastByIdentity.values()];
}

/** The original and the copy, with the name that was meant for the copy. Undefined if none of the two is a copy. */
function renamedCopy(
  first: ManifestObject,
  second: ManifestObject,
  objects: readonly ManifestObject[],
  log: ProblemLog,
): readonly ManifestObject[] | undefined {
  if (first.source === undefined || second.source === undefined) return undefined;
  const written = (object: ManifestObject) => ({ path: object.locate([]).file, raw: object.raw });
  const all = objects.filter(({ kind, source }) => kind === second.kind && source !== undefined).map(written);
  for (const [copy, original] of [
    [second, first],
    [first, second],
  ]) {
    const meant = nameOfCopy(written(copy), written(original), all);
    if (meant === undefined) continue;
    const { kind, name, raw } = copy;
    const renamed = { ...copy, name: meant, raw: { ...raw, metadata: { ...raw.metadata, name: meant } } };
    const { file, line } = original.locate([]);
    const message = `metadata.name is ${name}, the name of the ${kind} at ${file}:${line}: of the two, the one that is applied last replaces the other`;
    const path = ['metadata', 'name'];
    // Such an object is missing, so no node is launched with it.
    const evidence = {
      name,
      meant,
      ...(KARPENTER_KINDS.some((own) => own.kind === kind) ? { consequence: 'not-ready' } : {}),
    };
    const fix = unsafeFix(setField(path, meant));
    log.add(
      READING_RULES.duplicateObject,
      'error',
      { ...renamed, raw },
      path,
      message,
      `write name: ${meant}`,
      evidence,
      fix,
    );
    return [original, renamed];
  }
  return undefined;
}

/** Annotations of objects that Helm or Argo CD creates for a moment of a deployment, and deletes afterwards. */
const HOOK_ANNOTATIONS = ['helm.sh/hook', 'argocd.argoproj.io/hook'];

/**
 * Leaves out objects that another object of the input makes, as in the output of `kubectl get all`, pods that have
 * completed, hooks of deployments, which run for a minute, and templates that Spark makes pods from.
 */
export function withoutOwned(objects: readonly ManifestObject[]): ManifestObject[] {
  const identities = new Set(objects.map((object) => identityOf(object.kind, object.namespace, object.name)));
  const runs = (object: ManifestObject) => !isCompletedPod(object) && !isHook(object) && !isSparkTemplate(object);
  return objects.filter(
    (object) =>
      runs(object) &&
      !controllersOf(object).some(
        ({ kind, name }) =>
          identities.has(identityOf(kind, object.namespace, name)) ||
          (object.kind === 'Pod' && NODE_BOUND_OWNERS.includes(kind)),
      ),
  );
}

function controllersOf(object: ManifestObject): Array<{ kind: string; name: string }> {
  const references: unknown = object.raw.metadata?.ownerReferences;
  return (Array.isArray(references) ? references : []).flatMap((raw) => {
    const { kind, name, controller } = asRecord(raw) ?? {};
    return controller === true && typeof kind === 'string' && typeof name === 'string' ? [{ kind, name }] : [];
  });
}

function isHook({ raw, kind }: ManifestObject): boolean {
  const annotations = asRecord(raw.metadata?.annotations) ?? {};
  return API_VERSION_BY_KIND.has(kind) && HOOK_ANNOTATIONS.some((name) => annotations[name] !== undefined);
}

/** Containers that Spark looks for in a pod template, to fill in their image, command and requests. */
const SPARK_CONTAINERS: readonly unknown[] = ['spark-kubernetes-driver', 'spark-kubernetes-executor'];

/** Names of files with pod templates, such as `driver-pod-template.yaml`. */
const TEMPLATE_FILE = /pod[-_]?template[^/]*$/i;

/**
 * Whether the object is a pod template of Spark. It has no image, no container at all, or no name, so the API server
 * would refuse it as a pod.
 *
 * @see https://docs.aws.amazon.com/emr/latest/EMR-on-EKS-DevelopmentGuide/pod-templates.html
 */
export function isSparkTemplate({ kind, raw, locate }: ManifestObject): boolean {
  if (kind !== 'Pod') return false;
  const containers = recordsOf(raw.spec?.containers);
  const isNameless = raw.metadata?.name === undefined && raw.metadata?.generateName === undefined;
  if ((containers.length === 0 || isNameless) && TEMPLATE_FILE.test(locate([]).file)) return true;
  return containers.some(({ name, image }) => SPARK_CONTAINERS.includes(name) && (image === undefined || isNameless));
}

function isCompletedPod(object: ManifestObject): boolean {
  const phase = object.raw.status?.phase;
  return object.kind === 'Pod' && (phase === 'Succeeded' || phase === 'Failed');
}

function identityOf(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace ?? 'default', name]);
}
