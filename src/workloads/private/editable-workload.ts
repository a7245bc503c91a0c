/** A manifest of a workload or HorizontalPodAutoscaler that safeguards can edit. */
import { ApiObject } from 'cdk8s';
import { isKeptAsWrittenNote, safeguardAnnotation } from '../../contract';
import { errorWithoutStack } from '../../model';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests have no static type
export type Json = Record<string, any>;

/** Kinds with several pods that serve requests. One pod can be evicted while the others keep serving. */
const SERVING = ['Deployment', 'StatefulSet', 'ReplicaSet'];
const API_GROUPS: Readonly<Record<string, string>> = {
  Deployment: 'apps',
  StatefulSet: 'apps',
  ReplicaSet: 'apps',
  DaemonSet: 'apps',
  Job: 'batch',
  CronJob: 'batch',
  HorizontalPodAutoscaler: 'autoscaling',
};

export type WorkloadRole = 'serving' | 'batch' | 'daemon' | 'scaler';

export function isProtectable({ kind, apiGroup }: Pick<ApiObject, 'kind' | 'apiGroup'>): boolean {
  return Object.hasOwn(API_GROUPS, kind) && API_GROUPS[kind] === apiGroup;
}

/** Whether the object is a workload with a pod template. */
export function hasPods(object: Pick<ApiObject, 'kind' | 'apiGroup'>): boolean {
  return isProtectable(object) && roleOf(object.kind) !== 'scaler';
}

export function isServing({ kind }: { readonly kind: string }): boolean {
  return SERVING.includes(kind);
}

export class EditableWorkload {
  public readonly kind: string;
  public readonly spec: Json;
  public readonly role: WorkloadRole;
  /** Spec of the controller that creates the pods. For a CronJob it is the spec of its Jobs. */
  private readonly controller: Json;
  /** Pod template with `metadata` and `spec`. Empty for an autoscaler, or if the manifest has no template. */
  public readonly template: Json;
  public readonly pod: Json;

  public constructor(private readonly manifest: Json) {
    this.kind = manifest.kind;
    this.role = roleOf(this.kind);
    this.spec = child(manifest, 'spec');
    this.controller = this.kind === 'CronJob' ? child(child(this.spec, 'jobTemplate'), 'spec') : this.spec;
    this.template = this.role === 'scaler' ? {} : child(this.controller, 'template');
    this.pod = child(this.template, 'spec');
  }

  public get containers(): Json[] {
    return recordsIn(this.pod.containers);
  }

  public get initContainers(): Json[] {
    return recordsIn(this.pod.initContainers);
  }

  /**
   * Selector of the pods, which their spread uses, too. Empty for most Jobs, because the Job controller writes it.
   */
  public get selector(): Json {
    return this.hasSelector ? structuredClone(this.controller.selector) : {};
  }

  public get hasSelector(): boolean {
    return isRecord(this.controller.selector);
  }

  /** Whether the pods have volumes, which can bind them to a zone. */
  public get hasVolumeClaims(): boolean {
    const claims = (volume: Json) => volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined;
    return recordsIn(this.spec.volumeClaimTemplates).length > 0 || recordsIn(this.pod.volumes).some(claims);
  }

  public get isWindows(): boolean {
    return this.pod.os?.name === 'windows' || this.pod.nodeSelector?.['kubernetes.io/os'] === 'windows';
  }

  public get annotations(): Json {
    return isRecord(this.manifest.metadata?.annotations) ? this.manifest.metadata.annotations : {};
  }

  /** Writes an annotation about a safeguard. Without a text, removes an earlier note about a weaker value. */
  public note(subject: string, text: string | undefined): void {
    const key = safeguardAnnotation(subject);
    if (text !== undefined) child(child(this.manifest, 'metadata'), 'annotations')[key] = text;
    else if (isKeptAsWrittenNote(this.annotations[key])) delete this.annotations[key];
  }
}

/**
 * The container or init container with this name, or the first container.
 *
 * @throws Error if the pod has no such container
 */
export function namedContainer(
  { containers, initContainers }: EditableWorkload,
  name: string | undefined,
  path: string,
): Json {
  const all = [...containers, ...initContainers];
  const found = name === undefined ? containers[0] : all.find((container) => container.name === name);
  if (found) return found;
  const names = all.map((container) => container.name).join(', ');
  throw errorWithoutStack(
    `${path}: the pod must have a container${name === undefined ? '' : ` ${name}`}, got ${names || 'none'}; ${
      names ? 'write one of these names' : 'add one with addContainer'
    }`,
  );
}

/** Compares the namespaces of two objects by their `metadata`. The default is `default`. */
export function inOneNamespace(a: Json | undefined, b: Json | undefined): boolean {
  return (a?.namespace ?? 'default') === (b?.namespace ?? 'default');
}

/** The record under a key. It is created if it is missing. */
export function child(parent: Json, key: string): Json {
  if (!isRecord(parent[key])) parent[key] = {};
  return parent[key];
}

/** The list under a key. It is created if it is missing. */
export function ensureList(parent: Json, key: string): Json[] {
  if (!Array.isArray(parent[key])) parent[key] = [];
  return parent[key];
}

export function recordsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sorts keys as cdk8s does. */
export function sortedManifest(manifest: Json): Json {
  return { apiVersion: manifest.apiVersion, kind: manifest.kind, metadata: undefined, ...(sorted(manifest) as Json) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => [key, sorted(field)]),
  );
}

function roleOf(kind: string): WorkloadRole {
  if (SERVING.includes(kind)) return 'serving';
  if (kind === 'DaemonSet') return 'daemon';
  return kind === 'HorizontalPodAutoscaler' ? 'scaler' : 'batch';
}
