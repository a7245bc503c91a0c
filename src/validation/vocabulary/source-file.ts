import { FieldPath } from '../../contract';
import { Taint } from '../../model';

/** The environment of a CloudFormation stack, which its template does not contain. */
export interface StackFacts {
  readonly region?: string;
  readonly account?: string;
}

/** A region that manifests refer to, without requiring it. */
export interface ReferredRegion {
  readonly region: string;
  /** What names the region, for messages. */
  readonly source: string;
  /** Whether `source` is singular. */
  readonly isOne: boolean;
}

/** Nodes that Terraform or eksctl creates and Karpenter does not manage. */
export interface WrittenNodeGroup {
  readonly name: string;
  /** @default - known only to Terraform */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - known only to Terraform */
  readonly taints?: readonly Taint[];
  /** How many nodes it starts with. @default - unknown */
  readonly nodes?: number;
  /** Where it is written. @default - eksctl's file has it */
  readonly place?: Place & { readonly path: string };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A resource in a Terraform file. Values that only Terraform knows are placeholders with their expressions. */
export interface WrittenResource {
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  /** The key of `for_each`. @default - a single resource, or unknown keys */
  readonly index?: string;
  /** The module that makes the resource. @default - the file itself */
  readonly module?: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Where it is, and where its attributes are. */
  readonly place: Place & { readonly path: string; readonly attributes: Readonly<Record<string, Place>> };
}

/** How a Terraform file deploys a chart of the repository. Unknown values are placeholders with their expressions. */
export interface WrittenRelease {
  /** Where the chart may be, the most likely folder first. */
  readonly charts: readonly string[];
  readonly name?: string;
  readonly namespace?: string;
  /** Texts in YAML, and where each is from. A later one overrides those before it. */
  readonly values: ReadonlyArray<{ readonly text: string; readonly from: string }>;
  /** Values in the syntax of `helm --set`. */
  readonly parameters: ReadonlyArray<{ readonly key: string; readonly value: string; readonly isText: boolean }>;
  /** What only Terraform knows, as it is written. */
  readonly missing: readonly string[];
}

/** A list of an object of Karpenter that a strategic merge patch of a kustomization has replaced as a whole. */
export interface ReplacedList {
  /** The file of the patch, or the kustomization that contains it. */
  readonly file: SourceFile;
  /** The field of the kustomization that has the text of the patch. @default - the patch has a file of its own */
  readonly inline?: readonly (string | number)[];
  readonly apiVersion: string;
  readonly kind: string;
  /** The name of the patched object, as the patch finds it. */
  readonly name: string;
  /** Path of the list in the object. */
  readonly path: readonly string[];
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  /** The list in the result of the kustomization, after all patches. */
  readonly built: readonly unknown[];
}

/** A value that a JSON patch, or a merge patch of the kustomization itself, writes into an object. */
export interface PatchedField extends Pick<ReplacedList, 'file' | 'inline' | 'kind' | 'name'> {
  /** The number of the operation in the patch. */
  readonly operation: number;
  /** Path of the value in the object, with numbers as text. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A patch whose target selects no object, so that it changes nothing. kustomize does not report it. */
export interface UnmatchedPatch {
  /** The kustomization, or the file of the object of Argo CD or Flux that has the patch. */
  readonly file: SourceFile;
  /** The target in the document. */
  readonly path: readonly (string | number)[];
  /** The object of Argo CD or Flux that has the patch. @default - the kustomization of the file has it */
  readonly by?: Readonly<Record<string, unknown>>;
  readonly target: Readonly<Record<string, string>>;
  /** The field of the target that differs from the object that is meant. */
  readonly field: 'name' | 'kind' | 'version' | 'group' | 'namespace';
  /** The value of that object. @default - no object is known to be meant */
  readonly nearest?: string;
  /** The objects of the kind that the build has. @default - only looked for without a nearest value */
  readonly others?: readonly string[];
}

/** Why an object of Flux or Argo CD deploys nothing, or not what it is meant to. */
export interface DeploymentProblem {
  /** Whether it cannot deploy, or is switched off. */
  readonly kind: 'blocked' | 'suspended';
  readonly file: SourceFile;
  /** As it is written in the file. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly path: FieldPath;
  readonly message: string;
  readonly remedy: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  /** @default - that of the rule */
  readonly severity?: 'error' | 'warning';
}

/** An object that gets `karpenter.sh/do-not-disrupt` from a kustomization that writes it for many, or whose pods do. */
export interface ProtectedObject {
  readonly kind: string;
  readonly name: string;
  /** Empty if the object writes none. */
  readonly namespace: string;
  /** The kustomization, its patch, or the file of the object of Argo CD that has the annotation. */
  readonly file: SourceFile;
  /** The object of Argo CD. @default - the kustomization or the patch has the annotation */
  readonly by?: Readonly<Record<string, unknown>>;
  readonly path: FieldPath;
}

/** An object of Karpenter whose name a prefix or suffix of a kustomization has changed. */
export interface RenamedObject {
  readonly kind: string;
  /** The name that is written in the file. */
  readonly from: string;
  readonly to: string;
  /** The kustomization that has the prefix or suffix. */
  readonly file: SourceFile;
  readonly field: 'namePrefix' | 'nameSuffix';
}

/** Where a call of Terraform writes the values of a template. */
export interface TemplatePlaces {
  readonly file: SourceFile;
  /** By the names of the template. */
  readonly offsets: Readonly<Record<string, number>>;
}

/** A file's path and text. The path `-` is standard input. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /**
   * Whether the file was found in a folder instead of being named. Then it may be something else than a manifest.
   * @default false
   */
  readonly isFound?: boolean;
  /** The text of the file, if `text` is made from it, line by line. @default - `text` */
  readonly written?: string;
  /** Where the values are written that the text has instead of names. @default - it is no template */
  readonly filledFrom?: TemplatePlaces;
  /** Whether a tool has made the text, so that its findings get no fixes. @default false */
  readonly isGenerated?: boolean;
  /** How helm has made the file. @default - helm has not made it */
  readonly chart?: ChartRendering;
  /** Changes each object of the file, as a kustomization does; undefined removes the object. @default - no change */
  readonly edit?: ObjectEdit;
  /** Files of strategic merge patches that the edit applies, the last one first. @default - none */
  readonly patches?: readonly SourceFile[];
  /** Objects of the file that the kustomization has renamed. @default - none */
  readonly renamedObjects?: readonly RenamedObject[];
  /** Objects of the file to which the kustomization adds `karpenter.sh/do-not-disrupt`. @default - none */
  readonly protectedObjects?: readonly ProtectedObject[];
  /** Lists that patches of the kustomization have replaced in objects of the file. @default - none */
  readonly replacedLists?: readonly ReplacedList[];
  /** Values that patches of the kustomization write into objects of the file. @default - none */
  readonly patchedFields?: readonly PatchedField[];
  /** Patches of the build that change nothing, on one of its files. @default - none */
  readonly unmatchedPatches?: readonly UnmatchedPatch[];
  /** Objects of Flux and Argo CD in any file of the input that deploy nothing. @default - none */
  readonly deploymentProblems?: readonly DeploymentProblem[];
  /** Why the text cannot be read (too large, not UTF-8, no permission), and the offset where it becomes unreadable. */
  readonly unreadable?: {
    readonly message: string;
    readonly remedy: string;
    readonly offset?: number;
    /** Whether kustomize refuses to build with the file, whose text can be read. @default false */
    readonly isRefused?: boolean;
    /** Whether a misspelt name is the reason, and the remedy has the right one. @default false */
    readonly isMisspelt?: boolean;
    /** @default error */
    readonly severity?: 'error' | 'warning' | 'info';
  };
  /** The stack of a CloudFormation template, if it is known. */
  readonly stack?: StackFacts;
  /** Whether only a cluster for development gets the file, by the name of its root. @default false */
  readonly isForDevelopment?: boolean;
  /** Whether the file is a sample, or written by a vendor. @default false */
  readonly isOfOthers?: boolean;
  /** Whether a chart makes the file with its default values, and who installs it may give others. @default false */
  readonly hasDefaultValues?: boolean;
  /** Whether the file is kept beside its successor, so that nobody deploys it. @default false */
  readonly isLeftOver?: boolean;
  /** The release of Karpenter that another root of the repository installs. @default - unknown */
  readonly karpenterVersion?: string;
  /** The releases that the repository installs, if no single one serves the objects of the root. @default - none */
  readonly otherReleases?: readonly string[];
  /** Whether only Terraform knows the release that the repository installs. @default false */
  readonly isReleaseUnknown?: boolean;
  /** Whether no file of the repository names Karpenter. @default false */
  readonly isWithoutKarpenter?: boolean;
  /** The region of the AWS provider in the Terraform files of the repository. @default - unknown, or several */
  readonly terraformRegion?: string;
  /** The region that other manifests of the same cluster refer to. @default - unknown, or several */
  readonly regionElsewhere?: ReferredRegion;
  /** The version of Kubernetes in the Terraform files of the repository. @default - unknown, or several */
  readonly kubernetesVersion?: string;
  /** The node groups that other files of the repository create. @default - none are known */
  readonly nodeGroups?: readonly WrittenNodeGroup[];
  /** Names of device plugins that some file of the repository mentions. @default - none */
  readonly devicePlugins?: readonly string[];
  /** Names of the CSI drivers that some file of the repository installs. @default - none */
  readonly clusterPrograms?: readonly string[];
  /** AWS resources in the Terraform files of the repository. @default - none, or those of several clusters */
  readonly terraformResources?: readonly WrittenResource[];
  /** What Terraform or a script says about Karpenter. Then the text is empty. @default - a file with manifests */
  readonly trace?: KarpenterTrace;
}

/** A chart that helm has rendered, and can render again with changes. */
export interface ChartRendering {
  /** Values of the release. Each overrides those before it, and the default values of the chart. */
  readonly values: ReadonlyArray<{ readonly text: string; readonly from: string }>;
  /** Single values in the syntax of `helm --set`, which override all others. */
  readonly parameters: ReadonlyArray<{ readonly key: string; readonly value: string; readonly isText: boolean }>;
  /** The file that says how the chart is deployed. @default - none does */
  readonly definedIn?: string;
  /** The templates and default values of the chart and its subcharts. */
  files(): readonly ChartFile[];
  /** The text of a file of the input. */
  textOf(path: string): string | undefined;
  /** The texts of the rendered files by their paths. Undefined if helm fails, or has run too often. */
  render(changes: ChartChanges): ReadonlyMap<string, string> | undefined;
}

export interface ChartFile {
  /** The path in the chart as helm reads it, such as `charts/web/values.yaml`. */
  readonly inside: string;
  readonly path: string;
  readonly text: string;
}

/** What differs when a chart is rendered again. */
export interface ChartChanges {
  /** Texts of files of the chart, by their paths in it. */
  readonly files?: ReadonlyMap<string, string>;
  /** Texts of the values of the release, by their index. */
  readonly values?: ReadonlyMap<number, string>;
  /** Values of parameters, by their index. */
  readonly parameters?: ReadonlyMap<number, string>;
  /** Values over those of all files. */
  readonly overlay?: Readonly<Record<string, unknown>>;
}

export interface KarpenterTrace {
  /** The release that is installed. @default - the file does not say it, or says several */
  readonly version?: string;
  /** Whether `version` is only the default of a variable, which counts if something uses it. @default false */
  readonly isDefault?: boolean;
  /** Whether Terraform uses a variable with the release. @default false */
  readonly usesVersion?: boolean;
  /** The release in lines that are commented out, which counts if no other file says one. @default - none */
  readonly commentedVersion?: string;
  /** The region of the AWS provider. @default - the file does not say it */
  readonly region?: string;
  /** The versions of Kubernetes that the file writes for a cluster. @default - none */
  readonly kubernetes?: { readonly assigned: readonly string[]; readonly defaults: readonly string[] };
  /** Whether the file creates an EKS cluster. @default false */
  readonly createsCluster?: boolean;
  /** The node groups that the file creates. @default - none */
  readonly nodeGroups?: readonly WrittenNodeGroup[];
  /** The AWS resources that the file creates. @default - none */
  readonly resources?: readonly WrittenResource[];
  /** The charts of the repository that the file may deploy. @default - none */
  readonly releases?: readonly WrittenRelease[];
  /** Names of the device plugins that the file mentions. @default - none */
  readonly devicePlugins?: readonly string[];
  /** Names of the CSI drivers that the file installs. @default - none */
  readonly clusterPrograms?: readonly string[];
  /** What commands of a script do beside Terraform: tag subnets, or let roles join. @default - nothing */
  readonly scripted?: ReadonlyArray<'tags' | 'roles'>;
  /** Whether the file does not name Karpenter. @default false */
  readonly isSilent?: boolean;
}

/** A variable in a field that Flux replaces by an empty text, because it has no value. */
export interface EmptiedVariable {
  readonly path: FieldPath;
  /** As it is written, with its dollar sign. */
  readonly text: string;
  /** The value of the field before Flux changes it. */
  readonly written: string;
  /** The name of a similar variable that has a value. @default - none */
  readonly nearest?: string;
  /** Whether the field is a script that sets the variable itself. */
  readonly isAssigned: boolean;
  /** Whether Flux stops with an error instead. */
  readonly isRefused: boolean;
  /** The Kustomization whose values Flux fills in, such as `Kustomization apps`. */
  readonly by: string;
}

/** Changes an object as a kustomization does. */
export interface ObjectEdit {
  /** Returns undefined if it removes the object. */
  (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined;
  /** The variables of the object that it replaces by an empty text. @default - it replaces no variables */
  readonly emptied?: (object: Readonly<Record<string, unknown>>) => readonly EmptiedVariable[];
}
