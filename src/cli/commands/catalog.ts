import { statSync } from 'fs';
import { join } from 'path';
import { Command, Option } from 'commander';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { parseRegion } from '../options/shared-options';
import { changesText, publicChangesText } from '../output/catalog-changes';

interface UpdateFlags {
  readonly region: readonly string[];
  readonly output?: string;
  readonly profile?: string;
  readonly public?: boolean;
  readonly priceList?: string;
  readonly spotAdvisor?: string;
}

const HELP = `
The file has the instance types, zones, on-demand prices and current spot
prices of the regions, as the account of the credentials sees them. Commands
that plan use it with --catalog, the constructs with catalogFile.

With --public, it has the prices that AWS publishes for everybody: the price
list of EC2, and the average spot prices of the Spot Instance advisor. No
account is needed. Instance types and zones stay those of this package. The
price list of a region has up to 400 MB; only its prices are kept.

Credentials, profiles, SSO, proxies and endpoints are those of the AWS SDK:
AWS_PROFILE, AWS_ENDPOINT_URL, ~/.aws/config and so on. The SDK is not part of
this package: npm install --save-dev @aws-sdk/client-ec2 @aws-sdk/client-pricing

Actions that the credentials need, all of them read-only:
  ec2:DescribeAvailabilityZones
  ec2:DescribeInstanceTypes
  ec2:DescribeInstanceTypeOfferings
  ec2:DescribeSpotPriceHistory
  pricing:GetProducts

After Ctrl-C or an error, the answers of an account so far are in files that
end with .partial. The same command continues with them.

Examples:
  karpenter-constructs catalog update --public --region eu-west-1
  karpenter-constructs catalog update --region eu-west-1
  karpenter-constructs catalog update --region eu-west-1 eu-central-1 --output catalogs/
  karpenter-constructs check manifests/ --catalog karpenter-catalog-eu-west-1.json`;

export function addCatalogCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  program
    .command('catalog')
    .description('Makes catalogues of instance types, zones and prices from your AWS account, or of published prices.')
    .command('update')
    .description(
      'Reads instance types, zones and prices of regions from your AWS account, or published prices, into a file for --catalog.',
    )
    .addOption(
      new Option('--region <region...>', 'AWS region; can be repeated').argParser(collectRegions).makeOptionMandatory(),
    )
    .option(
      '--output <path>',
      'file to write, or a folder (default: karpenter-catalog-<region>.json in the current folder)',
    )
    .addOption(
      new Option('--profile <name>', 'profile of ~/.aws/config (default: as the AWS SDK has it)').conflicts('public'),
    )
    .option('--public', 'reads the prices that AWS publishes, without an account')
    .addOption(urlOption('--price-list <url>', 'copy of the price list with the same paths, for --public'))
    .addOption(urlOption('--spot-advisor <url>', "copy of the Spot Instance advisor's file, for --public"))
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

function urlOption(flags: string, description: string): Option {
  const [name] = flags.split(' ');
  return new Option(flags, `${description} (default: that of AWS)`).implies({ public: true }).argParser((text) => {
    if (/^https?:\/\/./.test(text) && URL.canParse(text)) return text;
    throw new UsageError(
      `${name}: must be an address with http or https, got ${JSON.stringify(text)}; write for example https://prices.example.com`,
    );
  });
}

async function update(flags: UpdateFlags, io: Io): Promise<number> {
  if (flags.region.length === 0) throw new UsageError('--region: names no region; write for example eu-west-1');
  const { Interrupted, untilInterrupted } = lazy.aws;
  try {
    await untilInterrupted((signal) => (flags.public === true ? updatePublic : updateFromAccount)(flags, signal, io));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const hint =
      flags.public === true ? 'nothing was written' : 'run the same command again, and it continues where it stopped';
    io.writeError(`interrupted; ${hint}\n`);
    return EXIT.interrupted;
  }
}

/** Keeps the pages of an account when the signal is aborted. */
async function updateFromAccount({ region: regions, output, profile }: UpdateFlags, signal: AbortSignal, io: Io) {
  const { loadSdk, updateCatalog } = lazy.aws;
  const sdk = loadSdk();
  for (const region of regions) {
    const file = fileOf(region, output, regions.length);
    const updated = await updateCatalog(sdk, { region, file, profile, now: new Date(), signal }, io);
    io.writeOut(changesText(updated, file));
  }
}

async function updatePublic(
  { region: regions, output, priceList, spotAdvisor }: UpdateFlags,
  signal: AbortSignal,
  io: Io,
): Promise<void> {
  const made = new Date().toISOString().slice(0, 10);
  for (const region of regions) {
    const file = fileOf(region, output, regions.length);
    const changes = await lazy.aws.updatePublicCatalog({ region, made, priceList, spotAdvisor, signal }, file, io);
    io.writeOut(publicChangesText(changes, file));
  }
}

function fileOf(region: string, output: string | undefined, regions: number): string {
  const name = `karpenter-catalog-${region}.json`;
  if (output === undefined) return name;
  const isFolder =
    regions > 1 || /[/\\]$/.test(output) || statSync(output, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(output, name) : output;
}
