import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App } from 'cdk8s';
import { errorWithoutStack } from '../model';
import { SourceFile } from '../validation';

/**
 * Synthesises the app with `synth` and returns the manifests with their paths in the app's outdir. The manifests are
 * rendered into an empty folder first, because the outdir may contain files of an earlier run or of other tools. Only
 * the app, which is the user's own program, writes to that folder, so its files are read without the checks for a
 * stranger's links and pipes.
 */
export function renderApp(app: App, synth: () => void): SourceFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-verdict-'));
  try {
    // Only this call sees the temporary outdir: constructs still see the app with its own outdir.
    synth.call(Object.create(app, { outdir: { value: folder } }));
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(app.outputFileExtension))
      .sort()
      .map((file) => ({ path: join(app.outdir, file), text: readFileSync(join(folder, file), 'utf8') }));
    if (sources.length === 0 && app.charts.some((chart) => chart.apiObjects.length > 0)) {
      throw errorWithoutStack(
        `${app.outdir}: the app has objects, but its synth wrote no file with the extension ${app.outputFileExtension}; do not replace app.synth`,
      );
    }
    cpSync(folder, app.outdir, { recursive: true });
    return sources;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Replaces the method `synth` of this app with a call of `wrapper`, which receives the original method.
 *
 * The app gets its own subclass, because the jsii runtime looks up methods on the prototype of the object's
 * constructor: a method on the object itself would never be called from Python, Java, Go and .NET. A subclass in these
 * languages that overrides `synth` has it as a read-only property, which calls the method of the class. In JavaScript
 * another wrapper may be a property of the object. Such a property takes precedence over the class, so it is wrapped
 * too.
 */
export function wrapSynth(app: App, wrapper: (synth: () => void) => void): void {
  const { synth } = Object.getPrototypeOf(app) as App;
  class AppWithVerdict extends (app.constructor as typeof App) {
    public override synth(): void {
      wrapper(synth);
    }
  }
  Object.defineProperty(AppWithVerdict, 'name', { value: app.constructor.name });
  Object.setPrototypeOf(app, AppWithVerdict.prototype);

  const own = Object.getOwnPropertyDescriptor(app, 'synth');
  if (own?.writable) {
    app.synth = () => wrapper(own.value);
  }
}
