import { readdirSync } from 'fs';
import { basename, dirname, extname, join } from 'path';
import { isAutoVariables, parsedTerraform, TerraformFolder, TerraformText } from './terraform-folder';
import { leadsInto, readRegularText } from '../../../../model';

const LARGEST_BYTES = 1024 * 1024;
/** More files of a folder, or of the folders in it, are not looked at: then no variable has a value. */
const MOST_FILES = 500;

/** Reads the names that the folders of Terraform files define. A link out of the repository is not followed. */
export class TerraformFolders {
  private readonly folders = new Map<string, TerraformFolder>();

  /** @param root the repository */
  public folderOf(file: string, root: string): TerraformFolder {
    const path = dirname(file);
    const folder = this.folders.get(path) ?? readFolder(path, root);
    this.folders.set(path, folder);
    return folder;
  }
}

function readFolder(path: string, root: string): TerraformFolder {
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
