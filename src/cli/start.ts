import { join } from 'path';
import { CompiledModule } from './compiled-module';
import { EXIT } from './io';
import { expectLittleWork } from './v8-tuning';

/**
 * The entry point of `bin/`: runs the command line from its bundle, with the code that an earlier process has compiled.
 */
export function start(): void {
  expectLittleWork();
  const [, , command = ''] = process.argv;
  const bundle = new CompiledModule(join(__dirname, 'bundle.js'), /^[a-z-]+$/.test(command) ? command : 'other');
  (bundle.load() as typeof import('./process')).runAsProcess();
  process.once('exit', (code) => {
    // After invalid arguments, only little code has been compiled.
    if (code === EXIT.unusable) return;
    // V8 accepts compiled code only under the settings that it was compiled with.
    expectLittleWork();
    bundle.writeCodeCache();
  });
}
