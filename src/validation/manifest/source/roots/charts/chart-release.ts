import { dirname, join, normalize } from 'path';
import { SourceFile } from '../../../model';
import { DeployedBuild } from '../inline-build';

/** How a chart is deployed, as far as the input says. */
export interface ChartRelease {
  /** The folder of the chart. */
  readonly chart: string;
  /** @default - the name of the chart */
  readonly name?: string;
  readonly namespace?: string;
  /** Each overrides those before it, and the default values of the chart. */
  readonly values: readonly ChartValues[];
  /** Single values, which override all others. */
  readonly parameters: readonly ChartParameter[];
  /** The values that are not in the input, as a name or a path. */
  readonly missing: readonly string[];
  /** The file that says how the chart is deployed. @default - none does */
  readonly definedIn?: string;
  /** The name of the cluster root. @default - the input has no clusters, or does not say which */
  readonly cluster?: string;
  /** What the post-renderers of a HelmRelease change in the objects of the chart. @default - nothing */
  readonly postRenderer?: DeployedBuild;
}

export interface ChartValues {
  /** A text in YAML. */
  readonly text: string;
  /** Where the text is from: a path, or the file of the object that has the values. */
  readonly from: string;
}

export interface ChartParameter {
  /** In the syntax of `helm --set`, such as `image.tag`. */
  readonly key: string;
  readonly value: string;
  /** Whether the value stays a text although it looks like a number. */
  readonly isText: boolean;
}

/** A release whose name and namespace helm accepts. */
export interface NamedRelease extends ChartRelease {
  readonly name: string;
  /** Whether only a cluster for development gets the release, by its names. @default false */
  readonly isForDevelopment?: boolean;
  /** The folder of the chart that has this one as a dependency, if nothing else deploys it. @default - none */
  readonly partOf?: string;
  /** Whether the chart is a copy of one that its vendor publishes, or nothing deploys it. @default false */
  readonly isOfOthers?: boolean;
  /** The subcharts that are written in the repository, such as `charts/web`. @default - all are of vendors */
  readonly ownParts?: readonly string[];
}

/** Values and what is missing of them, while they are collected. */
export class CollectedValues {
  public readonly values: ChartValues[] = [];
  public readonly missing: string[] = [];

  public constructor(private readonly files: ReadonlyMap<string, SourceFile>) {}

  public addText(text: string, from: string): void {
    this.values.push({ text, from });
  }

  public addObject(object: unknown, from: string): void {
    this.addText(JSON.stringify(object), from);
  }

  /** Adds the first of these files that the input has. */
  public addFile(paths: readonly string[], shown: string, isOptional = false): void {
    const file = paths
      .map((path) => this.files.get(normalize(path)))
      .find((found) => found !== undefined && found.unreadable === undefined);
    if (file) this.addText(file.text, file.path);
    else if (!isOptional) this.missing.push(shown);
  }
}

export function filesByPath(files: readonly SourceFile[]): ReadonlyMap<string, SourceFile> {
  return new Map(files.map((file) => [normalize(file.path), file]));
}

/** Where a path of the repository may be: its root is the outermost folder around the file that has the path. */
export function pathsFromRoots(file: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(normalize(file)); ; folder = dirname(folder)) {
    folders.unshift(join(folder, path));
    if (folder === dirname(folder)) return folders;
  }
}
