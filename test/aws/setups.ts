/** The AWS CDK apps under test: the examples, and setups for features that the examples do not use. */
import { existsSync, readdirSync, rmSync } from 'fs';
import { join } from 'path';
import { App } from 'aws-cdk-lib';
import { interruptionSetup } from './interruption-setup';
import { CdkExample, ExampleEnvironment } from '../../examples/cdk-example';

const EXAMPLES = join(__dirname, '../../examples');
/** One folder for each jest worker, because workers synthesise at the same time. */
const OUTPUT = join(__dirname, '../../dist/test/aws', process.env.JEST_WORKER_ID ?? '0');

/** One region of each partition. */
export const PARTITION_REGIONS: Readonly<Record<string, string>> = {
  aws: 'us-east-1',
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
};

export const ACCOUNT = '123456789012';

export interface Setup {
  readonly name: string;
  readonly partition: string;
  readonly region: string;
  readonly app: App;
  /** Paths of the synthesised templates. */
  readonly templates: readonly string[];
}

/** Synthesises every app in each of its partitions. */
export function synthSetups(): Setup[] {
  const apps: Array<[string, CdkExample]> = [['interruption', interruptionSetup], ...readExamples()];
  return apps.flatMap(([name, example]) =>
    Object.keys(PARTITION_REGIONS)
      .filter((partition) => example.partitions?.includes(partition) ?? true)
      .map((partition) => synth(name, example, partition)),
  );
}

/** Name and module of each folder of examples/ with an `app.ts`. */
export function readExamples(): Array<[string, CdkExample]> {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(EXAMPLES, entry.name, 'app.ts')))
    .map(({ name }) => [name, jest.requireActual<CdkExample>(join(EXAMPLES, name, 'app.ts'))]);
}

function synth(name: string, example: CdkExample, partition: string): Setup {
  const env: ExampleEnvironment = { account: ACCOUNT, region: PARTITION_REGIONS[partition] };
  const outdir = join(OUTPUT, `${name}-${env.region}`);
  rmSync(outdir, { recursive: true, force: true });
  const app = new App({ outdir, builtinCloudFormationValidation: false, analyticsReporting: false });
  example.build(app, env);
  const templates = app.synth().stacksRecursively.map((stack) => stack.templateFullPath);
  return { name, partition, region: env.region, app, templates };
}
