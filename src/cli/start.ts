import { join } from 'path';
import { CompiledModule } from './compiled-module';
import { EXIT } from './io';
import { expectLittleWork } from './optimising';

/** What `bin/` does: runs the command line from its bundle, compiled by an earlier process where there was one. */
export function start(): void {
  expectLittleWork();
  const [, , command = ''] = process.argv;
  const bundle = new CompiledModule(join(__dirname, 'bundle.js'), /^[a-z-]+$/.test(command) ? command : 'other');
  (bundle.load() as typeof import('./process')).runAsProcess();
  process.once('exit', (code) => {
    // After a mistake of the caller little of it has been compiled.
    if (code === EXIT.unusable) return;
    // V8 takes what it compiled only under the same settings.
    expectLittleWork();
    bundle.keep();
  });
}
