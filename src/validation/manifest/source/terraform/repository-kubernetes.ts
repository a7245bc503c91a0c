import { SourceFile } from '../../model';
import { Root } from '../roots/root';

const NAME = '(?:kubernetes|cluster|eks|eks_cluster|k8s|cluster_kubernetes)_version';
/** `kubernetes_version = "1.34"` of a module, of locals, or of a file of variables. */
const ASSIGNED = new RegExp(String.raw`^[ \t]*${NAME}[ \t]*=[ \t]*"(1\.\d\d)"`, 'gm');
const DEFAULT = new RegExp(
  String.raw`^variable[ \t]+"${NAME}"[ \t]*\{[^}]*?^[ \t]*default[ \t]*=[ \t]*"(1\.\d\d)"`,
  'gm',
);
const CLUSTER = /^resource[ \t]+"aws_eks_cluster"[^\n]*\n(?:(?!\})[^\n]*\n)*/gm;
const VERSION = /^[ \t]*version[ \t]*=[ \t]*"(1\.\d\d)"/m;

/** The versions of Kubernetes that a Terraform file writes for a cluster. */
export interface WrittenKubernetes {
  readonly assigned: readonly string[];
  /** Defaults of variables, which count if no file assigns one. */
  readonly defaults: readonly string[];
}

/** Undefined if the file writes none. Lines that are commented out do not count. */
export function writtenKubernetes(text: string): WrittenKubernetes | undefined {
  if (!text.includes('version')) return undefined;
  const code = text.replace(/^[ \t]*(?:#|\/\/).*$/gm, '');
  const ofClusters = [...code.matchAll(CLUSTER)].flatMap(([resource]) => VERSION.exec(resource)?.[1] ?? []);
  const assigned = [...ofClusters, ...[...code.matchAll(ASSIGNED)].map(([, version]) => version)];
  const defaults = [...code.matchAll(DEFAULT)].map(([, version]) => version);
  return assigned.length + defaults.length === 0 ? undefined : { assigned, defaults };
}

const CLUSTER_MODULE = /^[ \t]*source[ \t]*=[ \t]*"terraform-aws-modules\/eks\/aws"/m;
const LOCAL_CLUSTER = /^module[ \t]+"(?:eks|eks[-_]cluster)"/m;

/** Whether a Terraform file creates an EKS cluster, by a resource or a module. */
export function createsCluster(text: string): boolean {
  const code = text.replace(/^[ \t]*(?:#|\/\/).*$/gm, '');
  return /^resource[ \t]+"aws_eks_cluster"/m.test(code) || CLUSTER_MODULE.test(code) || LOCAL_CLUSTER.test(code);
}

/** Tells each root the version of Kubernetes in Terraform files, if they write only one. */
export function withKubernetesVersion<R extends Root & { readonly skipped?: string }>(
  roots: readonly R[],
  files: readonly SourceFile[],
): R[] {
  const written = files.flatMap(({ trace }) => trace?.kubernetes ?? []);
  const assigned = new Set(written.flatMap((one) => one.assigned));
  const [version, ...others] = assigned.size > 0 ? assigned : new Set(written.flatMap(({ defaults }) => defaults));
  if (version === undefined || others.length > 0) return [...roots];
  return roots.map((root) => {
    const [first, ...rest] = root.sources;
    if (first === undefined || root.skipped !== undefined) return root;
    return { ...root, sources: [{ ...first, kubernetesVersion: version }, ...rest] };
  });
}
