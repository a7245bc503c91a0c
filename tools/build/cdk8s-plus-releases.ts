/** The workload classes for each release of cdk8s-plus. jsii allows one release only, as a peer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Plugin } from 'esbuild';

/** Classes of other releases are not related, but have the same properties. */
export const RELEASES = [28, 29, 30, 31, 32, 33, 34];

/** The kinds, and whether the properties may be left out. */
const KINDS: readonly (readonly [string, boolean])[] = [
  ['Deployment', true],
  ['StatefulSet', false],
  ['Job', true],
  ['CronJob', false],
];

/** Writes lib/cdk8s-plus-<release>.js with its types, for programs in TypeScript. */
export function writeReleasesOfPlus(lib: string): void {
  for (const release of RELEASES) {
    const name = `cdk8s-plus-${release}`;
    writeFileSync(join(lib, `${name}.js`), script(name));
    writeFileSync(join(lib, `${name}.d.ts`), types(name));
  }
}

function script(name: string): string {
  const names = KINDS.map(([kind]) => `exports.Resilient${kind} = classes.Resilient${kind};\n`);
  return `'use strict';\nconst classes = require('./bundle').resilientWorkloads(require('${name}'));\n${names.join('')}`;
}

function types(name: string): string {
  const imported = KINDS.flatMap(([kind]) => [kind, `${kind}Props`]).join(', ');
  const classes = KINDS.map(
    ([kind, isOptional]) => `/** Properties of a Resilient${kind}. */
export interface Resilient${kind}Props extends ${kind}Props, ResilienceProps, PodResourcesProps {}
/** A \`${kind}\` of ${name} with all safeguards of \`workloads.Resilience\`. */
export declare class Resilient${kind} extends ${kind} {
    /** @throws Error if a property has an invalid value, or a waiver has no reason */
    constructor(scope: Construct, id: string, props${isOptional ? '?' : ''}: Resilient${kind}Props);
}
`,
  );
  return `import { ${imported} } from '${name}';
import { Construct } from 'constructs';
import { PodResourcesProps } from './workloads/pod-resources-props';
import { ResilienceProps } from './workloads/resilience-props';
${classes.join('')}`;
}

const PLUS = 'cdk8s-plus-28';
/** The classes of a release that is not installed throw when they are used. */
const OPTIONAL = `
function missing() {
  return class {
    constructor() {
      const name = new.target.name;
      throw new Error(name + ': needs ${PLUS}, which is not installed; install it, or import ' + name +
        " from the module of your release, such as karpenter-constructs/lib/cdk8s-plus-33");
    }
  };
}
try {
  module.exports = require('${PLUS}');
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  module.exports = { Deployment: missing(), StatefulSet: missing(), Job: missing(), CronJob: missing() };
}
`;

/** Lets the bundle load without this release, because projects have another one. */
export const optionalPlus: Plugin = {
  name: 'optional-plus',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^cdk8s-plus-28$/ }, ({ path, namespace }) =>
      namespace === 'optional-plus' ? { path, external: true } : { path, namespace: 'optional-plus' },
    );
    onLoad({ filter: /./, namespace: 'optional-plus' }, () => ({ contents: OPTIONAL }));
  },
};
