import { Import, importsOf, isRelative, Sources, statementsOf, tokensOf } from './import-graph';
import { INNER_LAYERS, LAYERS, SOLE_USERS, WALLS } from './layer-table';

/** The violations of the architecture, one sentence each. */
export function violations(sources: Sources): string[] {
  const imports = [...sources.keys()].filter((path) => path !== 'index.ts').flatMap((path) => importsOf(path, sources));
  return [
    ...[...sources.keys()].flatMap(unknownFolder),
    ...imports.flatMap(brokenImport),
    ...cycles(imports),
    ...[...sources.keys()].flatMap(unknownSubfolder),
    ...imports.flatMap(upwardInside),
    ...cycles(imports.flatMap(betweenSubfolders)),
    ...[...sources.keys()].flatMap((path) => foreignTokens(path, sources)),
    ...rootIndex(sources),
  ];
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

function unknownFolder(path: string): string[] {
  if (path === 'index.ts' || folderOf(path) in LAYERS) {
    return [];
  }
  return [`${path}: its folder has no layer`];
}

function brokenImport({ from, specifier, to }: Import): string[] {
  if (!isRelative(specifier)) {
    return [];
  }
  if (to === undefined) {
    return [`${from}: '${specifier}' resolves to no source file`];
  }
  const wall = WALLS.find((candidate) => from.startsWith(`${candidate.from}/`) && to.startsWith(`${candidate.to}/`));
  return [
    ...(wall ? [`${from}: imports ${to}, but ${wall.why}`] : []),
    ...(folderOf(from) === folderOf(to) ? [] : brokenCrossing(from, to)),
  ];
}

function brokenCrossing(from: string, to: string): string[] {
  const [fromLayer, toLayer] = [LAYERS[folderOf(from)], LAYERS[folderOf(to)]];
  const errors: string[] = [];
  if (toLayer === undefined) {
    errors.push(`${from}: imports ${to}, which has no layer`);
  } else if (fromLayer < toLayer) {
    errors.push(`${from}: imports upward, ${to}`);
  } else if (fromLayer === toLayer) {
    errors.push(`${from}: imports sideways, ${to}`);
  }
  if (to !== `${folderOf(to)}/index.ts`) {
    errors.push(`${from}: imports ${to} past the index.ts of its folder`);
  }
  return errors;
}

/** The sub-folder of a file in a folder with inner layers, such as `scheduling/pods`. */
function subfolderOf(path: string): string | undefined {
  const parts = path.split('/');
  return parts.length > 2 && parts[0] in INNER_LAYERS ? `${parts[0]}/${parts[1]}` : undefined;
}

/** The inner layer of a file; undefined if it may import everything in its folder, or if its folder has no layers. */
function innerLayerOf(path: string): number | undefined {
  const [folder, subfolder] = path.split('/');
  const layers = INNER_LAYERS[folder];
  if (layers === undefined || subfolder === 'index.ts') return undefined;
  return subfolder.endsWith('.ts') ? 0 : layers.findIndex((subfolders) => subfolders.includes(subfolder));
}

function unknownSubfolder(path: string): string[] {
  return subfolderOf(path) !== undefined && innerLayerOf(path) === -1 ? [`${path}: its sub-folder has no layer`] : [];
}

function upwardInside({ from, to }: Import): string[] {
  if (to === undefined || folderOf(from) !== folderOf(to)) return [];
  const [fromLayer, toLayer] = [innerLayerOf(from), innerLayerOf(to)];
  return fromLayer !== undefined && toLayer !== undefined && fromLayer < toLayer
    ? [`${from}: imports upward, ${to}`]
    : [];
}

/** The import as one between sub-folders of the same folder. */
function betweenSubfolders({ from, specifier, to }: Import): Import[] {
  const [fromFolder, toFolder] = [subfolderOf(from), subfolderOf(to ?? '')];
  if (fromFolder === undefined || toFolder === undefined || fromFolder === toFolder) return [];
  return folderOf(from) === folderOf(to!) ? [{ from: fromFolder, specifier, to: toFolder }] : [];
}

/** Depth-first search: a file or a sub-folder that is reached again while it is still on the path closes a cycle. */
function cycles(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) {
    next.set(from, [...(next.get(from) ?? []), ...(to === undefined ? [] : [to])]);
  }
  const errors: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, ancestors: readonly string[]): void => {
    if (ancestors.includes(path)) {
      errors.push(`cycle: ${[...ancestors.slice(ancestors.indexOf(path)), path].join(' -> ')}`);
    } else if (!done.has(path)) {
      (next.get(path) ?? []).forEach((to) => walk(to, [...ancestors, path]));
      done.add(path);
    }
  };
  [...next.keys()].sort().forEach((path) => walk(path, []));
  return errors;
}

function foreignTokens(path: string, sources: Sources): string[] {
  const tokens = tokensOf(path, sources);
  return SOLE_USERS.filter(
    ({ folders, token }) => !folders.includes(folderOf(path)) && tokens.some((text) => token.test(text)),
  ).map(({ folders, what }) => `${path}: mentions ${what}, which only ${folders.join(' and ')} may use`);
}

/** Only `export * as x from './x';`, in layer order. */
function rootIndex(sources: Sources): string[] {
  if (!sources.has('index.ts')) {
    return ['index.ts: is missing'];
  }
  const errors: string[] = [];
  let layer = 0;
  for (const statement of statementsOf('index.ts', sources)) {
    const folder = /^export \* as (\w+) from '\.\/\1';$/.exec(statement)?.[1];
    if (folder === undefined || !(folder in LAYERS)) {
      errors.push(`index.ts: contains more than 'export * as' lines: ${statement}`);
    } else if (LAYERS[folder] < layer) {
      errors.push(`index.ts: ${folder} is out of layer order`);
    } else {
      layer = LAYERS[folder];
    }
  }
  return errors;
}
