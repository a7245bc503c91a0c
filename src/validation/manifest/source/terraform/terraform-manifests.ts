import { Scope } from './hcl/evaluate';
import { Block } from './hcl/syntax';
import { literalInstancesOf } from './instances';
import { manifestText } from './manifest-text';
import { filledIn } from './template-values';
import { parsedTerraform, TerraformText } from './terraform-folder';
import { SourceFile } from '../../model';
import { hereDocumentsOfTerraform } from '../here-documents';

/** The manifests of a Terraform file, with all other lines blank, so that lines keep their numbers. */
export interface TerraformManifests {
  /** The first text has the objects of blocks that are not repeated; each text has one instance of the others. */
  readonly texts: readonly string[];
  /** The lines that are read, and those of blocks that make no object. */
  readonly covered: string;
}

/** Here-documents, and objects that are written in HCL, once for each instance that `count` or `for_each` makes. */
export function manifestsOfTerraform({ path, text }: SourceFile, scope: Scope): TerraformManifests {
  const parsed = parsedTerraform(path, text);
  if (!parsed) {
    const documents = hereDocumentsOfTerraform(text, (line) => filledIn(line, scope));
    return { texts: [documents], covered: documents };
  }
  const repeated = parsed.body.blocks.flatMap((block) => {
    const instances = block.type === 'resource' ? literalInstancesOf(block.body, text, scope) : undefined;
    return instances === undefined ? [] : [{ block, instances }];
  });
  const others = parsed.body.blocks.filter((block) => repeated.every((one) => one.block !== block));
  const texts = [manifestsOf({ ...parsed, body: { ...parsed.body, blocks: others } }, scope, others)];
  for (const { block, instances } of repeated) {
    const alone = { ...parsed, body: { attributes: [], blocks: [block] } };
    for (const [index, instance] of instances.entries())
      texts[index] = overlaid(texts[index], manifestsOf(alone, instance.scope, [block]));
  }
  const unmade = repeated.filter(({ instances }) => instances.length === 0).map(({ block }) => block);
  return { texts, covered: [only(text, unmade), ...texts].reduce(overlaid) };
}

function manifestsOf(file: TerraformText, scope: Scope, blocks: readonly Block[]): string {
  const documents = hereDocumentsOfTerraform(only(file.text, blocks), (line) => filledIn(line, scope));
  // The text of a value, such as user data, may look like a manifest.
  return overlaid(documents, manifestText(file, scope)).replace(/^[ \t\r]+$/gm, '');
}

/** A text with the lines of blocks, and blanks instead of all other lines. */
function only(text: string, blocks: readonly Block[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of blocks) {
    parts.push(blank(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  return [...parts, blank(text.slice(at))].join('');
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** The lines of the second text, and those of the first one where the second has none. */
function overlaid(below: string | undefined, above: string): string {
  if (below === undefined) return above;
  const lines = above.split('\n');
  return below
    .split('\n')
    .map((line, index) => lines[index] || line)
    .join('\n');
}
