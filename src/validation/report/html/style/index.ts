import { COLORS } from './colors';
import { FLEET } from './fleet';
import { LAYOUT } from './layout';
import { PARTS } from './parts';
import { PRINT } from './print';

/** The style sheet of the page. It uses system fonts, so that nothing is fetched. */
export const STYLE = `\n${COLORS}${LAYOUT}${FLEET}${PARTS}${PRINT}`;
