import { join } from 'path';
import { version } from 'process';
import { setFlagsFromString } from 'v8';
import { CompiledModule } from './compiled-module';
import { EXIT } from './io';

/** In bytes of bytecode run, six times V8's own. */
const OPTIMISED_AFTER = 400_000;

/** What `bin/` does: runs the command line from its bundle, compiled by an earlier process where there was one. */
export function start(): void {
  waitWithOptimising();
  const [, , command = ''] = process.argv;
  const bundle = new CompiledModule(join(__dirname, 'bundle.js'), /^[a-z-]+$/.test(command) ? command : 'other');
  (bundle.load() as typeof import('./process')).runAsProcess();
  process.once('exit', (code) => {
    // After a mistake of the caller little of it has been compiled.
    if (code !== EXIT.unusable) bundle.keep();
  });
}

/**
 * Most commands end before what V8 optimises of them is run often enough to pay for that: `check` on two hundred Deployments takes a fifth
 * less time this way, and one of ten thousand Pods, which takes seconds, as much as before. Later versions have a
 * compiler for such code, and not this setting.
 */
function waitWithOptimising(): void {
  if (version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${OPTIMISED_AFTER}`);
}
