import { createColors } from 'picocolors';
import { PodStoryVerdict } from './explanation';
import { describeStories } from './explanation-text';
import { plural } from './section';
import { TextOptions, withoutControlCharacters } from './text';

interface Told {
  readonly stories: readonly PodStoryVerdict[];
  readonly untold: number;
  readonly notJudged: readonly string[];
}

export function renderExplanationsText({ stories, untold, notJudged }: Told, options: TextOptions = {}): string {
  const told = withoutControlCharacters({ stories, notJudged });
  const blocks = describeStories(told.stories, createColors(options.color ?? false)).map((lines) => lines.join('\n'));
  const rest = [
    ...untold === 0 ? [] : [`and ${plural(untold, 'pod')} more: name fewer at once`],
    ...told.notJudged.length === 0 ? [] : [told.notJudged.map((sentence) => `- ${sentence}`).join('\n')],
  ];
  return `${[...blocks, ...rest].join('\n\n')}\n`;
}

/** The stories as JSON: the same input gives the same bytes. */
export function renderExplanationsJson({ stories }: Pick<Told, 'stories'>): string {
  return `${JSON.stringify(stories, undefined, 2)}\n`;
}
