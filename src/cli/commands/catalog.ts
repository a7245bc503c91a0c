import { statSync } from 'fs';
import { join } from 'path';
import { Command, Option } from 'commander';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { parseRegion } from '../options/shared-options';
import { changesText } from '../output/catalog-changes';

interface UpdateFlags {
  readonly region: readonly string[];
  readonly output?: string;
  readonly profile?: string;
}

const HELP = `
The file has the instance types, zones, on-demand prices and current spot
prices of the regions, as the account of the credentials sees them. Commands
that plan use it with --catalog, the constructs with catalogFile.

Credentials, profiles, SSO, proxies and endpoints are those of the AWS SDK:
AWS_PROFILE, AWS_ENDPOINT_URL, ~/.aws/config and so on. The SDK is not part of
this package: npm install --save-dev @aws-sdk/client-ec2 @aws-sdk/client-pricing

Actions that the credentials need, all of them read-only:
  ec2:DescribeAvailabilityZones
  ec2:DescribeInstanceTypes
  ec2:DescribeInstanceTypeOfferings
  ec2:DescribeSpotPriceHistory
  pricing:GetProducts

After Ctrl-C or an error, the answers so far are in files that end with
.partial. The same command continues with them.

Examples:
  karpenter-constructs catalog update --region eu-west-1
  karpenter-constructs catalog update --region eu-west-1 eu-central-1 --output catalogs/
  karpenter-constructs check manifests/ --catalog karpenter-catalog-eu-west-1.json`;

export function addCatalogCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  program
    .command('catalog')
    .description('Makes catalogues of instance types, zones and prices from your AWS account.')
    .command('update')
    .description('Reads instance types, zones and prices of regions from your AWS account into a file for --catalog.')
    .addOption(
      new Option('--region <region...>', 'AWS region; can be repeated').argParser(collectRegions).makeOptionMandatory(),
    )
    .option(
      '--output <path>',
      'file to write, or a folder (default: karpenter-catalog-<region>.json in the current folder)',
    )
    .option('--profile <name>', 'profile of ~/.aws/config (default: as the AWS SDK has it)')
    .addHelpText('after', HELP)
    .action(async (flags: UpdateFlags) => setExitCode(await update(flags, io)));
}

function collectRegions(text: string, earlier: readonly string[] = []): string[] {
  return [
    ...new Set([
      ...earlier,
      ...text
        .split(',')
        .filter((name) => name.trim() !== '')
        .map((name) => parseRegion(name.trim())),
    ]),
  ];
}

async function update({ region: regions, output, profile }: UpdateFlags, io: Io): Promise<number> {
  if (regions.length === 0) throw new UsageError('--region: names no region; write for example eu-west-1');
  const { Interrupted, loadSdk, updateCatalog } = lazy.aws;
  const sdk = loadSdk();
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  // Only the first Ctrl-C waits for the pages to be kept.
  process.once('SIGINT', onInterrupt);
  try {
    for (const region of regions) {
      const file = fileOf(region, output, regions.length);
      const updated = await updateCatalog(
        sdk,
        { region, file, profile, now: new Date(), signal: interrupt.signal },
        io,
      );
      io.writeOut(changesText(updated, file));
    }
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    io.writeError('interrupted; run the same command again, and it continues where it stopped\n');
    return EXIT.interrupted;
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}

function fileOf(region: string, output: string | undefined, regions: number): string {
  const name = `karpenter-catalog-${region}.json`;
  if (output === undefined) return name;
  const isFolder =
    regions > 1 || /[/\\]$/.test(output) || statSync(output, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(output, name) : output;
}
