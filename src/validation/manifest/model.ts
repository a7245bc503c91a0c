import { AwsModel } from './aws-model';
import { FieldPath, ManifestObject } from './object';
import { NodeClassFacts, PlacementGroupFacts } from '../../catalog';
import { LabelSelector } from '../../model';
import { DaemonSetSpec, ExistingNode, NodeOverlaySpec, NodePoolSpec, PodGroup, PodShape } from '../../scheduling';
import {
  DeploymentProblem,
  ProtectedObject,
  ReferredRegion,
  RenamedObject,
  ReplacedList,
  UnmatchedPatch,
  WrittenNodeGroup,
} from '../vocabulary/source-file';
import { Finding } from '../vocabulary/verdict';

export * from '../vocabulary/source-file';
export * from './object';

export interface NodePoolManifest {
  readonly object: ManifestObject;
  /** Absent if a field that decides what the pool launches is invalid or unresolved. */
  readonly spec?: NodePoolSpec;
  readonly nodeClassRef?: {
    readonly group?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly apiVersion?: string;
  };
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
  /** Whether the zones that it requires are known only at deployment, so that its spec allows all. @default false */
  readonly hasUnknownZones?: boolean;
  /** Settings of the kubelet that belong into the EC2NodeClass. @default - none */
  readonly misplacedKubelet?: Readonly<Record<string, unknown>>;
  /** Facts that decide what the pool launches and that the input lacks, each with what to pass if anything helps. */
  readonly missingFacts?: readonly string[];
}

export interface NodeClassManifest {
  readonly object: ManifestObject;
  /** Absent if a field that decides the instances is invalid or unresolved. */
  readonly facts?: NodeClassFacts;
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
}

export interface NodeOverlayManifest {
  readonly object: ManifestObject;
  /** Absent if Karpenter would not apply the overlay. */
  readonly spec?: NodeOverlaySpec;
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
}

/** The pods that a buffer reserves capacity for, or a description of the object that is missing to know them. */
export type ResolvedBufferPods =
  | { readonly shape: PodShape; readonly count: number; readonly missing?: undefined }
  | { readonly missing: string };

export interface CapacityBufferManifest {
  readonly object: ManifestObject;
  readonly namespace: string;
  readonly name: string;
  /** Absent if the API server or Karpenter would reject the buffer. */
  readonly pods?: ResolvedBufferPods;
  /** Fields whose value is known only at deployment (CDK tokens). */
  readonly tokens?: readonly string[];
}

export type WorkloadKind = 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'CronJob' | 'Pod' | 'ReplicaSet';

/** Consecutive, equal pods of a StatefulSet. */
export interface OrdinalRange {
  /** The ordinal of the first pod. */
  readonly first: number;
  readonly count: number;
  readonly shape: PodShape;
}

export interface WorkloadManifest {
  readonly object: ManifestObject;
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  /** Pods that run at a time; 0 for a DaemonSet. */
  readonly replicas: number;
  readonly podLabels: Readonly<Record<string, string>>;
  /** The path of the pod's spec. */
  readonly podPath: FieldPath;
  /** Absent if the API server would reject the pod. */
  readonly shape?: PodShape;
  /**
   * The shape of a DaemonSet's template without the API server's defaults for pods. Karpenter plans with it until a
   * pod of the DaemonSet runs. @default - `shape`
   */
  readonly templateShape?: PodShape;
  /** The pods to place of a StatefulSet whose pods differ or run in part. @default - all pods are equal */
  readonly ordinals?: readonly OrdinalRange[];
  /** Pods that already run in the cluster and need not be placed. @default 0 */
  readonly running?: number;
  /** Names of the running pods. @default - none */
  readonly runningPods?: ReadonlySet<string>;
  /**
   * Index into `ScheduleInput.pods`; with `ordinals`, the index of the first range. Absent for a DaemonSet, and if no
   * pods are to be placed.
   */
  readonly group?: number;
}

export interface PdbManifest {
  readonly object: ManifestObject;
  readonly namespace: string;
  readonly name: string;
  /** An empty selector selects all pods of the namespace. */
  readonly selector: LabelSelector;
  readonly minAvailable?: string | number;
  readonly maxUnavailable?: string | number;
}

