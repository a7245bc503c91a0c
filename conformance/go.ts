import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The folder of the Go module, which is the folder of this file. */
export const MODULE = __dirname;
/** Folder of the built programs; not under version control. */
export const BIN = join(MODULE, 'bin');
export const PROVIDER = 'github.com/aws/karpenter-provider-aws';

/** Allows the download of a newer Go: go.mod may require one, and some installations have `GOTOOLCHAIN=local`. */
function environment(): NodeJS.ProcessEnv {
  const wanted = process.env.GOTOOLCHAIN;
  return { ...process.env, GOTOOLCHAIN: wanted === undefined || wanted === 'local' ? 'auto' : wanted };
}

function go(args: readonly string[], folder = MODULE): string {
  return execFileSync('go', args, {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export interface Build {
  /** Folder of the command. */
  readonly command: string;
  /** Name of the program in bin/. */
  readonly program: string;
  readonly tags?: readonly string[];
  /** Module file, relative to go.mod. @default - go.mod */
  readonly modfile?: string;
}

/** Builds a command, unless it is up to date, and returns the program's path. */
export function build({ command, program, tags = [], modfile }: Build): string {
  const path = join(BIN, program);
  go([
    'build',
    '-buildvcs=false',
    ...(modfile === undefined ? [] : [`-modfile=${modfile}`]),
    `-tags=${tags.join(',')}`,
    '-o',
    path,
    `./${command}`,
  ]);
  return path;
}

/** Builds a program of a required module in the module of a folder, and returns its path. */
export function buildRequired(folder: string, source: string, program: string, ...flags: string[]): string {
  const path = join(BIN, program);
  go(['build', '-buildvcs=false', ...flags, '-o', path, source], folder);
  return path;
}

/** The version of a module that the module of a folder requires. */
export function requiredVersion(module: string, folder = MODULE): string {
  const version = go(
    ['list', '-m', '-f', '{{if .Replace}}{{.Replace.Version}}{{else}}{{.Version}}{{end}}', module],
    folder,
  );
  return version.trim();
}

/** The folder of a module's files, in the version of a module file. Downloads them if they are missing. */
export function moduleFolder(module: string, modfile?: string): string {
  const flags = modfile === undefined ? [] : [`-modfile=${modfile}`];
  go(['mod', 'download', ...flags, module]);
  return go(['list', '-m', ...flags, '-f', '{{.Dir}}', module]).trim();
}
