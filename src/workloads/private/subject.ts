/** A workload as it is written, of whatever construct it came, and open to change. */
import { ApiObject } from 'cdk8s';
import { isAsWrittenNote, safeguardAnnotation } from '../../contract';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what is in a manifest is known only by looking
export type Json = Record<string, any>;

/** Kinds whose pods serve: there are several, and any of them may be moved while the others stay. */
const SERVING = ['Deployment', 'StatefulSet', 'ReplicaSet'];
const API_GROUPS: Readonly<Record<string, string>> = {
  Deployment: 'apps', StatefulSet: 'apps', ReplicaSet: 'apps', DaemonSet: 'apps', Job: 'batch', CronJob: 'batch', HorizontalPodAutoscaler: 'autoscaling',
};

export type Nature = 'serving' | 'batch' | 'daemon' | 'scaler';

export function isProtectable({ kind, apiGroup }: Pick<ApiObject, 'kind' | 'apiGroup'>): boolean {
  return Object.hasOwn(API_GROUPS, kind) && API_GROUPS[kind] === apiGroup;
}

export function isServing({ kind }: { readonly kind: string }): boolean {
  return SERVING.includes(kind);
}

export class Subject {
  public readonly kind: string;
  public readonly spec: Json;
  public readonly nature: Nature;
  /** Of what makes the pods: of a CronJob the spec of its Jobs. */
  private readonly controller: Json;
  /** Holds the pod's `metadata` and `spec`; empty for a scaler, or where the manifest has none. */
  public readonly template: Json;
  public readonly pod: Json;

  public constructor(private readonly manifest: Json) {
    this.kind = manifest.kind;
    this.nature = natureOf(this.kind);
    this.spec = child(manifest, 'spec');
    this.controller = this.kind === 'CronJob' ? child(child(this.spec, 'jobTemplate'), 'spec') : this.spec;
    this.template = this.nature === 'scaler' ? {} : child(this.controller, 'template');
    this.pod = child(this.template, 'spec');
  }

  public get containers(): Json[] {
    return recordsIn(this.pod.containers);
  }

  public get initContainers(): Json[] {
    return recordsIn(this.pod.initContainers);
  }

  /**
   * What selects the pods, and their spread with them. A Job has it written by its controller, unless its author
   * insists on another.
   */
  public get selector(): Json {
    return this.hasSelector ? structuredClone(this.controller.selector) : {};
  }

  public get hasSelector(): boolean {
    return isRecord(this.controller.selector);
  }

  /** Whether volumes hold the pods in the zone where these are. */
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

  /** Leaves a word in the manifest; without one, takes back what an earlier run has left of a weaker value. */
  public note(about: string, text: string | undefined): void {
    const key = safeguardAnnotation(about);
    if (text !== undefined) child(child(this.manifest, 'metadata'), 'annotations')[key] = text;
    else if (isAsWrittenNote(this.annotations[key])) delete this.annotations[key];
  }
}

/** Of two objects by their `metadata`: what names no namespace is applied to `default`. */
export function inOneNamespace(one: Json | undefined, other: Json | undefined): boolean {
  return (one?.namespace ?? 'default') === (other?.namespace ?? 'default');
}

/** The record under a key, made if it is not there. */
export function child(parent: Json, key: string): Json {
  if (!isRecord(parent[key])) parent[key] = {};
  return parent[key];
}

/** The list under a key, made if it is not there. */
export function list(parent: Json, key: string): Json[] {
  if (!Array.isArray(parent[key])) parent[key] = [];
  return parent[key];
}

export function recordsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function natureOf(kind: string): Nature {
  if (SERVING.includes(kind)) return 'serving';
  if (kind === 'DaemonSet') return 'daemon';
  return kind === 'HorizontalPodAutoscaler' ? 'scaler' : 'batch';
}
