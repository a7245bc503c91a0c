/** Quoted and unquoted names in Karpenter's errors. The name is what the error blames. */
type Blamed = (match: RegExpExecArray) => string;

const nothing: Blamed = () => '';
const first: Blamed = ([, blamed]) => ` ${blamed}`;

/** Beginnings of Karpenter's reasons why a pool rejects a pod, in the order of nodeclaim.go, with what they blame. */
const CLASSES: ReadonlyArray<readonly [name: string, text: RegExp, blamed?: Blamed]> = [
  ['taint', /^did not tolerate taint \(taint=([^)]*)\)/, first],
  [
    'volumes',
    /^incompatible volume requirements, (?:label "([^"]*)"|key ([^,]*),)?/,
    ([, label = '', key = '']) => ` ${label}${key}`,
  ],
  [
    'requirements',
    /^incompatible requirements, (?:label "([^"]*)"|key ([^,]*),)?/,
    ([, label = '', key = '']) => ` ${label}${key}`,
  ],
  ['topology', /^unsatisfiable topology constraint for ([^,]*), key=(\S*)/, ([, type, key]) => ` ${type} ${key}`],
  ['undefined-label', /^label "([^"]*)" does not have known values/, first],
  ['key-conflict', /^key ([^,]*),/, first],
  ['nodes-limit', /^node limits have been exhausted/],
  ['limits', /^all available instance types exceed limits/],
  ['no-pool', /^nodepool requirements filtered out all available instance types|^no nodepools found/],
  ['ignored', /^pod has Dynamic Resource Allocation requirements/],
  ['reserved', /^one or more instance types with compatible reserved offerings are available/],
  ['reserved-full', /^all compatible reserved offerings are full/],
  ['reserved-lost', /^satisfying updated nodeclaim constraints would remove all compatible reserved/],
  ['min-values-cut', /^pod didn’t schedule because NodePool couldn’t meet minValues requirements/],
  ['min-values', /^minValues requirement is not met for label\(s\) \(label\(s\)=\[([^\]]*)\]\)/, first],
  ['filter-2', /^no instance type met the scheduling requirements or had enough resources or had a required offering/],
  ['filter-3', /^no instance type met the scheduling requirements or had enough resources/],
  ['filter-4', /^no instance type met the scheduling requirements or had a required offering/],
  ['filter-5', /^no instance type had enough resources or had a required offering/],
  ['filter-6', /^no instance type met all requirements/],
  ['filter-7', /^no instance type has enough resources/],
  ['filter-8', /^no instance type has the required offering/],
  [
    'filter-9',
    /^no instance type which met the scheduling requirements and had enough resources, had a required offering/,
  ],
  [
    'filter-10',
    /^no instance type which had enough resources and the required offering met the scheduling requirements/,
  ],
  [
    'filter-11',
    /^no instance type which met the scheduling requirements and the required offering had the required resources/,
  ],
  ['filter-12', /^no instance type met the requirements\/resources\/offering tuple/],
];

/** Why a pod never reaches the scheduler, in the order in which Karpenter validates. */
const IGNORED_CLASSES: ReadonlyArray<readonly [name: string, text: RegExp]> = [
  ['not-karpenter', /configured to not run on a Karpenter/],
  ['restricted-label', /label "?\S+ is restricted/],
  ['unknown-value', /no valid values found/],
  ['match-fields', /matchFields is not supported/],
];

/** The class of an error, with the constraint that it blames. */
export function errorClass(text: string): string {
  for (const [name, pattern, blamed = nothing] of CLASSES) {
    const match = pattern.exec(text);
    if (match) return name + blamed(match);
  }
  return `other: ${text}`;
}

/**
 * The class for each pool that was tried. If no pool is left, Karpenter says so once, and we say it for each pool or
 * not at all.
 */
export function errorClasses(errors: readonly string[], ignored = false): string {
  if (ignored && !/^pod has Dynamic/.test(errors[0]))
    return `ignored: ${IGNORED_CLASSES.find(([, pattern]) => pattern.test(errors[0]))?.[0] ?? 'volumes'}`;
  // Karpenter flattens its list of errors: a pool with two taints gives two errors.
  const classes = errors
    .flatMap((text) =>
      text.split('; did not tolerate').map((part, at) => (at === 0 ? part : `did not tolerate${part}`)),
    )
    .map(errorClass);
  return classes.every((name) => name === 'no-pool') ? 'no-pool' : classes.join(' | ');
}
