import { realpathSync } from 'fs';
import { problemOfKustomization } from './kustomization-inputs';
import type { Programs } from './programs';
import { repositoryRoot } from '../../model';
import type { RunKustomize } from '../../validation';
import type { RootFlags } from '../options/root-options';

/** Runs kustomize, or kubectl if only that is installed. */
export function kustomizeRunner(flags: RootFlags, programs: Programs): RunKustomize {
  const { enableHelm = false } = flags;
  return (folder, hasCharts) => {
    if (hasCharts && !flags.helm) return { problem: 'kustomize is not run, because of --no-helm' };
    if (hasCharts && !enableHelm)
      return { problem: 'kustomize is not run, because it renders charts only with --enable-helm' };
    const root = repositoryRoot(folder);
    const refused = problemOfKustomization(folder, root, flags);
    if (refused !== undefined) return { problem: `kustomize is not run: ${refused}` };
    const args = [...(enableHelm && flags.helm ? ['--enable-helm'] : []), '--', realpathSync(folder)];
    const kustomize = programs.run('kustomize', ['build', ...args], root);
    const result = kustomize.isMissing ? programs.run('kubectl', ['kustomize', ...args], root) : kustomize;
    if (result.isMissing) return undefined;
    const program = kustomize.isMissing ? 'kubectl kustomize' : 'kustomize build';
    return result.problem === undefined ? result : { problem: `${program} failed: ${result.problem}` };
  };
}
