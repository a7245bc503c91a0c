import { FieldPath, ManifestObject } from './object';
import { NodeClassFacts, PlacementGroupFacts } from '../../catalog';
import { LabelSelector } from '../../model';
import { DaemonSetSpec, ExistingNode, NodeOverlaySpec, NodePoolSpec, PodGroup, PodShape } from '../../scheduling';
import { Finding } from '../report/verdict';
import { AwsModel } from '../template/aws-model';

export * from './object';

/** What a template does not say of its stack. */
export interface StackFacts {
  readonly region?: string;
  readonly account?: string;
}

/** A file's name and its text; `-` stands for standard input. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Why the text could not be had (too large, not UTF-8, no permission), and from which offset on. */
  readonly unreadable?: { readonly message: string; readonly remedy: string; readonly offset?: number };
  /** Of a CloudFormation template: the stack that it is for, as far as that is known. */
  readonly stack?: StackFacts;
}

export interface NodePoolManifest {
  readonly object: ManifestObject;
  /** Absent when a field that decides what the pool launches cannot be used. */
  readonly spec?: NodePoolSpec;
  readonly nodeClassRef?: { readonly group?: string; readonly kind?: string; readonly name?: string; readonly apiVersion?: string };
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
}

export interface NodeClassManifest {
  readonly object: ManifestObject;
  /** Absent when a field that decides what instances look like cannot be used. */
  readonly facts?: NodeClassFacts;
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
}

export interface NodeOverlayManifest {
  readonly object: ManifestObject;
  /** Absent when Karpenter would not apply it. */
  readonly spec?: NodeOverlaySpec;
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
}

/** The pods that a buffer keeps room for, or in words what of the input is missing to know them. */
export type BufferedPods =
  | { readonly shape: PodShape; readonly count: number; readonly missing?: undefined }
  | { readonly missing: string };

export interface CapacityBufferManifest {
  readonly object: ManifestObject;
  readonly namespace: string;
  readonly name: string;
  /** Absent when the API server or Karpenter would refuse the buffer. */
  readonly pods?: BufferedPods;
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
}

export type WorkloadKind = 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'CronJob' | 'Pod' | 'ReplicaSet';

/** Pods of a StatefulSet that follow each other, and are equal. */
export interface OrdinalRange {
  /** The ordinal of the first one. */
  readonly first: number;
  readonly count: number;
  readonly shape: PodShape;
}

export interface WorkloadManifest {
  readonly object: ManifestObject;
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  /** Pods at a time; 0 for a DaemonSet. */
  readonly replicas: number;
  readonly podLabels: Readonly<Record<string, string>>;
  /** Of the pod's spec. */
  readonly podPath: FieldPath;
  /** Absent when the API server would refuse the pod. */
  readonly shape?: PodShape;
  /** Of a StatefulSet whose claims are there already, by ordinal: those to place. @default - its pods are all equal */
  readonly ordinals?: readonly OrdinalRange[];
  /** Pods of it that the cluster runs already, and that need no place. @default 0 */
  readonly running?: number;
  /** Names of those of them that are there. @default - none */
  readonly runningPods?: ReadonlySet<string>;
  /** Index into `ScheduleInput.pods`, of the first of its `ordinals` where it has these; absent for a DaemonSet, and where there are no pods to place. */
  readonly group?: number;
}

export interface PdbManifest {
  readonly object: ManifestObject;
  readonly namespace: string;
  readonly name: string;
  /** Absent or `{}` has a meaning of its own: see the API's documentation. */
  readonly selector: LabelSelector;
  readonly minAvailable?: string | number;
  readonly maxUnavailable?: string | number;
}

/** How the cluster is before any pod of the manifests comes. Nothing of it is judged by rules. */
export interface ClusterState {
  /** Those that stay, in any order. */
  readonly nodes: readonly ExistingNode[];
  /** Pods of no workload of the manifests that wait for a node, or will when theirs is gone; the oldest first. */
  readonly pods: readonly PodGroup[];
  /** What is not among the manifests. */
  readonly daemonSets: readonly DaemonSetSpec[];
  readonly nodePools: readonly NodePoolManifest[];
  readonly nodeClasses: readonly NodeClassManifest[];
  /** By the name of an EC2NodeClass, in the manifests or not: what Karpenter has found by its selectors. */
  readonly classes: ReadonlyMap<string, Pick<NodeClassFacts, 'zones' | 'reservations'> & { readonly zoneIds: Readonly<Record<string, string>> }>;
  /** Those of the account, as far as a file tells of them. */
  readonly placementGroups: ReadonlyArray<PlacementGroupFacts & { readonly name: string }>;
  /** Namespaces, storage classes and the like, for which there is no manifest. */
  readonly objects: readonly ManifestObject[];
  /** Those that a manifest stands for, as the cluster has them. */
  readonly replaced: readonly ManifestObject[];
  /** Plain sentences on what of the files counts for nothing. */
  readonly notes: readonly string[];
}

export interface ManifestModel {
  /** Everything that was read, in order, judged or not. */
  readonly objects: readonly ManifestObject[];
  readonly nodePools: readonly NodePoolManifest[];
  readonly nodeClasses: readonly NodeClassManifest[];
  readonly nodeOverlays: readonly NodeOverlayManifest[];
  readonly capacityBuffers: readonly CapacityBufferManifest[];
  readonly workloads: readonly WorkloadManifest[];
  readonly pdbs: readonly PdbManifest[];
  /** NodeClaims and CapacityBuffers: they are judged each by itself. */
  readonly others: readonly ManifestObject[];
  /** What CloudFormation templates among the files say; empty where there is none. */
  readonly aws: AwsModel;
  /** Absent where nothing is known of it: then it is taken to be empty. */
  readonly cluster?: ClusterState;
  /** What reading found wrong: KARP-001, KARP-100 and KARP-109. */
  readonly problems: readonly Finding[];
}
