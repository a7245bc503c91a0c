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
  plugins: 5,
  setups: 5,
  cli: 6,
};

/** Folders, or folders within a folder, that never import another although the layers would let them, and why. */
export const WALLS: ReadonlyArray<{ readonly from: string; readonly to: string; readonly why: string }> = [
  { from: 'validation', to: 'nodes', why: 'validation judges YAML that anyone wrote' },
  { from: 'validation', to: 'workloads', why: 'validation judges YAML that anyone wrote' },
  { from: 'validation', to: 'interruption', why: 'validation judges YAML that anyone wrote' },
  { from: 'validation', to: 'infra', why: 'validation judges YAML that anyone wrote' },
  { from: 'validation/report', to: 'validation/rules', why: 'a report knows no rule' },
];

/** The folders that alone may hold a literal or a name, wherever in src/ it is written. */
export const SOLE_USERS: ReadonlyArray<{ readonly folders: readonly string[]; readonly what: string; readonly token: RegExp }> = [
  { folders: ['kernel'], what: 'WebAssembly', token: /^WebAssembly$/ },
  { folders: ['catalog', 'contract'], what: 'data/', token: /(^|\/)data\// },
  { folders: ['catalog'], what: 'the data of instance types', token: /(^|\/)(catalog|instance-types)\.json$/ },
  { folders: ['contract'], what: 'the data of APIs', token: /(^|\/)(karpenter-api|(karpenter-cel|kubelet-configuration)\.json)$/ },
];
