export * from './bootstrap';
export { findFormatProblem } from './format';
export { type HiddenSetting, kubeletSettingsIn } from './kubelet-settings';
export { type NodeConfigProblem, nodeConfigProblems } from './node-config';
