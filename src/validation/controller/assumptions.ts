import { installed } from './controller';
import { Controller } from './model';
import { isKnownKarpenterVersion } from '../../contract';
import { CheckOptions } from '../options';
import { byCodePoint } from '../order';

/** What the verdict does not take from what the input installs, so that it may be of another Karpenter than theirs. */
export function controllerAssumptions(controllers: readonly Controller[], { karpenterVersion }: CheckOptions): string[] {
  const all = installed(controllers);
  if (all.length > 1) {
    return [`the input installs Karpenter ${all.length} times (${all.map(nameOf).sort(byCodePoint).join(', ')}): what these say of its version and settings is not used`];
  }
  return all.flatMap((controller) => {
    const { version } = controller;
    const isUnknown = karpenterVersion === undefined && version !== undefined && !isKnownKarpenterVersion(version);
    return isUnknown ? [`${nameOf(controller)} installs Karpenter ${version}, which is not known here`] : [];
  });
}

function nameOf({ object: { kind, namespace, name } }: Controller): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
