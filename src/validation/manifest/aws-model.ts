import { FieldPath, ManifestObject } from './object';
import { PlainRecord } from './records';
import { Taint } from '../../model';

/** One resource of a template. Its intrinsic functions are evaluated as far as possible. */
export interface TemplateResource {
  /** The object that findings point at: its kind is the resource's type, its name the logical id. */
  readonly object: ManifestObject;
  /** `<template>/<logical id>`. */
  readonly id: string;
  readonly type: string;
  readonly properties: PlainRecord;
  /** The region of its stack. @default - known only at deployment */
  readonly region?: string;
  /** The account of its stack. @default - known only at deployment */
  readonly account?: string;
  /** Ids of resources of the same template that it references, or names in DependsOn. */
  readonly dependsOn: ReadonlySet<string>;
  /** Whether it may depend on more resources than `dependsOn` lists. @default false */
  readonly hasUnknownOrder?: boolean;
  /** What the resource is written for, whose words remedies use. @default - CloudFormation */
  readonly tool?: 'Terraform';
}

/** Something that a resource declares, with its location. */
export interface Declared {
  readonly resource: TemplateResource;
  /** Within the resource, as in `['Properties', 'Policies', 0]`. */
  readonly path: FieldPath;
}

export interface Statement extends Declared {
  readonly sid?: string;
  readonly allows: boolean;
  /** In lower case, because IAM compares actions without case. */
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  readonly resources: readonly string[];
  readonly notResources: readonly string[];
  /** For example `Service:events.amazonaws.com`, or `*`. */
  readonly principals: readonly string[];
  readonly conditions: readonly Condition[];
}

