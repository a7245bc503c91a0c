/* eslint-disable @typescript-eslint/no-require-imports -- most runs show no progress, and start faster without it */
import { join } from 'path';
import { isMainThread } from 'worker_threads';
import { CompiledModule } from './compiled-module';
import { EXIT } from './io';
import { wantsProgress } from './terminal/wants-progress';
import { expectLittleWork } from './v8-tuning';

/**
 * The entry point of `bin/`: runs the command line from the bundle of the package, with the code that an earlier
 * process has compiled.
 */
export function start(): void {
  if (isMainThread && wantsProgress(process))
    return (require('./terminal/supervise') as typeof import('./terminal/supervise')).superviseInTerminal(__filename);
  expectLittleWork();
  const [, , command = ''] = process.argv;
  const bundle = new CompiledModule(join(__dirname, '..', 'bundle.js'), /^[a-z-]+$/.test(command) ? command : 'other');
  (bundle.load() as { readonly cli: typeof import('./process') }).cli.runAsProcess();
  process.once('exit', (code) => {
    // After invalid arguments, only little code has been compiled.
    if (code === EXIT.unusable) return;
    // V8 accepts compiled code only under the settings that it was compiled with.
    expectLittleWork();
    bundle.writeCodeCache();
  });
}
