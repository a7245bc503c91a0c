import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App } from 'cdk8s';
import { SourceFile } from '../validation';

/**
 * Synthesises the app as `synth` does, and returns the manifests as they now lie in the app's outdir. They are rendered
 * into an empty folder first, because the outdir may hold files of an earlier run or of somebody else: those are no
 * part of this app.
 */
export function renderApp(app: App, synth: () => void): SourceFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-verdict-'));
  try {
    // Constructs go on seeing the app itself, with its own outdir.
    synth.call(Object.create(app, { outdir: { value: folder } }));
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(app.outputFileExtension))
      .sort()
      .map((file) => ({ path: join(app.outdir, file), text: readFileSync(join(folder, file), 'utf8') }));
    if (sources.length === 0 && app.charts.some((chart) => chart.apiObjects.length > 0)) {
      throw new Error(`${app.outdir}: nothing was written that ends in ${app.outputFileExtension}, got charts with objects; leave app.synth as cdk8s has it`);
    }
    cpSync(folder, app.outdir, { recursive: true });
    return sources;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