export interface Condition {
  /** For example `StringEquals`. */
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** An IAM policy. */
export interface Policy extends Declared {
  readonly name: string;
  readonly arn?: string;
  readonly managed: boolean;
  /** @default - known only at deployment */
  readonly statements?: readonly Statement[];
  /** The raw policy document. */
  readonly document: unknown;
}

export interface Role extends Declared {
  readonly name: string;
  /** Whether CloudFormation generates the name. */
  readonly generated: boolean;
  readonly arn: string;
  /** The statements of its trust policy. @default - known only at deployment */
  readonly trust?: readonly Statement[];
  /** Inline and attached policies of the templates, whether the role or the policy declares the attachment. */
  readonly policies: readonly Policy[];
  /** ARNs of attached policies outside the templates: AWS managed policies and policies of other stacks. */
  readonly otherPolicies: readonly string[];
}

export interface InstanceProfile extends Declared {
  readonly name: string;
  readonly roles: readonly string[];
}

export interface Queue extends Declared {
  readonly name: string;
  readonly arn: string;
  /** A token, because the URL is known only at deployment. */
  readonly url: string;
  /** The key's id, ARN or alias. @default - no encryption, or encryption managed by SQS */
  readonly kmsKey?: string;
  readonly fifo: boolean;
  /** Statements of its queue policies. @default - one of the policies is known only at deployment */
  readonly statements?: readonly Statement[];
  /** Whether the input has a policy of the queue, which has at most one. */
  readonly hasPolicy: boolean;
}

export interface EventRule extends Declared {
  readonly arn: string;
  /** @default - known only at deployment */
  readonly pattern?: PlainRecord;
  readonly state?: string;
  readonly bus?: string;
  readonly targets: readonly string[];
}

export interface KmsKey extends Declared {
  /** All texts that can refer to the key: its id, ARN, aliases and alias ARNs, in this order. */
  readonly names: readonly string[];
  readonly enabled: boolean;
  readonly statements?: readonly Statement[];
}

export interface EksCluster extends Declared {
  readonly name: string;
  /** For example `1.34`. @default - known only at deployment, or EKS's default version */
  readonly version?: string;
  /** `CONFIG_MAP`, `API` or `API_AND_CONFIG_MAP`. @default - known only at deployment */
  readonly authenticationMode?: string;
  /** Whether EKS Auto Mode is enabled. */
  readonly autoMode: boolean;
  /** The node pools of EKS Auto Mode that it enables. @default - none, or not known */
  readonly autoModePools?: readonly string[];
  /** Whether it names a role for the nodes of Auto Mode, or may do so. */
  readonly hasAutoModeRole: boolean;
}

/** A resource that belongs to one EKS cluster. */
export interface EksResource extends Declared {
  /** The cluster's name. */
  readonly cluster: string;
}

export interface AccessEntry extends EksResource {
  readonly principal: string;
  readonly entryType: string;
}

export interface PodIdentityAssociation extends EksResource {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly role: string;
}

export interface NodeGroup extends EksResource {
  readonly role: string;
  /** For example `AL2023_x86_64_STANDARD`. @default - EKS's default, or known only at deployment */
  readonly amiType?: string;
  readonly minSize?: number;
  readonly subnets: number;
  /** Labels of its nodes, without those that EKS adds. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

export interface FargateProfile extends EksResource {
  readonly selectors: ReadonlyArray<{ readonly namespace: string; readonly labels: Readonly<Record<string, string>> }>;
}

export interface Addon extends EksResource {
  readonly name: string;
}

export interface HelmRelease extends EksResource {
  readonly release: string;
  readonly chart: string;
  readonly repository: string;
  readonly version?: string;
  readonly namespace: string;
  /** @default - known only at deployment */
  readonly values?: PlainRecord;
}

/** The Kubernetes objects that a template resource applies. */
export interface AppliedManifest extends EksResource {
  readonly objects: readonly ManifestObject[];
}

export interface Tagged extends Declared {
  /** The id that `Ref` returns. */
  readonly name: string;
  /** @default - known only at deployment */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface Subnet extends Tagged {
  /** The lengths of the prefixes of its IPv4 blocks; several if Terraform makes several subnets. @default - unknown */
  readonly prefixLengths?: readonly number[];
  /** Its zone; several if Terraform makes several subnets. @default - unknown */
  readonly zones?: readonly string[];
  /** Whether instances get a public IP address. @default - known only at deployment */
  readonly mapsPublicIp?: boolean;
  /** Whether the module that makes it gives it no route to other networks. @default - its route table says it */
  readonly isIsolated?: boolean;
  readonly vpc: string;
}

export interface SecurityGroup extends Tagged {
  readonly groupName?: string;
  /** Whether Terraform makes it without any rule for outgoing traffic, and so removes the rule that AWS adds. */
  readonly isClosed?: boolean;
  readonly vpc: string;
}

/** Where the routes of a route table lead to. */
export interface RouteTable extends Declared {
  /** Texts with which subnets refer to it. */
  readonly name: string;
  /** Whether it has routes that are known only at deployment. */
  readonly hasUnknownRoutes: boolean;
  /** Where the route for all addresses leads to. @default - there is none */
  readonly way?: 'internet gateway' | 'other';
  /** The names of the NAT gateways that routes for all addresses lead to. */
  readonly natGateways: readonly string[];
}

export interface NatGateway extends Declared {
  readonly name: string;
  /** The name of its subnet. */
  readonly subnet: string;
  /** Whether it may have no public address. */
  readonly isPrivate: boolean;
}

/** The routes of the VPC. */
export interface Network {
  readonly routeTables: readonly RouteTable[];
  /** The names of subnets and of their route tables. */
  readonly associations: ReadonlyArray<{ readonly subnet: string; readonly table: string }>;
  readonly natGateways: readonly NatGateway[];
  /** Whether nodes reach AWS by VPC endpoints, or by routes that cannot be read. */
  readonly hasEndpoints: boolean;
}

/** A call of the Karpenter submodule of the EKS module of Terraform. */
export interface KarpenterModule {
  readonly resource: TemplateResource;
  readonly name: string;
  /** The name of the role that Karpenter may pass to nodes, or how it begins. @default - unknown */
  readonly nodeRole?: string;
  readonly isPrefix: boolean;
  /** The name of its queue. @default - unknown, or it has none */
  readonly queue?: string;
  /** Whether it creates a queue with its rules. @default - unknown */
  readonly hasQueue?: boolean;
  /** @default - unknown */
  readonly hasInstanceProfile?: boolean;
  /** Whether it creates an access entry for the role of nodes. @default - unknown, or the role is not its own */
  readonly hasEntry?: boolean;
}

/** The AWS resources of the templates that matter for Karpenter. */
export interface AwsModel {
  /** Whether the input has any template. */
  readonly hasTemplates: boolean;
  /** Resources whose content is not known, such as nested stacks without a template file: they may declare anything. */
  readonly opaque: readonly TemplateResource[];
  readonly resources: ReadonlyMap<string, TemplateResource>;
  readonly roles: readonly Role[];
  readonly policies: readonly Policy[];
  readonly instanceProfiles: readonly InstanceProfile[];
  readonly serviceLinkedRoles: readonly string[];
  readonly queues: readonly Queue[];
  readonly eventRules: readonly EventRule[];
  readonly kmsKeys: readonly KmsKey[];
  readonly clusters: readonly EksCluster[];
  /** All clusters, also in a model for one cluster. */
  readonly allClusters: readonly EksCluster[];
  readonly accessEntries: readonly AccessEntry[];
  readonly podIdentityAssociations: readonly PodIdentityAssociation[];
  readonly nodeGroups: readonly NodeGroup[];
  /** In the model for the first cluster: node groups of clusters without manifests and charts, which get no model. */
  readonly otherNodeGroups: readonly NodeGroup[];
  readonly fargateProfiles: readonly FargateProfile[];
  readonly addons: readonly Addon[];
  readonly helmReleases: readonly HelmRelease[];
  /** The releases of all clusters, also in a model for one cluster. */
  readonly allHelmReleases: readonly HelmRelease[];
  /** Self-managed node groups, whose node count is not known. */
  readonly autoScalingGroups: readonly TemplateResource[];
  readonly manifests: readonly AppliedManifest[];
  readonly subnets: readonly Subnet[];
  readonly securityGroups: readonly SecurityGroup[];
  readonly network: Network;
  readonly karpenterModules: readonly KarpenterModule[];
}
