export * from './bootstrap';
export { detectUserDataFormat, findFormatProblem } from './format';
export { type HiddenSetting, kubeletSettingsIn } from './kubelet-settings';
export { type NodeConfigProblem, nodeConfigProblems } from './node-config';
export { findMimeProblem, type MimeProblem } from './mime';
export { type HiddenTaint, nodeLabelsIn, taintsIn } from './registration';
export { type UnquotedSetting, unquotedSettings } from './toml-strings';
