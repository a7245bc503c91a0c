import { dirname, join } from 'path';
import * as ts from 'typescript';

/** Paths of the files of src/, relative to it, with their texts. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  readonly specifier: string;
  /** The imported file of `Sources`; undefined for a package, a builtin module, or a missing file. */
  readonly to?: string;
}

/** All imports in every TypeScript form, type imports included. */
export function importsOf(path: string, sources: Sources): Import[] {
  const imports: Import[] = [];
  const file = parse(path, sources);
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node, file);
    if (specifier !== undefined) {
      imports.push({ from: path, specifier, to: resolve(path, specifier, sources) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return imports;
}

/** The identifiers and string literals of a file, without its comments. */
export function tokensOf(path: string, sources: Sources): string[] {
  const tokens: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) {
      tokens.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(path, sources));
  return tokens;
}

/** Statements as written, without comments. */
export function statementsOf(path: string, sources: Sources): string[] {
  const file = parse(path, sources);
  return file.statements.map((statement) => statement.getText(file));
}

export function isRelative(specifier: string): boolean {
  return /^\.{1,2}(\/|$)/.test(specifier);
}

function parse(path: string, sources: Sources): ts.SourceFile {
  return ts.createSourceFile(path, sources.get(path)!, ts.ScriptTarget.ES2022);
}

function specifierOf(node: ts.Node, file: ts.SourceFile): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    return literal(node.moduleSpecifier);
  }
  if (ts.isExternalModuleReference(node)) {
    return literal(node.expression);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return literal(node.argument.literal);
  }
  if (ts.isCallExpression(node) && /^(import|require|require\.resolve)$/.test(node.expression.getText(file))) {
    return node.arguments.length > 0 ? literal(node.arguments[0]) : undefined;
  }
  return undefined;
}

function literal(node: ts.Node): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

function resolve(from: string, specifier: string, sources: Sources): string | undefined {
  if (!isRelative(specifier)) {
    return undefined;
  }
  const path = join(dirname(from), specifier).split('\\').join('/').replace(/\/$/, '');
  return [`${path}.ts`, path === '.' ? 'index.ts' : `${path}/index.ts`].find((candidate) => sources.has(candidate));
}
