import { NamedRelease } from './charts/chart-release';
import { DeploymentProblem, SourceFile } from '../../model';

/** Manifests that are deployed together. */
export interface Root {
  /** The folder of the root, the value file of a chart, or `cluster` and the name of the cluster. */
  readonly name: string;
  readonly kind: 'cluster' | 'kustomization' | 'chart' | 'files';
  /** Empty for a chart: Helm makes its manifests. */
  readonly sources: readonly SourceFile[];
  /** What the sources lack, or have from elsewhere, one sentence each. */
  readonly notes: readonly string[];
  /** Whether the NodePools are those of another root. @default false */
  readonly hasPoolsOfOther?: boolean;
  /** Objects of Argo CD and Flux that deploy nothing, on a chart if no root has sources. @default - none */
  readonly deploymentProblems?: readonly DeploymentProblem[];
  /** How a chart is deployed. Every chart has it. */
  readonly release?: NamedRelease;
  /** Such as `prod`. @default - the one that the name tells, if any */
  readonly environment?: string;
  /** The name of the cluster root that a chart belongs to. @default - unknown */
  readonly cluster?: string;
  /** Roots that are not judged, because they only have objects for others, such as StorageClasses. @default - none */
  readonly suppliers?: readonly Root[];
  /** Roots that are not judged, and say how Karpenter is installed or what nodes need. @default - none */
  readonly companions?: readonly Root[];
}