/** A subnet as EC2 describes it. */
export interface DescribedSubnet {
  readonly id: string;
  readonly zone: string;
  /** Free IPv4 addresses. */
  readonly free: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** An open capacity reservation as EC2 describes it. */
export interface DescribedReservation {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  /** Unused instances. */
  readonly free: number;
  readonly tags: Readonly<Record<string, string>>;
  /** The account that owns it. */
  readonly owner?: string;
}

/** The state of the cluster before pods of the manifests are scheduled. Rules do not judge it. */
export interface InitialCluster {
  /** In any order. */
  readonly nodes: readonly ExistingNode[];
  /** Pods without a manifest that are pending, or will be when their node is deleted; the oldest first. */
  readonly pods: readonly PodGroup[];
  /** DaemonSets without a manifest. */
  readonly daemonSets: readonly DaemonSetSpec[];
  /** DaemonSets that own pods, but are in no file, as `namespace/name`. */
  readonly missingDaemonSets: readonly string[];
  /** NodePools without a manifest. */
  readonly nodePools: readonly NodePoolManifest[];
  /** EC2NodeClasses without a manifest. */
  readonly nodeClasses: readonly NodeClassManifest[];
  /** By the name of an EC2NodeClass, with or without a manifest: what Karpenter has resolved its selector terms to. */
  readonly nodeClassStatuses: ReadonlyMap<
    string,
    Pick<NodeClassFacts, 'zones' | 'reservations'> & { readonly zoneIds: Readonly<Record<string, string>> }
  >;
  /** The account's placement groups that a cluster file lists. */
  readonly placementGroups: ReadonlyArray<PlacementGroupFacts & { readonly name: string }>;
  /** The account's subnets that a cluster file lists. */
  readonly subnets: readonly DescribedSubnet[];
  /** The account's open capacity reservations with free instances that a cluster file lists. */
  readonly openReservations: readonly DescribedReservation[];
  /** All objects without a manifest. */
  readonly objects: readonly ManifestObject[];
  /** The cluster's versions of objects that have a manifest. */
  readonly replacedObjects: readonly ManifestObject[];
  /** Sentences on the parts of the cluster files that are ignored. */
  readonly notes: readonly string[];
}

/** A place that protects the pods of workloads from disruption, as an object, with these workloads. */
export interface SpreadProtection {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly workloads: readonly ProtectedObject[];
}

/** An object of Flux or Argo CD that deploys nothing. */
export interface BlockedDeployment {
  readonly object: ManifestObject;
  readonly problem: DeploymentProblem;
}

/** A patch that changes nothing, and the kustomization that has it. */
export interface PatchWithoutTarget {
  readonly object: ManifestObject;
  readonly patch: UnmatchedPatch;
}

/** A patch of a kustomization, with a list that it has replaced. */
export interface ListPatch {
  /** The patch. It has the kind and the name of the patched object. */
  readonly object: ManifestObject;
  readonly list: ReplacedList;
}

export interface ManifestModel {
  /** All objects, in order, whether or not they are judged. */
  readonly objects: readonly ManifestObject[];
  readonly nodePools: readonly NodePoolManifest[];
  readonly nodeClasses: readonly NodeClassManifest[];
  readonly nodeOverlays: readonly NodeOverlayManifest[];
  readonly capacityBuffers: readonly CapacityBufferManifest[];
  readonly workloads: readonly WorkloadManifest[];
  readonly pdbs: readonly PdbManifest[];
  /** Objects of Karpenter's other kinds, such as NodeClaims: only their fields are judged. */
  readonly otherObjects: readonly ManifestObject[];
  /** The contents of CloudFormation templates; empty if there are none. */
  readonly aws: AwsModel;
  /** Absent if no cluster files are given: the cluster is assumed to be empty. */
  readonly cluster?: InitialCluster;
  /** Whether only Terraform knows the release that the repository installs. @default false */
  readonly isReleaseUnknown?: boolean;
  /** Whether no file of the repository names Karpenter. @default false */
  readonly isWithoutKarpenter?: boolean;
  /** The releases of Karpenter in the repository, if no single one serves all objects. @default - none */
  readonly otherReleases?: readonly string[];
  /** The region that other manifests of the same cluster refer to. @default - unknown, or several */
  readonly regionElsewhere?: ReferredRegion;
  /** The region of the AWS provider in Terraform files of the repository. @default - unknown */
  readonly terraformRegion?: string;
  /** The version of Kubernetes in the Terraform files of the repository. @default - unknown, or several */
  readonly kubernetesVersion?: string;
  /** The node groups that other files of the repository create. @default - none are known */
  readonly nodeGroupsElsewhere?: readonly WrittenNodeGroup[];
  /** Names of device plugins that some file of the repository mentions. @default - none */
  readonly devicePluginsElsewhere?: readonly string[];
  /** Names of CSI drivers that some file of the repository installs, or gives permissions to. @default - none */
  readonly installedPrograms?: readonly string[];
  /** The AWS resources in Terraform files, for rules that read them. @default - none, or there are templates */
  readonly writtenAws?: AwsModel;
  /** Objects of Karpenter that kustomizations have renamed. @default - none */
  readonly renamedObjects?: readonly RenamedObject[];
  /** Lists that patches of kustomizations have replaced. @default - none */
  readonly listPatches?: readonly ListPatch[];
  /** Patches whose targets select nothing. @default - none */
  readonly patchesWithoutTarget?: readonly PatchWithoutTarget[];
  /** Places that protect the pods of many workloads from disruption. @default - none */
  readonly spreadProtections?: readonly SpreadProtection[];
  /** Objects of Flux and Argo CD that deploy nothing. @default - none */
  readonly blockedDeployments?: readonly BlockedDeployment[];
  /** Findings of `READING_RULES`: KARP-001, KARP-002, KARP-100 and KARP-109. */
  readonly problems: readonly Finding[];
}
