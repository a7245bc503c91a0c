import { CDK8S_NAMES } from './evaluate';
import { rootNames, name } from './expression';
import { readManifestObjects } from './manifests';
import { printComments, print } from './print-expression';
import { Program, ProgramStatement } from './program';
import { SourceFile } from '../../validation';

export interface TypeScriptProgram {
  readonly text: string;
  /** Locations of documents that are not Kubernetes objects, or that no program can reproduce. */
  readonly omitted: ReadonlyArray<{ readonly file: string; readonly line: number; readonly column: number }>;
}

/**
 * Writes manifests as a cdk8s program that produces the same objects: Karpenter's kinds as their constructs, all other
 * objects as an `ApiObject`. Documents that cannot be parsed are omitted.
 */
export function writeTypeScript(files: readonly SourceFile[]): TypeScriptProgram {
  const { manifests, nonObjects, comments } = readManifestObjects(files);
  const program = new Program(manifests);
  return {
    text: printProgram(program.statements, comments),
    omitted: [...nonObjects, ...program.unwritable.map(({ location }) => location)],
  };
}

/** Indent of statements in the constructor. */
const BODY = '    ';

/**
 * Prints the file: a chart with the constructs, and an app that writes its manifest to `dist/`.
 *
 * @param comments written at the end of the chart
 */
function printProgram(all: readonly ProgramStatement[], comments: readonly string[]): string {
  const referred = new Set(all.flatMap(namesIn));
  const statements = all.filter(({ isImport, variable }) => !isImport || referred.has(variable));
  const names = new Set(['App', 'Chart', ...statements.flatMap(namesIn)]);
  const imported = CDK8S_NAMES.filter((cdk8sName) => names.has(cdk8sName));
  return `import { ${imported.join(', ')} } from 'cdk8s';
import { Construct } from 'constructs';
${names.has('nodes') ? "import { nodes } from 'karpenter-constructs';\n" : ''}
export class KarpenterChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
${statements.map((statement) => `\n${printStatement(statement, names.has(statement.variable))}`).join('')}${comments.length > 0 ? `\n${printComments(comments, BODY)}` : ''}  }
}

const app = new App();
new KarpenterChart(app, 'karpenter');
app.synth();
`;
}

function namesIn({ expression, patches }: ProgramStatement): string[] {
  return [...(expression ? [expression] : []), ...patches].flatMap(rootNames);
}

function printStatement({ comments, expression, patches, variable }: ProgramStatement, isReferred: boolean): string {
  if (!expression) return printComments(comments, BODY);
  const declaration = isReferred || patches.length > 0 ? `const ${variable} = ` : '';
  const statement = `${printComments(comments, BODY)}${BODY}${declaration}${print(expression, BODY, declaration.length + 1)};\n`;
  if (patches.length === 0) return statement;
  const call = { kind: 'call', target: name(variable), method: 'addJsonPatch', args: patches } as const;
  return `${statement}${BODY}// Differences between the manifest and the construct.\n${BODY}${print(call, BODY, 1)};\n`;
}
