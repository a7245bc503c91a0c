import { FieldPath } from '../../../../../contract';
import { SourceFile } from '../../../model';
import { PlainRecord } from '../../../records';
import { ObjectEdit } from '../kustomization-edits';
import { InlineFields } from '../kustomize/inline-fields';

/** A folder of the input that Argo CD or Flux deploys to a cluster. */
export interface DeployedPath {
  /** A name of the cluster that is equal for equal destinations. */
  readonly cluster: string;
  readonly folder: string;
  /** Whether subfolders are deployed, too, if the folder has no kustomization. */
  readonly isRecursive: boolean;
  /** Whether a file is deployed if the folder has no kustomization, by its path in the folder. @default - all are */
  readonly isIncluded?: (path: string) => boolean;
  /** The object that deploys the folder. */
  readonly by: Deployer;
  /** What the deploying object adds to the kustomization of the folder. @default - nothing */
  readonly inline?: InlineFields;
  /** Changes of the objects after the build of the kustomization. */
  readonly edits: readonly ObjectEdit[];
  /** The Application of Argo CD that deploys the folder. @default - Flux does */
  readonly application?: DeployingApplication;
  /** Equal for equal inline fields and edits. */
  readonly variant: string;
}

/** An Application of Argo CD, or a Kustomization of Flux. */
export interface Deployer {
  readonly definition: DefinedObject;
  /** @default - the object has none, or one with a value that is not in the input */
  readonly name?: string;
}

/** What an Application says about the chart that it deploys. */
export interface DeployingApplication {
  readonly file: string;
  readonly name?: string;
  readonly namespace?: string;
  /** The field `helm` of the source. */
  readonly helm: PlainRecord;
  /** The names of sources of this repository, whose value files the chart may get. */
  readonly ownReferences: readonly string[];
}

export interface DeployedPaths {
  readonly paths: readonly DeployedPath[];
  /** How many sources are in other repositories, or have a value that is not in the input. */
  readonly elsewhere: number;
  /** All paths that are written. */
  readonly written: readonly WrittenPath[];
}

/** A path in a repository that an object of Argo CD or Flux writes. */
export interface WrittenPath {
  readonly definition: DefinedObject;
  /** The URL of the repository. */
  readonly url: unknown;
  /** The branch, the tag or the commit. @default - the default branch */
  readonly revision?: unknown;
  readonly path: unknown;
  readonly field: FieldPath;
  /** Whether only the files of the folder itself are deployed, unless it is a chart or a kustomization. */
  readonly isFlat?: boolean;
}

/** An object of the input, with the file that defines it. */
export interface DefinedObject {
  readonly file: SourceFile;
  readonly object: PlainRecord;
}
