import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import * as ts from 'typescript';

const NODES = join(__dirname, '../../../src/nodes');

/** Each property of each struct that src/nodes exports, such as `EbsVolume.iops`. */
export function publicProperties(): string[] {
  return readdirSync(NODES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('private'))
    .flatMap((file) => {
      const source = ts.createSourceFile(file, readFileSync(join(NODES, file), 'utf8'), ts.ScriptTarget.ES2022);
      return source.statements
        .filter(ts.isInterfaceDeclaration)
        .filter((declaration) => isExported(declaration) && isStruct(declaration))
        .flatMap(({ name, members }) => members.map((member) => `${name.text}.${(member.name as ts.Identifier).text}`));
    });
}

function isExported({ modifiers = [] as unknown as ts.NodeArray<ts.ModifierLike> }: ts.InterfaceDeclaration): boolean {
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** By jsii's convention, a behavioral interface has a name that begins with an I. */
function isStruct({ name }: ts.InterfaceDeclaration): boolean {
  return !/^I[A-Z]/.test(name.text);
}
