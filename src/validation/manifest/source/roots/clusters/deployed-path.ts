import { SourceFile } from '../../../model';
import { PlainRecord } from '../../../records';
import { ObjectEdit } from '../kustomization-edits';

/** A folder of the input that Argo CD or Flux deploys to a cluster. */
export interface DeployedPath {
  /** A name of the cluster that is equal for equal destinations. */
  readonly cluster: string;
  readonly folder: string;
  /** Whether subfolders are deployed, too, if the folder has no kustomization. */
  readonly isRecursive: boolean;
  /** Changes of the objects that the deploying object writes. */
  readonly edits: readonly ObjectEdit[];
  /** The Application of Argo CD that deploys the folder. @default - Flux does */
  readonly application?: DeployingApplication;
  /** Equal for equal edits. */
  readonly variant: string;
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
}

/** An object of the input, with the file that defines it. */
export interface DefinedObject {
  readonly file: SourceFile;
  readonly object: PlainRecord;
}
