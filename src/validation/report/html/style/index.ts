import { COLORS } from './colors';
import { FLEET, LAYOUT, PRINT, PARTS } from './layout';

/** The style sheet of the page. It uses system fonts, so that nothing is fetched. */
export const STYLE = `\n${COLORS}${LAYOUT}${FLEET}${PARTS}${PRINT}`;
