/* eslint-disable @typescript-eslint/no-require-imports -- jest has no `import()` in CommonJS; `--help` loads none */

/** Modules that only some commands need. They are loaded at first use. */
export const lazy = {
  get validation(): typeof import('../validation') {
    return require('../validation');
  },
  get conversion(): typeof import('../conversion') {
    return require('../conversion');
  },
  get catalog(): typeof import('../catalog') {
    return require('../catalog');
  },
  get aws(): typeof import('./aws') {
    return require('./aws');
  },
  get yaml(): typeof import('yaml') {
    return require('yaml');
  },
  get zlib(): typeof import('zlib') {
    return require('zlib');
  },
  get Table(): typeof import('cli-table3') {
    return require('cli-table3');
  },
};
