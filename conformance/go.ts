import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The Go module beside this file. */
export const MODULE = __dirname;
/** What is built; not under version control. */
export const BIN = join(MODULE, 'bin');
export const PROVIDER = 'github.com/aws/karpenter-provider-aws';

/** Some installations keep to the Go that they are; go.mod may ask for a newer one. */
function environment(): NodeJS.ProcessEnv {
  const wanted = process.env.GOTOOLCHAIN;
  return { ...process.env, GOTOOLCHAIN: wanted === undefined || wanted === 'local' ? 'auto' : wanted };
}

function go(args: readonly string[]): string {
  return execFileSync('go', args, { cwd: MODULE, env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

export interface Build {
  /** Folder of the command. */
  readonly command: string;
  /** Name of the program in bin/. */
  readonly program: string;
  readonly tags?: readonly string[];
  /** Instead of go.mod, relative to it. */
  readonly modfile?: string;
}

/** Builds a command, unless it is up to date, and gives the program's path. */
export function build({ command, program, tags = [], modfile }: Build): string {
  const path = join(BIN, program);
  go(['build', '-buildvcs=false', ...(modfile === undefined ? [] : [`-modfile=${modfile}`]), `-tags=${tags.join(',')}`, '-o', path, `./${command}`]);
  return path;
}

/** The folder of a module's files, in the version that a modfile gives it. */
export function moduleFolder(module: string, modfile?: string): string {
  if (modfile !== undefined) go(['mod', 'download', `-modfile=${modfile}`, module]);
  return go(['list', '-m', ...(modfile === undefined ? [] : [`-modfile=${modfile}`]), '-f', '{{.Dir}}', module]).trim();
}
