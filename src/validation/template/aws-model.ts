import { Taint } from '../../model';
import { FieldPath, ManifestObject } from '../manifest/object';
import { PlainRecord } from '../manifest/records';

/** One resource of a template, its intrinsic functions evaluated as far as they can be. */
export interface TemplateResource {
  /** What findings point at: its kind is the resource's type, its name the logical id. */
  readonly object: ManifestObject;
  /** `<template>/<logical id>`. */
  readonly id: string;
  readonly type: string;
  readonly properties: PlainRecord;
  /** Of its stack, where it is known. */
  readonly region?: string;
  readonly account?: string;
  /** Ids of resources of the same template that it names, or depends on in so many words. */
  readonly dependsOn: ReadonlySet<string>;
}

/** Something that a resource declares, and where. */
export interface Declared {
  readonly resource: TemplateResource;
  /** Within the resource, as in `['Properties', 'Policies', 0]`. */
  readonly path: FieldPath;
}

export interface Statement extends Declared {
  readonly sid?: string;
  readonly allows: boolean;
  /** In lower case, as IAM compares them. */
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  readonly resources: readonly string[];
  readonly notResources: readonly string[];
  /** As `Service:events.amazonaws.com`, or `*`. */
  readonly principals: readonly string[];
  readonly conditions: readonly Condition[];
}

export interface Condition {
  /** As in `StringEquals`. */
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** A policy as it was written: absent statements mean that it cannot be read before the deployment. */
export interface Policy extends Declared {
  readonly name: string;
  readonly arn?: string;
  readonly managed: boolean;
  readonly statements?: readonly Statement[];
  /** The document itself. */
  readonly document: unknown;
}

export interface Role extends Declared {
  readonly name: string;
  /** Whether CloudFormation makes the name. */
  readonly generated: boolean;
  readonly arn: string;
  /** Absent where it cannot be read. */
  readonly trust?: readonly Statement[];
  /** All that hang on it, attached from either side. */
  readonly policies: readonly Policy[];
  /** ARNs of attached policies that are not in the templates: AWS's own, and those of others. */
  readonly otherPolicies: readonly string[];
}

export interface InstanceProfile extends Declared {
  readonly name: string;
  readonly roles: readonly string[];
}

export interface Queue extends Declared {
  readonly name: string;
  readonly arn: string;
  /** A token: nobody can write it down before the deployment. */
  readonly url: string;
  /** The key's id, ARN or alias; absent where SQS's own encryption, or none, is used. */
  readonly kmsKey?: string;
  readonly fifo: boolean;
  /** Statements of its queue policies; absent where one cannot be read. */
  readonly statements?: readonly Statement[];
}

export interface EventRule extends Declared {
  readonly arn: string;
  /** Absent where it is only known at deployment. */
  readonly pattern?: PlainRecord;
  readonly state?: string;
  readonly bus?: string;
  readonly targets: readonly string[];
}

export interface KmsKey extends Declared {
  /** Every text by which something can refer to it: id, ARN, aliases and their ARNs. */
  readonly names: readonly string[];
  readonly enabled: boolean;
  readonly statements?: readonly Statement[];
}

export interface EksCluster extends Declared {
  readonly name: string;
  /** As in `1.34`. */
  readonly version?: string;
  /** `CONFIG_MAP`, `API` or `API_AND_CONFIG_MAP`; absent where it is only known at deployment. */
  readonly authenticationMode?: string;
  /** Whether EKS Auto Mode launches nodes in it. */
  readonly autoMode: boolean;
}

/** Something of one cluster. */
export interface OfCluster extends Declared {
  /** The cluster's name. */
  readonly cluster: string;
}

export interface AccessEntry extends OfCluster {
  readonly principal: string;
  readonly entryType: string;
}

export interface PodIdentityAssociation extends OfCluster {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly role: string;
}

export interface NodeGroup extends OfCluster {
  readonly role: string;
  readonly minSize?: number;
  readonly subnets: number;
  readonly taints: readonly Taint[];
}

export interface FargateProfile extends OfCluster {
  readonly selectors: ReadonlyArray<{ readonly namespace: string; readonly labels: Readonly<Record<string, string>> }>;
}

export interface Addon extends OfCluster {
  readonly name: string;
}

export interface HelmRelease extends OfCluster {
  readonly release: string;
  readonly chart: string;
  readonly repository: string;
  readonly version?: string;
  readonly namespace: string;
  /** Absent where they cannot be read before the deployment. */
  readonly values?: PlainRecord;
}

/** Kubernetes objects that a resource applies. */
export interface AppliedManifest extends OfCluster {
  readonly objects: readonly ManifestObject[];
}

export interface Tagged extends Declared {
  /** The id, as Ref gives it. */
  readonly name: string;
  /** Absent where they cannot be read before the deployment. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface Subnet extends Tagged {
  readonly zone?: string;
  /** Whether instances have a public address; absent where it is known only at deployment. */
  readonly mapsPublicIp?: boolean;
  readonly vpc: string;
}

export interface SecurityGroup extends Tagged {
  readonly groupName?: string;
  readonly vpc: string;
}

/** What templates say of AWS, as far as Karpenter has to do with it. */
export interface AwsModel {
  /** Whether there is any template. */
  readonly given: boolean;
  /** Resources that may hold what is looked for, and cannot be looked into. */
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
  readonly accessEntries: readonly AccessEntry[];
  readonly podIdentityAssociations: readonly PodIdentityAssociation[];
  readonly nodeGroups: readonly NodeGroup[];
  readonly fargateProfiles: readonly FargateProfile[];
  readonly addons: readonly Addon[];
  readonly helmReleases: readonly HelmRelease[];
  /** Those of other clusters too, where the model is for one. */
  readonly allHelmReleases: readonly HelmRelease[];
  /** Auto Scaling groups: nodes that nothing here knows the number of. */
  readonly autoScalingGroups: readonly TemplateResource[];
  readonly manifests: readonly AppliedManifest[];
  readonly subnets: readonly Subnet[];
  readonly securityGroups: readonly SecurityGroup[];
}
