import { readManifests } from './manifests';
import { printProgram } from './print-program';
import { Program } from './program';
import { SourceFile } from '../../validation';

export interface TypeScriptProgram {
  readonly text: string;
  /** Documents that are no objects, or that no program can give back as they were, by file and line. */
  readonly left: ReadonlyArray<{ readonly file: string; readonly line: number; readonly column: number }>;
}

/**
 * Writes manifests as a program of constructs, which gives back the same objects: each that Karpenter serves by its
 * construct, all others by an `ApiObject`. What cannot be read is left out.
 */
export function writeTypeScript(files: readonly SourceFile[]): TypeScriptProgram {
  const { manifests, noObjects, comments } = readManifests(files);
  const program = new Program(manifests);
  return { text: printProgram(program.statements, comments), left: [...noObjects, ...program.lost.map(({ location }) => location)] };
}
