/** The folders of src/ and their layers. Imports go strictly downward; folders of one layer never import each other. */
export const LAYERS: Readonly<Record<string, number>> = {
  model: 0,
  catalog: 1,
  kernel: 1,
  contract: 1,
  nodes: 2,
  scheduling: 2,
  workloads: 3,
  interruption: 2,
  disruption: 3,
  infra: 3,
  validation: 4,
  conversion: 5,
  setups: 5,
  plugins: 6,
  assertions: 7,
  cli: 7,
};

/**
 * The sub-folders of folders with layers of their own, lowest layer first. Files beside the sub-folders belong to the
 * lowest layer, except index.ts, which may import every sub-folder. Sub-folders of one layer may import each other, but
 * not in a cycle.
 */
export const INNER_LAYERS: Readonly<Record<string, ReadonlyArray<readonly string[]>>> = {
  scheduling: [
    ['input'],
    ['pods'],
    ['launch', 'nodes'],
    ['topology', 'encoding'],
    ['refusals'],
    ['provisioning', 'cost'],
    ['explain'],
    ['incremental'],
    ['settling', 'best-fleet'],
  ],
  validation: [
    ['vocabulary'],
    ['manifest', 'template', 'cluster', 'input'],
    ['context', 'controller', 'termination-handler', 'drift'],
    ['scenario', 'explain', 'instance-types'],
    ['rules'],
    ['check', 'acknowledge', 'fixes'],
    ['report', 'difference', 'comparison', 'recommend'],
  ],
};

/** Imports between folders or sub-folders that are forbidden although the layers would allow them, with the reason. */
export const WALLS: ReadonlyArray<{ readonly from: string; readonly to: string; readonly why: string }> = [
  { from: 'validation', to: 'nodes', why: 'validation must also check YAML that no construct wrote' },
  { from: 'validation', to: 'workloads', why: 'validation must also check YAML that no construct wrote' },
  { from: 'validation', to: 'interruption', why: 'validation must also check YAML that no construct wrote' },
  { from: 'validation', to: 'infra', why: 'validation must also check YAML that no construct wrote' },
  { from: 'validation/report', to: 'validation/rules', why: 'reports must not depend on rules' },
];

/** Literals and names that only certain folders of src/ may contain. */
export const SOLE_USERS: ReadonlyArray<{
  readonly folders: readonly string[];
  readonly what: string;
  readonly token: RegExp;
}> = [
  { folders: ['kernel'], what: 'WebAssembly', token: /^WebAssembly$/ },
  { folders: ['model'], what: 'data/', token: /(^|\/)data\// },
  { folders: ['model', 'catalog', 'contract'], what: 'the reader of data/', token: /^(has|read)DataFile$/ },
  { folders: ['catalog'], what: 'the data of instance types', token: /(^|\/)(catalog|instance-types)\.json$/ },
  {
    folders: ['contract'],
    what: 'the data of APIs',
    token: /(^|\/)(karpenter-api|(karpenter-cel|kubelet-configuration|kubernetes-fields)\.json)$/,
  },
];
