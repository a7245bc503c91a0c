import Module from 'node:module';
import { createScriptTransformer } from '@jest/transform';

type Config = Parameters<typeof createScriptTransformer>[0];
const OPTIONS = {
  collectCoverage: false,
  collectCoverageFrom: [],
  coverageProvider: 'v8' as const,
  supportsDynamicImport: false,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};

interface Loader {
  _compile(code: string, file: string): void;
}

type SourceMaps = Pick<Map<string, string>, 'set'>;

const loaded = new Map<string, string>();
let ofSuite: SourceMaps = loaded;
let isInstalled = false;

/**
 * Makes Node's `require` compile TypeScript as jest does, with jest's cache on disk.
 *
 * @param sourceMaps of the suite, in which jest looks for the files of a stack trace
 */
export async function compileTypeScript(config: Config, sourceMaps: SourceMaps): Promise<void> {
  ofSuite = sourceMaps;
  for (const [file, map] of loaded) ofSuite.set(file, map);
  if (isInstalled) return;
  isInstalled = true;
  const transformer = await createScriptTransformer(config);
  const { _extensions: loaders } = Module as unknown as {
    _extensions: Record<string, (module: Loader, file: string) => void>;
  };
  loaders['.ts'] = (module, file) => {
    const { code, sourceMapPath } = transformer.transform(file, OPTIONS);
    if (sourceMapPath !== null) for (const maps of [loaded, ofSuite]) maps.set(file, sourceMapPath);
    module._compile(code, file);
  };
  // Node tries extensions in this order: `./policies` is policies.ts, not policies.json.
  for (const extension of ['.json', '.node']) {
    const load = loaders[extension];
    delete loaders[extension];
    loaders[extension] = load;
  }
}
