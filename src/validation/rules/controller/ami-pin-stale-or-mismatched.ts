import { amiOfOtherArchitecture, architecturesOfAmis, setField, unsafeFix } from '../../../contract';
import { countText, Label, listText, valueText } from '../../../model';
import { ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { Pool, poolsOf } from '../common/pool';
import { defineRule, Judgement, NOT_APPLICABLE, unknown, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { pools } from '../subjects';

const ARCHITECTURES = ['amd64', 'arm64'];
const WINDOWS = /^windows/i;

/**
 * The age of a pinned AMI is not checked, because the result must not depend on the day of the check.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/amifamily/resolver.go
 */
export const amiPinStaleOrMismatched = defineRule({
  id: 'KARP-906',
  name: 'ami-pin-stale-or-mismatched',
  severity: 'warning',
  summary:
    'A node class has AMIs of one architecture, but its NodePool allows the other one too, or only the other one: such nodes cannot launch.',
  subjects: pools(),
  judge(pool, context) {
    const nodeClass = context.model.nodeClasses.find(({ object }) => object.name === pool.spec?.nodeClass);
    const terms = recordsOf(nodeClass?.object.raw.spec?.amiSelectorTerms);
    if (!nodeClass || terms.length === 0) return NOT_APPLICABLE;
    if (pool.launch === undefined) return unknown(pool.why);
    const types = typesByArchitecture(pool);
    const windows = terms.map(({ alias }) => alias).find((alias) => typeof alias === 'string' && WINDOWS.test(alias));
    if (windows !== undefined && types[1].length > 0)
      return onWindows(nodeClass.object.name, valueText(windows), types);
    const [architecture, ...more] = architecturesOfAmis(terms) ?? [];
    if (architecture !== undefined && more.length === 0)
      return (
        judgeClass(pool, nodeClass.object, architecture, context) ??
        judgeNamed(nodeClass.object.name, terms, architecture, types)
      );
    if (architecture !== undefined) return undefined;
    if (types.some(({ length }) => length === 0)) return NOT_APPLICABLE;
    return judgeImages(nodeClass.object.name, terms, types);
  },
});

function judgeImages(
  nodeClass: string,
  terms: readonly PlainRecord[],
  types: ReadonlyArray<readonly string[]>,
): Judgement {
  // A Linux alias resolves to AMIs of all architectures.
  if (terms.some(({ alias }) => alias !== undefined)) return undefined;
  const ids = [...new Set(terms.map(({ id }) => id))];
  if (ids.length !== 1 || typeof ids[0] !== 'string')
    return unknown(`the input does not say which architectures the AMIs of EC2NodeClass ${nodeClass} are for`);
  const allowed = ARCHITECTURES.map((architecture, i) => countText(types[i].length, `${architecture} instance type`));
  return {
    path: ['spec', 'template', 'spec', 'requirements'],
    message:
      `allows ${allowed.join(' and ')}, but EC2NodeClass ${nodeClass} has only AMI ${ids[0]}, of one architecture: ` +
      'launches of the other fail ("no instance types satisfy requirements of amis")',
    remedy: `require ${Label.ARCH} In [<architecture of the AMI>], or select an AMI for each architecture`,
    evidence: { image: ids[0], amd64: types[0].length, arm64: types[1].length },
  };
}

/** AMIs of Amazon that no NodePool of the class can use: one finding, at the class. */
function judgeClass(pool: Pool, nodeClass: ManifestObject, architecture: string, context: RuleContext): Judgement {
  const own = ARCHITECTURES.indexOf(architecture);
  const users = poolsOf(context).filter(({ spec }) => spec?.nodeClass === nodeClass.name);
  const terms = recordsOf(nodeClass.raw.spec?.amiSelectorTerms).map((term, index) => {
    const field = term.name === undefined ? 'ssmParameter' : 'name';
    const image = valueText(term[field]);
    return { path: ['spec', 'amiSelectorTerms', index, field], image, instead: amiOfOtherArchitecture(image) };
  });
  const isOfAny = ({ launch, ...other }: Pool) =>
    launch === undefined || typesByArchitecture({ ...other, launch })[own].length > 0;
  if (users.some(isOfAny) || terms.some(({ instead }) => instead === undefined)) return undefined;
  if (users[0] !== pool) return NOT_APPLICABLE;
  const names = users.map(({ name }) => name).sort();
  const [which, allow] = names.length === 1 ? ['NodePool', 'allows'] : ['NodePools', 'allow'];
  const [{ path, image }] = terms;
  return {
    object: nodeClass,
    path,
    severity: 'error',
    message: `selects only AMIs for ${architecture} (${image}), but ${which} ${listText(names)} ${allow} only ${ARCHITECTURES[1 - own]} instance types: Karpenter launches none of their nodes ("no instance types satisfy requirements of amis")`,
    remedy: `write ${listText(terms.map(({ instead }) => instead!))}`,
    evidence: { image, nodePools: names, consequence: 'launch-fails' },
    fix: unsafeFix(...terms.map((term) => setField(term.path, term.instead))),
  };
}

/** AMIs whose names are all of one architecture. */
function judgeNamed(
  nodeClass: string,
  terms: readonly PlainRecord[],
  architecture: string,
  types: ReadonlyArray<readonly string[]>,
): Judgement {
  const own = ARCHITECTURES.indexOf(architecture);
  const other = ARCHITECTURES[1 - own];
  if (types[1 - own].length === 0) return undefined;
  const image = valueText(terms[0].name ?? terms[0].ssmParameter);
  const evidence = { image, amd64: types[0].length, arm64: types[1].length };
  const path = ['spec', 'template', 'spec', 'requirements'];
  const selects = `EC2NodeClass ${nodeClass} selects only AMIs for ${architecture} (${image})`;
  const second = `add an AMI for ${other} to amiSelectorTerms of the class`;
  if (types[own].length > 0)
    return {
      path,
      message: `allows ${countText(types[1 - own].length, `${other} instance type`)} too, but ${selects}: launches on ${other} fail ("no instance types satisfy requirements of amis")`,
      remedy: `require ${Label.ARCH} In [${architecture}], or ${second}`,
      evidence,
    };
  return {
    path,
    severity: 'error',
    message: `allows only ${other} instance types, but ${selects}: Karpenter launches none of its nodes ("no instance types satisfy requirements of amis")`,
    remedy: `${second}, or use a class of its own for ${other}`,
    evidence: { ...evidence, consequence: 'launch-fails' },
  };
}

function onWindows(nodeClass: string, alias: string, [amd64, arm64]: ReadonlyArray<readonly string[]>): SubjectFinding {
  return {
    path: ['spec', 'template', 'spec', 'requirements'],
    message:
      `allows ${countText(arm64.length, 'arm64 instance type')}, but EC2NodeClass ${nodeClass} selects ${alias}, which is amd64 only: ` +
      'launches on arm64 fail ("no instance types satisfy requirements of amis")',
    remedy: `require ${Label.ARCH} In [amd64]`,
    evidence: { alias, amd64: amd64.length, arm64: arm64.length },
  };
}

/** The instance types that the NodePool allows, for each of `ARCHITECTURES`. */
function typesByArchitecture({ launch }: Pool): string[][] {
  const { table, indices } = launch!;
  const column = table.labels.find(({ key }) => key === Label.ARCH)!;
  return ARCHITECTURES.map((architecture) =>
    indices.filter((index) => column.values[column.codes[index]] === architecture).map((index) => table.names[index]),
  );
}
