/* eslint-disable @typescript-eslint/no-require-imports -- converting to YAML must not load a construct library */

/**
 * What the written program imports. It is run here too: what the constructs make of it decides what else has to be
 * written.
 */
export const runtime = {
  get nodes(): typeof import('../../nodes') { return require('../../nodes'); },
  get cdk8s(): typeof import('cdk8s') { return require('cdk8s'); },
};
