import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, moduleFolder, PROVIDER } from '../go';
import { NEWEST, Release } from '../versions/releases';

/** The class of rules that rejects an object. */
export type RefusalClass = 'schema' | 'cel' | 'runtime';

export interface Refusal {
  readonly class: RefusalClass;
  readonly type: string;
  readonly field: string;
  readonly detail: string;
}

/** The verdict of a cluster with one release of Karpenter on one object. */
export interface OracleVerdict {
  readonly index: number;
  readonly accepted: boolean;
  readonly errors: readonly Refusal[];
}

const ENOUGH_BYTES = 2 ** 30;

/** The code of the real API server and of the real Karpenter, in one release. */
export class ObjectOracle {
  public static of(release: Release): ObjectOracle {
    const modfile = release === NEWEST ? undefined : join('versions', `${release.provider}.mod`);
    const server = build({ command: 'crd', program: 'crd' });
    const runtime = build({ command: 'runtime', program: `runtime-${release.provider}`, tags: release.tags, modfile });
    return new ObjectOracle(server, runtime, join(moduleFolder(PROVIDER, modfile), 'pkg/apis/crds'));
  }

  private constructor(
    private readonly server: string,
    private readonly runtime: string,
    private readonly crds: string,
  ) {}

  /** The verdicts on objects, in the order of the objects. */
  public judge(objects: readonly unknown[]): OracleVerdict[] {
    if (objects.length === 0) return [];
    const input = objects.map((object) => JSON.stringify(object)).join('\n');
    const { status, stdout, stderr } = spawnSync(this.server, ['--crds', this.crds, '--runtime', this.runtime], {
      input,
      encoding: 'utf8',
      maxBuffer: ENOUGH_BYTES,
    });
    if (status !== 0) throw new Error(`the oracle failed: ${stderr}`);
    const verdicts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as OracleVerdict);
    if (verdicts.length !== objects.length)
      throw new Error(`the oracle answered ${verdicts.length} of ${objects.length} objects`);
    return verdicts;
  }
}
