/* eslint-disable @typescript-eslint/no-require-imports -- `import()` is not to be had in CommonJS under jest, and `--help` must load none of this */

/** Modules that only some commands need, loaded by the first that does. */
export const lazy = {
  get validation(): typeof import('../validation') { return require('../validation'); },
  get conversion(): typeof import('../conversion') { return require('../conversion'); },
  get catalog(): typeof import('../catalog') { return require('../catalog'); },
  get yaml(): typeof import('yaml') { return require('yaml'); },
  get Table(): typeof import('cli-table3') { return require('cli-table3'); },
};
