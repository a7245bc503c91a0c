import { Label } from '../../model';
import { PlainRecord, recordsOf } from '../manifest/records';
import { fail, notEvaluated, pass } from './private/outcome';
import { Pool, poolsOf } from './private/pool';
import { count } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const ARCHITECTURES = ['amd64', 'arm64'];
const WINDOWS = /^windows/i;

/**
 * How old a pinned image is nothing here can tell: a verdict is the same on any day.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/amifamily/resolver.go
 */
export class AmiPinStaleOrMismatched implements Rule {
  public readonly id = 'KARP-906';
  public readonly name = 'ami-pin-stale-or-mismatched';
  public readonly severity = 'warning';
  public readonly summary = 'A node class has a single machine image, which is of one architecture, and a NodePool of it allows both: nodes of the other are never launched.';

  public check(context: RuleContext): Outcome[] {
    return poolsOf(context).flatMap((pool) => {
      const nodeClass = context.model.nodeClasses.find(({ object }) => object.name === pool.spec?.nodeClass);
      const terms = recordsOf(nodeClass?.object.raw.spec?.amiSelectorTerms);
      if (!nodeClass || terms.length === 0) return [];
      if (pool.launch === undefined) return [notEvaluated(pool.object, pool.why)];
      const types = typesByArchitecture(pool);
      const windows = terms.map(({ alias }) => alias).find((alias) => typeof alias === 'string' && WINDOWS.test(alias));
      if (windows !== undefined && types[1].length > 0) return [this.onWindows(pool, nodeClass.object.name, String(windows), types)];
      if (types.some(({ length }) => length === 0)) return [];
      return [this.checkPool(pool, nodeClass.object.name, terms, types)];
    });
  }

  private checkPool({ object }: Pool, nodeClass: string, terms: readonly PlainRecord[], types: ReadonlyArray<readonly string[]>): Outcome {
    // One of Linux stands for the images of all architectures.
    if (terms.some(({ alias }) => alias !== undefined)) return pass(object);
    const ids = [...new Set(terms.map(({ id }) => id))];
    if (ids.length !== 1 || typeof ids[0] !== 'string') return notEvaluated(object, `which architectures the images of EC2NodeClass ${nodeClass} are for is not in the input`);
    const allowed = ARCHITECTURES.map((architecture, at) => `${count(types[at].length, 'instance type')} of ${architecture}`);
    return fail({
      object,
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `allows ${allowed.join(' and ')}, and EC2NodeClass ${nodeClass} has the one image ${ids[0]}, which is of one architecture: `
        + 'nodes of the other are planned, and never launched ("no instance types satisfy requirements of amis")',
      remedy: `require ${Label.ARCH} In [the image's own], or select an image for each architecture`,
      evidence: { image: ids[0], amd64: types[0].length, arm64: types[1].length },
    });
  }

  private onWindows({ object }: Pool, nodeClass: string, alias: string, [amd64, arm64]: ReadonlyArray<readonly string[]>): Outcome {
    return fail({
      object,
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `allows ${count(arm64.length, 'instance type')} of arm64, and the image of ${alias}, which EC2NodeClass ${nodeClass} selects, is of amd64: `
        + 'nodes of arm64 are planned, and never launched ("no instance types satisfy requirements of amis")',
      remedy: `require ${Label.ARCH} In [amd64]`,
      evidence: { alias, amd64: amd64.length, arm64: arm64.length },
    });
  }
}

/** What the NodePool launches of each of `ARCHITECTURES`. */
function typesByArchitecture({ launch }: Pool): string[][] {
  const { table, indices } = launch!;
  const column = table.labels.find(({ key }) => key === Label.ARCH)!;
  return ARCHITECTURES.map((architecture) =>
    indices.filter((index) => column.values[column.codes[index]] === architecture).map((index) => table.names[index]));
}
