import { name, rootNames } from './expression';
import { print, printComments } from './print';
import { Statement } from './program';
import { CDK8S_NAMES } from './run';

const BODY = '    ';

/**
 * The file: a chart with the constructs, and an app that writes its manifest to `dist/`.
 *
 * @param comments for the end of the chart
 */
export function printProgram(all: readonly Statement[], comments: readonly string[]): string {
  const referred = new Set(all.flatMap(namesIn));
  const statements = all.filter(({ isImport, variable }) => !isImport || referred.has(variable));
  const names = new Set(['App', 'Chart', ...statements.flatMap(namesIn)]);
  const imported = CDK8S_NAMES.filter((one) => names.has(one));
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

function namesIn({ expression, patches }: Statement): string[] {
  return [...expression ? [expression] : [], ...patches].flatMap(rootNames);
}

function printStatement({ comments, expression, patches, variable }: Statement, isReferred: boolean): string {
  if (!expression) return printComments(comments, BODY);
  const declaration = isReferred || patches.length > 0 ? `const ${variable} = ` : '';
  const made = `${printComments(comments, BODY)}${BODY}${declaration}${print(expression, BODY, declaration.length + 1)};\n`;
  if (patches.length === 0) return made;
  const call = { kind: 'call', target: name(variable), method: 'addJsonPatch', args: patches } as const;
  return `${made}${BODY}// Where the manifest differs from what the construct writes.\n${BODY}${print(call, BODY, 1)};\n`;
}
