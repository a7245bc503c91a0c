/** What a step tells the runner: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
import { appendFileSync, readFileSync } from 'node:fs';

/** Sets an output of the step. Values have one line. */
export function setOutput(name, value) {
  appendFileSync(process.env.GITHUB_OUTPUT, `${name}=${value}\n`);
}

export function addToSummary(markdown) {
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
}

/** @param severity notice, warning or error */
export function annotate(severity, text) {
  const escaped = text.trim().replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::${severity} title=karpenter-constructs::${escaped}`);
}

/** The event that has started the workflow. */
export function eventOf() {
  const file = process.env.GITHUB_EVENT_PATH;
  return file ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** An input of the action; inputs have defaults in action.yml. */
export function input(name) {
  return (process.env[`INPUT_${name}`] ?? '').trim();
}

/** Splits at spaces and line ends, except in quotes. */
export function splitWords(text) {
  return [...text.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
