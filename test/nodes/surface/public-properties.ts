import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import * as ts from 'typescript';

const NODES = join(__dirname, '../../../src/nodes');

/** Each property of each struct that src/nodes exports, as `EbsVolume.iops`. */
export function publicProperties(): string[] {
  return readdirSync(NODES).filter((file) => file.endsWith('.ts')).flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(NODES, file), 'utf8'), ts.ScriptTarget.ES2022);
    return source.statements.filter(ts.isInterfaceDeclaration).filter(isStruct).flatMap(({ name, members }) =>
      members.map((member) => `${name.text}.${(member.name as ts.Identifier).text}`));
  });
}

/** By jsii's convention, an interface whose name begins with an I stands for behaviour. */
function isStruct({ name }: ts.InterfaceDeclaration): boolean {
  return !/^I[A-Z]/.test(name.text);
}
