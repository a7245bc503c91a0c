import { readdirSync } from 'fs';
import { basename, dirname, extname, join } from 'path';
import { Evaluator } from './hcl/evaluate';
import { bodyAttribute } from './hcl/syntax';
import { instancesOf } from './instances';
import { TerraformCalls, TemplateCall } from './terraform-calls';
import { isAutoVariables, ModuleArguments, parsedTerraform, TerraformFolder, TerraformText } from './terraform-folder';
import { leadsInto, readRegularText } from '../../../../model';

const LARGEST_BYTES = 1024 * 1024;
/** More files of a folder, or of the folders in it, are not looked at: then no variable has a value. */
const MOST_FILES = 500;

/** Reads the names that the folders of Terraform files define. A link out of the repository is not followed. */
export class TerraformFolders {
  private readonly folders = new Map<string, TerraformFolder>();
  /** Folders whose names are being read: modules may not call each other, but a stranger's files may. */
  private readonly reading = new Set<string>();
  private calls?: TerraformCalls;

  /**
   * @param given the folder whose files are read
   * @param root the repository
   */
  public constructor(
    private readonly given: string,
    private readonly root: string,
  ) {}

  public folderOf(file: string): TerraformFolder {
    const path = dirname(file);
    const known = this.folders.get(path);
    if (known) return known;
    if (this.reading.has(path)) return new TerraformFolder([]);
    this.reading.add(path);
    const folder = readFolder(path, this.root, this.argumentsOf(path));
    this.reading.delete(path);
    this.folders.set(path, folder);
    return folder;
  }

  /** The values that each call of `templatefile` gives to the names of a template. */
  public templateArguments(path: string): readonly TemplateCall[] {
    return this.allCalls.argumentsOf(path, (file) => this.folderOf(file));
  }

  /** The text of a file of the repository; undefined if it cannot be read. */
  public textOf(path: string): string | undefined {
    return textOf(path, this.root);
  }

  private argumentsOf(folder: string): ModuleArguments[] {
    return this.allCalls.modulesIn(folder).flatMap(({ block, text, file }) =>
      instancesOf(block.body, text, this.folderOf(file)).map(({ scope }): ModuleArguments => {
        const evaluator = new Evaluator(scope);
        return (variable) => {
          const expression = bodyAttribute(block.body, variable);
          return expression && evaluator.valueOf({ expression, text });
        };
      }),
    );
  }

  private get allCalls(): TerraformCalls {
    return (this.calls ??= new TerraformCalls(this.given, this.root));
  }
}

function readFolder(path: string, root: string, calls: readonly ModuleArguments[]): TerraformFolder {
  const names = namesIn(path);
  const inside = names.filter((name) => extname(name) === '' && !name.startsWith('.'));
  const below = inside.flatMap((name) => namesIn(join(path, name)).map((inner) => join(name, inner)));
  if (names.length + below.length > MOST_FILES) return new TerraformFolder([]);
  const read = (name: string) => textOf(join(path, name), root);
  const files = names.filter((name) => name.endsWith('.tf') || isAutoVariables(name));
  const others = [...names.filter((name) => !isAutoVariables(name)), ...below].filter((name) =>
    name.endsWith('.tfvars'),
  );
  return new TerraformFolder(
    files
      .map((name) => parsedTerraform(name, read(name) ?? ''))
      .filter((file): file is TerraformText => file !== undefined),
    others.map((name) => read(name) ?? ''),
    calls,
    read,
  );
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}

/** Undefined for a file that cannot be read: what it defines is unknown. */
function textOf(path: string, root: string): string | undefined {
  try {
    return leadsInto(path, root) ? readRegularText(path, LARGEST_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

/** The values of a Terraform file alone, without the other files of its folder. */
export function folderOfText(path: string, text: string): TerraformFolder {
  const file = parsedTerraform(basename(path), text);
  return new TerraformFolder(file ? [file] : []);
}
